/* Add what ran to a file that earlier runs left, in place and under a lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Bytes of coverage are combined by "or", numbers of calls are added, and of
   orders the least is kept.  */

#include "mip-runtime.h"
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Are A and B images of one program, with the same slots?  */

static bool
is_alike (const struct heapprof_mip_image *a,
	  const struct heapprof_mip_image *b)
{
  return memcmp (a->magic, b->magic, sizeof a->magic) == 0
	 && a->version == b->version && a->byte_order == b->byte_order
	 && a->bytes == b->bytes && a->chunks == b->chunks
	 && a->build_id_bytes == b->build_id_bytes
	 && a->link_unit == b->link_unit && a->path_bytes == 0
	 && a->images > 0
	 && memcmp (a->build_id, b->build_id, sizeof a->build_id) == 0;
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
      to[i] |= from[i];
  else if (kind == HEAPPROF_MIP_COUNT)
    for (size_t i = 0; i < bytes; i += sizeof (struct heapprof_mip_count))
      add_count ((struct heapprof_mip_count *) (to + i),
		 (const struct heapprof_mip_count *) (from + i));
  else if (kind == HEAPPROF_MIP_ORDER)
    for (size_t i = 0; i < bytes; i += sizeof (uint32_t))
      *(uint32_t *) (to + i)
	= first_of (*(uint32_t *) (to + i), *(const uint32_t *) (from + i));
}

/* Add IMAGE to the image at TO.  False if its chunks are others.  */

static bool
add_image (char *to, const struct mip_image *image)
{
  struct heapprof_mip_image *const header = (struct heapprof_mip_image *) to;
  size_t offset = sizeof *header;
  for (int pass = 0; pass < 2; pass++, offset = sizeof *header)
    for (int i = 1; i < image->piece_count; i++)
      {
	const struct iovec *const piece = &image->pieces[i];
	const struct heapprof_mip_chunk *const chunk = piece->iov_base;
	const bool is_chunk
	  = chunk >= image->chunks && chunk < image->chunks + MIP_CHUNKS;
	if (pass == 0 && is_chunk
	    && memcmp (to + offset, chunk, sizeof *chunk) != 0)
	  return false;
	if (pass == 1 && !is_chunk && i > 1
	    && image->pieces[i - 1].iov_len == sizeof *chunk)
	  {
	    const struct heapprof_mip_chunk *const before
	      = image->pieces[i - 1].iov_base;
	    if (before >= image->chunks && before < image->chunks + MIP_CHUNKS)
	      add_slots (before->kind, to + offset, piece->iov_base,
			 piece->iov_len);
	  }
	offset += piece->iov_len;
      }
  header->images++;
  header->time_ns = image->header.time_ns;
  header->flags |= HEAPPROF_MIP_MERGED | image->header.flags;
  mip_image_seal (header);
  return true;
}

/* Add IMAGE to FILE, which is locked.  As mip_merge.  */

static int
merge_into (int file, const struct mip_image *image)
{
  struct stat status;
  if (fstat (file, &status) != 0)
    return -1;
  const size_t bytes = image->header.bytes;
  if (status.st_size == 0)
    return (writev (file, image->pieces, image->piece_count)
	    == (ssize_t) bytes) ? 0 : -1;
  if ((size_t) status.st_size != bytes)
    return 1;
  char *const content = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			      file, 0);
  if (content == MAP_FAILED)
    return -1;
  const bool is_added
    = is_alike ((const struct heapprof_mip_image *) content, &image->header)
      && add_image (content, image);
  munmap (content, bytes);
  return is_added ? 0 : 1;
}

int
mip_merge (const struct mip_image *image, const char *path)
{
  const int links = mip_options.file == NULL ? O_NOFOLLOW : 0;
  const int file
    = open (path, O_RDWR | O_CREAT | O_CLOEXEC | links, MIP_FILE_MODE);
  if (file < 0)
    return -1;
  const int result = flock (file, LOCK_EX) == 0 ? merge_into (file, image) : -1;
  close (file);
  return result;
}
