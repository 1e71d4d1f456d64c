/* Reading raw profiles, which may be longer than what they have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-content.h"
#include "file-content.h"
#include "heapprof/raw-format.h"
#include <byteswap.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Fewer zeros do not matter.  */
#define MANY_BYTES ((uint64_t) 1 << 20)

/* A program that adds extents all the time is read completely.  */
#define MOST_TRIES 4

static uint64_t
number (uint64_t value, bool is_swapped)
{
  return is_swapped ? bswap_64 (value) : value;
}

/* Return where the extents of the SIZE bytes at DATA, the start of a file, end;
   SIZE_MAX if they are no raw profile with extents.  */
static size_t
end_of_extents (const void *data, size_t size)
{
  struct heapprof_raw_header header;
  if (size < sizeof header)
    return SIZE_MAX;
  memcpy (&header, data, sizeof header);
  const bool is_swapped = header.byte_order != HEAPPROF_RAW_BYTE_ORDER;
  const uint64_t count = number (header.extent_count, is_swapped);
  if (memcmp (header.magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES) != 0
      || (header.flags & HEAPPROF_RAW_PACKED) != 0
      || count > HEAPPROF_RAW_MAX_EXTENTS)
    return SIZE_MAX;
  uint64_t end = sizeof header;
  for (uint64_t i = 0; i < count; i++)
    {
      const struct heapprof_raw_extent *extent = &header.extents[i];
      const uint64_t offset = number (extent->offset, is_swapped);
      const uint64_t capacity = number (extent->capacity, is_swapped);
      const uint64_t bytes
	= is_swapped ? bswap_32 (extent->record_bytes) : extent->record_bytes;
      uint64_t length, last;
      if (__builtin_mul_overflow (capacity, bytes, &length)
	  || __builtin_add_overflow (offset, length, &last))
	return SIZE_MAX;
      end = last > end ? last : end;
    }
  return end;
}

/* Return true if the file PATH has many bytes that are not on the disk.  */
static bool
is_longer (const char *path)
{
  struct stat status;
  return stat (path, &status) == 0 && S_ISREG (status.st_mode)
	 && (uint64_t) status.st_size
	      > (uint64_t) status.st_blocks * 512 + MANY_BYTES;
}

/* A running program may add extents meanwhile: what was read must have all
   that its own header lists.  */

bool
raw_content_read (const char *path, void **data, size_t *size,
		  struct profile_error *err)
{
  size_t wanted
    = is_longer (path) ? sizeof (struct heapprof_raw_header) : SIZE_MAX;
  for (int i = 0; wanted != SIZE_MAX && i < MOST_TRIES; i++)
    {
      if (!file_content_read_start (path, wanted, data, size, err))
	return false;
      const size_t end = end_of_extents (*data, *size);
      /* The file may have become shorter, too: its reader says so.  */
      if (end <= wanted && i > 0)
	return true;
      free (*data);
      wanted = end;
    }
  return file_content_read (path, data, size, err);
}
