/* Appending records to a raw profile by writes, or in mapped memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "raw-output.h"
#include "bytes.h"
#include "sys.h"
#include <errno.h>

static char buffer[16 * SYS_LEAST_PAGE_BYTES];

static int
put_in_memory (struct rt_output *out)
{
  if (out->used > out->room)
    return -ENOSPC;
  own_memcpy (out->memory, buffer, out->used);
  out->memory += out->used;
  out->room -= out->used;
  return 0;
}

void
rt_output_flush (struct rt_output *out)
{
  if (out->error == 0 && out->used > 0)
    out->error = out->memory != NULL
		   ? put_in_memory (out)
		   : sys_write_at (out->fd, buffer, out->used, out->offset);
  out->offset += out->used;
  out->used = 0;
}

void
rt_output_put (struct rt_output *out, const void *record, size_t bytes)
{
  if (out->used + bytes > sizeof buffer)
    rt_output_flush (out);
  own_memcpy (buffer + out->used, record, bytes);
  out->used += bytes;
}

struct heapprof_raw_extent
rt_output_begin (struct rt_output *out, enum heapprof_raw_kind kind,
		 size_t record_bytes)
{
  rt_output_flush (out);
  out->offset = (out->offset + 7) & -(uint64_t) 8;
  return (struct heapprof_raw_extent){ .kind = kind,
				       .record_bytes = (uint32_t) record_bytes,
				       .offset = out->offset };
}

void
rt_output_record (struct rt_output *out, struct heapprof_raw_extent *extent,
		  const void *record)
{
  rt_output_put (out, record, extent->record_bytes);
  extent->count++;
}

void
rt_output_end (struct rt_output *out, struct heapprof_raw_header *header,
	       const struct heapprof_raw_extent *extent)
{
  rt_output_flush (out);
  if (out->error == 0 && extent->count > 0
      && header->extent_count == HEAPPROF_RAW_MAX_EXTENTS)
    out->error = -EFBIG;
  if (out->error != 0 || extent->count == 0)
    return;
  struct heapprof_raw_extent *const entry
    = &header->extents[header->extent_count];
  *entry = *extent;
  entry->capacity = extent->count;
  __atomic_store_n (&header->extent_count, header->extent_count + 1,
		    __ATOMIC_RELEASE);
}
