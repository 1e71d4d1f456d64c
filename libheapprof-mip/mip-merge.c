/* Adding to a file of earlier runs, in place and under a lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The file has sums in the place of slots:

     header | head of a chunk | sums of the slots of a section | ...

   They are read, added to in memory, and written back.  Which blocks without
   bytes ran can be derived only for single runs, so if blocks have bytes there
   is a row for each run instead, at the end of the file (mip-blocks.c).  */

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"
#include <sys/file.h>

/* Add a slot of BYTES bytes to SUM.  ORDER is its order word, preceded by the
   other words of the slot.  */

static void
add_slot (struct heapprof_mip_sum *sum, const uint32_t *order, size_t bytes)
{
  const uint32_t number = *order & HEAPPROF_MIP_ORDER_MASK;
  if (number == 0)
    return;
  /* A count of 0 means one call: a signal came between the call and its order,
     and what was added then was reset.  2^32 calls give 0, too, until the next
     one.  */
  if (bytes > sizeof *order)
    sum->calls += -order[-1] + (order[-1] == 0);
  sum->orders += number;
  sum->runs++;
  /* Minus 1, no order at all is the maximum.  */
  if (number - 1 < (sum->order & HEAPPROF_MIP_ORDER_MASK) - 1)
    sum->order = *order;
}

/* Add the slots of CHUNK, whose link addresses are lower by BIAS than their
   addresses here, to the sums at TO.  Return the number of bytes of these
   sums.  */

static uint64_t
add_slots (char *to, const struct heapprof_mip_chunk *chunk, uint64_t bias)
{
  const char *slot = (const char *) (chunk->address + bias);
  const char *const end = slot + chunk->bytes;
  char *const begin = to;
  while (slot != end)
    {
      const char *const coverage = slot;
      slot += chunk->element_bytes;
      if (chunk->kind == HEAPPROF_MIP_COVERAGE)
	{
	  *(uint32_t *) to += mip_is_marked (*coverage);
	  to += sizeof (uint32_t);
	}
      else
	{
	  add_slot ((struct heapprof_mip_sum *) to, (const uint32_t *) slot - 1,
		    chunk->element_bytes);
	  to += sizeof (struct heapprof_mip_sum);
	}
    }
  return (uint64_t) (to - begin);
}

int (*mip_blocks_function) (int file, char *to, size_t fixed)
  __attribute__ ((weak));

/* Add the slots of IMAGE to the sums in TO, which are all zero if IS_NEW.
   Return the end of the last chunk of fixed size, or SIZE_MAX if the sums
   belong to other slots.  */

static size_t
add_chunks (char *to, const struct mip_image *image, bool is_new)
{
  size_t at = sizeof image->header;
  /* Coverage comes last as it may have rows.  */
  for (uint32_t i = image->header.chunks; i-- > 0;)
    {
      const struct heapprof_mip_chunk *const chunk = &image->chunks[i];
      struct heapprof_mip_chunk *const head = (void *) (to + at);
      const bool is_coverage = chunk->kind == HEAPPROF_MIP_COVERAGE;
      const bool has_rows = is_coverage && mip_blocks_function != NULL;
      const uint64_t rows = head->stored;
      if (!is_new
	  && (head->address != chunk->address || head->bytes != chunk->bytes))
	return SIZE_MAX;
      *head = *chunk;
      head->encoding = HEAPPROF_MIP_SUMS + has_rows;
      at += sizeof *head;
      if (has_rows)
	{
	  head->stored = rows;
	  break;
	}
      head->stored = add_slots (to + at, chunk, image->header.bias);
      at += (head->stored + 7) & ~(size_t) 7;
    }
  return at;
}

/* Add IMAGE to the image in FILE, which is locked; TO has BYTES bytes of zeros,
   more than the sums need.  Return as mip_merge does.  */

static int
merge_into (int file, const struct mip_image *image, char *to, size_t bytes)
{
  struct heapprof_mip_image *const header = (void *) to;
  const size_t size = (size_t) mip_system_call_4 (SYS_pread64, file, (long) to,
						  (long) bytes, 0);
  const size_t fixed = add_chunks (to, image, size == 0);
  if (size != 0
      && (size < fixed || (header->flags & HEAPPROF_MIP_MERGED) == 0
	  || !mip_is_same (&header->build_id_bytes,
			   &image->header.build_id_bytes,
			   offsetof (struct heapprof_mip_image, crc)
			     - offsetof (struct heapprof_mip_image,
					 build_id_bytes))))
    return 1;
  const uint32_t images = header->images + 1;
  *header = image->header;
  header->images = images;
  header->bytes = fixed;
  header->flags |= HEAPPROF_MIP_MERGED;
  if (mip_blocks_function != NULL)
    {
      const int result = mip_blocks_function (file, to, fixed);
      if (result != 0)
	return result;
    }
  mip_image_seal (header);
  if (mip_system_call_4 (SYS_pwrite64, file, (long) to, (long) fixed, 0)
      != (long) fixed)
    return -ENOSPC;
  /* Do not add the same slots again.  */
  heapprof_mip_reset ();
  return 0;
}

/* A signal may have interrupted this thread while it holds the lock, and
   waiting would deadlock.  The next dump adds the rest.  */
_Static_assert(HEAPPROF_MIP_FROM_SIGNAL == LOCK_NB,
	       "a dump for a signal does not wait for the lock");

int
mip_merge (const struct mip_image *image, const char *path, int mode)
{
  /* Sums take at most six times the size of an order.  */
  const size_t bytes = 8 * image->header.bytes;
  if (mip_edge_functions != NULL)
    return 1;
  const int file = mip_open (path, O_RDWR | mode, bytes);
  if (file < 0)
    return file;
  const long address = mip_map (0, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  int result = (int) address;
  if (!mip_is_error (address))
    {
      result
	= (int) mip_system_call_3 (SYS_flock, file,
				   LOCK_EX | (image->header.flags & LOCK_NB),
				   0);
      if (result == 0)
	result = merge_into (file, image, (char *) address, bytes);
      mip_system_call_3 (SYS_munmap, address, (long) bytes, 0);
    }
  mip_close (file);
  return result;
}
