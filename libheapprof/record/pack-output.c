/* Buffered output of a packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Disk space is allocated before the bytes are written.  Otherwise, file
   systems that allocate blocks when a file's content is written back do so when
   the file is renamed over another one: ext4 then starts to write all of it to
   the disk, and the program waits.  */

#include "pack-output.h"
#include "bytes.h"
#include "crc32.h"
#include "sys.h"

/* Maximum disk space to allocate at once.  */
#define AHEAD_BYTES_MAX ((uint64_t) 4 << 20)

struct rt_pack_output rt_pack_output;

static uint8_t buffer[64 * SYS_LEAST_PAGE_BYTES];

void
rt_pack_start (int fd, uint64_t offset)
{
  rt_crc32_start ();
  rt_pack_output = (struct rt_pack_output){ .fd = fd,
					    .offset = offset,
					    .next = buffer,
					    .full = buffer + sizeof buffer
						    - RT_PACK_RECORD_BYTES };
}

/* Write the buffer, and allocate space for AHEAD bytes after it.  */

static void
write_buffer (uint64_t ahead)
{
  struct rt_pack_output *const out = &rt_pack_output;
  const size_t bytes = (size_t) (out->next - buffer);
  const uint64_t end = out->offset + bytes;
  if (out->error == 0 && end > out->allocated)
    {
      sys_allocate_ahead (out->fd, out->allocated,
			  end + ahead - out->allocated);
      out->allocated = end + ahead;
    }
  if (out->error == 0 && bytes > 0)
    out->error = sys_write_at (out->fd, buffer, bytes, out->offset);
  out->crc = rt_crc32 (out->crc, buffer, bytes);
  out->offset = end;
  out->next = buffer;
}

void
rt_pack_flush (void)
{
  const uint64_t written = rt_pack_output.offset;
  write_buffer (written < AHEAD_BYTES_MAX ? written : AHEAD_BYTES_MAX);
}

void
rt_pack_finish (void)
{
  struct rt_pack_output *const out = &rt_pack_output;
  write_buffer (0);
  if (out->error == 0 && out->allocated > out->offset)
    out->error = sys_truncate (out->fd, out->offset);
}

void
rt_pack_bytes (const void *data, size_t bytes)
{
  struct rt_pack_output *const out = &rt_pack_output;
  const uint8_t *from = data;
  while (bytes > 0)
    {
      const size_t room = (size_t) (buffer + sizeof buffer - out->next);
      const size_t step = bytes < room ? bytes : room;
      own_memcpy (out->next, from, step);
      out->next += step;
      from += step;
      bytes -= step;
      if (step == room)
	rt_pack_flush ();
    }
}
