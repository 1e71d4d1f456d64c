/* The live samples, to choose from.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Not for several threads at once.  */

#ifndef HEAPPROF_LIVE_SAMPLES_H
#define HEAPPROF_LIVE_SAMPLES_H

#include "block.h"

/* Add BLOCK; false if there is no memory for that.  */
bool rt_live_add (struct rt_block *block);

/* Remove BLOCK if it is there.  */
void rt_live_remove (const struct rt_block *block);

/* Return how many there are, and one of them, each with the same probability;
   NULL if there are none.  */
uint32_t rt_live_count (void);
struct rt_block *rt_live_choose (void);

/* Remove all, and choose by SEED from now on.  */
void rt_live_start (uint64_t seed);

#endif /* HEAPPROF_LIVE_SAMPLES_H */
