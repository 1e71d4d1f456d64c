/* Add what ran to a file that earlier runs left, in place and under a lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Bytes of coverage are combined so that either marks, numbers of calls are added, and of
   orders the least is kept.  */

#include "mip-runtime.h"
#include "mip-system.h"
#include <sys/file.h>

/* Are A and B images of one program, with the same slots?  */

static bool
is_alike (const struct heapprof_mip_image *a,
	  const struct heapprof_mip_image *b)
{
  const size_t identity = offsetof (struct heapprof_mip_image, build_id_bytes);
  return mip_is_same (a, b, offsetof (struct heapprof_mip_image, bias))
	 && a->chunks == b->chunks && a->images > 0
	 && mip_is_same ((const char *) a + identity,
			 (const char *) b + identity,
			 offsetof (struct heapprof_mip_image, crc) - identity);
}

/* The lesser of two orders, 0 being none.  */

static uint32_t
first_of (uint32_t a, uint32_t b)
{
  if (a == 0 || b == 0)
    return a | b;
  return (a & HEAPPROF_MIP_ORDER_MASK) <= (b & HEAPPROF_MIP_ORDER_MASK) ? a : b;
}

static void
add_count (struct heapprof_mip_count *sum,
	   const struct heapprof_mip_count *count)
{
  uint32_t calls;
  if (count->order == 0)
    return;
  if (sum->order == 0)
    calls = -count->minus_calls;
  else if (__builtin_add_overflow (-sum->minus_calls, -count->minus_calls,
				   &calls)
	   || sum->minus_calls == 0 || count->minus_calls == 0)
    calls = UINT32_MAX;
  sum->minus_calls = -calls;
  sum->order = first_of (sum->order, count->order);
}

/* Add the BYTES bytes of slots of KIND at FROM to those at TO.  */

static void
add_slots (int kind, char *to, const char *from, size_t bytes)
{
  if (kind == HEAPPROF_MIP_COVERAGE)
    for (size_t i = 0; i < bytes; i++)
      to[i] = MIP_COVERAGE_ENCODING == HEAPPROF_MIP_REACHED_SETS
		? to[i] | from[i] : to[i] & from[i];
  else if (kind == HEAPPROF_MIP_COUNT)
    for (size_t i = 0; i < bytes; i += sizeof (struct heapprof_mip_count))
      add_count ((struct heapprof_mip_count *) (to + i),
		 (const struct heapprof_mip_count *) (from + i));
  else if (kind == HEAPPROF_MIP_ORDER)
    for (size_t i = 0; i < bytes; i += sizeof (uint32_t))
      *(uint32_t *) (to + i)
	= first_of (*(uint32_t *) (to + i), *(const uint32_t *) (from + i));
}

/* Go through the chunks of IMAGE and of the image at TO, and add those to
   these, or only look: false if they are others.  */

static bool
add_chunks (char *to, const struct mip_image *image, bool shall_add)
{
  to += sizeof image->header;
  for (uint32_t i = 0; i < image->header.chunks; i++)
    {
      const struct heapprof_mip_chunk *const chunk = &image->chunks[i];
      if (!mip_is_same (to, chunk, sizeof *chunk))
	return false;
      to += sizeof *chunk;
      if (shall_add)
	add_slots (chunk->kind, to,
		   (const char *) (chunk->address + image->header.bias),
		   chunk->bytes);
      to += (chunk->bytes + 7) & ~(size_t) 7;
    }
  return true;
}

/* Add IMAGE to that in FILE, which is locked.  As mip_merge.  */

static int
merge_into (int file, const struct mip_image *image)
{
  const size_t bytes = image->header.bytes;
  const long size = mip_system_call (SYS_lseek, file, 0, SEEK_END, 0);
  if (size == 0)
    return (mip_system_call (SYS_writev, file, (long) image->pieces,
			     image->piece_count, 0) == (long) bytes)
	     ? 0 : -ENOSPC;
  if (size != (long) bytes)
    return 1;
  const long address = mip_map (0, bytes, MAP_SHARED, file);
  if (mip_is_error (address))
    return (int) address;
  struct heapprof_mip_image *const header = (void *) address;
  const bool is_alike_image = is_alike (header, &image->header)
			      && add_chunks ((char *) header, image, false);
  if (is_alike_image)
    {
      add_chunks ((char *) header, image, true);
      header->images++;
      header->time_ns = image->header.time_ns;
      header->flags |= HEAPPROF_MIP_MERGED | image->header.flags;
      mip_image_seal (header);
    }
  mip_system_call (SYS_munmap, address, (long) bytes, 0, 0);
  return is_alike_image ? 0 : 1;
}

int
mip_merge (const struct mip_image *image, const char *path, int mode)
{
  const int file = mip_open (path, O_RDWR | mode);
  if (file < 0)
    return file;
  int result = (int) mip_system_call (SYS_flock, file, LOCK_EX, 0, 0);
  if (result == 0)
    result = merge_into (file, image);
  mip_close (file);
  return result;
}
