/* Histograms: accesses to each 8 bytes of blocks (abi.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   If code was compiled for histograms, each 8 bytes of memory have their own
   counter, in a mapping as large as the address range of blocks.  When a block
   is released, its counters are folded into those of its context, in the raw
   file, under a lock.  */

#ifndef HEAPPROF_HISTOGRAM_H
#define HEAPPROF_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start of the counters; 0 while there are none.  */
extern uintptr_t rt_histogram_base __attribute__ ((visibility ("hidden")));

static inline bool
rt_histogram_is_on (void)
{
  return __builtin_expect (rt_histogram_base != 0, 0);
}

/* Map the counters, once; if that fails there are no histograms, which is
   reported.  The functions below require that histograms are on.  */
void rt_histogram_start (void);

/* Fold the counters of the SIZE bytes at DATA into CONTEXT's.  */
void rt_histogram_fold (uint32_t context, const void *data, size_t size);

/* Clear the counters of the SIZE bytes at DATA.  */
void rt_histogram_clear (const void *data, size_t size);

/* Discard all folded counts.  */
void rt_histogram_forget (void);

/* Start again in the child of a fork, whose file has no histograms.  */
void rt_histogram_reset (void);

/* Write the histograms of contexts less than CONTEXTS to the packed file, and
   those of a live block.  */
void rt_histogram_pack (uint32_t contexts);
void rt_histogram_pack_block (uint32_t context, const void *data, size_t size);

#endif /* HEAPPROF_HISTOGRAM_H */
