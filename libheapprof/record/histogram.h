/* Histograms: accesses to each 8 bytes of blocks (abi.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where code was compiled for histograms, each 8 bytes of memory have a counter
   of their own, in a mapping as large as the addresses that blocks have.  A
   block's counters are folded into those of its context, in the raw file, when
   it is released; there one lock is held.  */

#ifndef HEAPPROF_HISTOGRAM_H
#define HEAPPROF_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the counters begin; 0 while there are none.  */
extern uintptr_t rt_histogram_base __attribute__ ((visibility ("hidden")));

static inline bool
rt_histogram_is_on (void)
{
  return __builtin_expect (rt_histogram_base != 0, 0);
}

/* Find room for the counters, once; without it there are no histograms, which
   is said.  The others need that it is on.  */
void rt_histogram_start (void);

/* Fold the counters of the SIZE bytes at DATA into CONTEXT's.  */
void rt_histogram_fold (uint32_t context, const void *data, size_t size);

/* Set them to 0.  */
void rt_histogram_clear (const void *data, size_t size);

/* Forget all that was folded.  */
void rt_histogram_forget (void);

/* In the child of a fork, whose file has no histograms: start anew.  */
void rt_histogram_reset (void);

/* Write those of contexts less than CONTEXTS to the packed file, and those of a
   live block.  */
void rt_histogram_pack (uint32_t contexts);
void rt_histogram_pack_block (uint32_t context, const void *data, size_t size);

#endif /* HEAPPROF_HISTOGRAM_H */
