/* Memory for the arrays of one computation after the other.
   SPDX-License-Identifier: GPL-3.0-or-later

   Arrays are given back in the reverse order of that in which they were taken,
   and those taken next get memory that is there and in the caches already.  It
   comes in large pages if it is large.  Not for several threads at a time.  */

#ifndef HEAPPROF_SCRATCH_H
#define HEAPPROF_SCRATCH_H

#include <stddef.h>

struct scratch_block;

/* All zeros has no memory.  */
struct scratch
{
  size_t block_bytes;	       /* of the blocks to come, at least */
  struct scratch_block *last;  /* that arrays are in */
  struct scratch_block *spare; /* the last one that was given back whole */
};

/* Up to where memory is taken.  */
struct scratch_mark
{
  struct scratch_block *block;
  size_t used;
};

/* Let blocks of *SCRATCH, which has none, be of BYTES or more.  */
void scratch_init (struct scratch *scratch, size_t bytes);
void scratch_free (struct scratch *scratch);

/* An array of COUNT elements of BYTES each, aligned for anything; NULL if
   memory cannot be had.  ZEROS is the same of zeros.  */
void *scratch_take (struct scratch *scratch, size_t count, size_t bytes);
void *scratch_zeros (struct scratch *scratch, size_t count, size_t bytes);

/* What is taken after the mark is given back by the release.  */
struct scratch_mark scratch_mark (const struct scratch *scratch);
void scratch_release (struct scratch *scratch, struct scratch_mark mark);

#endif /* HEAPPROF_SCRATCH_H */
