/* Memory for short-lived arrays.
   SPDX-License-Identifier: GPL-3.0-or-later

   Arrays are freed in reverse order of allocation, and new ones reuse memory
   that is already mapped and cached.  Large blocks use huge pages.  Not
   thread-safe.  */

#ifndef HEAPPROF_SCRATCH_H
#define HEAPPROF_SCRATCH_H

#include <stddef.h>

struct scratch_block;

/* All zeros: no memory yet.  */
struct scratch
{
  size_t block_bytes;	       /* least size of new blocks */
  struct scratch_block *last;  /* block in use */
  struct scratch_block *spare; /* last block that was freed completely */
};

/* State of the allocation at some point.  */
struct scratch_mark
{
  struct scratch_block *block;
  size_t used;
};

/* Make new blocks of *SCRATCH, which must have none yet, at least BYTES
   long.  */
void scratch_init (struct scratch *scratch, size_t bytes);
void scratch_free (struct scratch *scratch);

/* Return an array of COUNT elements of BYTES each, aligned for any type; NULL
   if memory is exhausted. scratch_zeros returns zeroed memory.  */
void *scratch_take (struct scratch *scratch, size_t count, size_t bytes);
void *scratch_zeros (struct scratch *scratch, size_t count, size_t bytes);

/* scratch_release frees everything allocated after the mark.  */
struct scratch_mark scratch_mark (const struct scratch *scratch);
void scratch_release (struct scratch *scratch, struct scratch_mark mark);

#endif /* HEAPPROF_SCRATCH_H */
