/* Memory-info blocks: folding observations together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MIB_H
#define HEAPPROF_MIB_H

#include "heapprof/raw-format.h"
#include "block.h"
#include "shadow.h"

/* A block from its allocation to its release, or to now.  */
struct rt_observation
{
  uint64_t size;		/* requested bytes */
  uint64_t alloc_ns;
  uint64_t dealloc_ns;
  uint32_t alloc_cpu;
  uint32_t dealloc_cpu;
  struct rt_shadow_sum sum;
};

/* What there is to see of live BLOCK, whose counters add up to SUM, if it were
   released at NOW_NS on CPU.  */
struct rt_observation rt_observe (const struct rt_block *block,
				  const struct rt_shadow_sum *sum,
				  uint64_t now_ns, uint32_t cpu);

/* Fold OBSERVATION into *INTO, which is all zero before the first.  */
void rt_fold (struct heapprof_raw_observations *into,
	      const struct rt_observation *observation);

/* Keep others from changing MIB->freed; let them again.  A short wait in
   between: what holds it holds no lock and calls nothing.  */
void rt_mib_begin (struct heapprof_raw_mib *mib);
void rt_mib_end (struct heapprof_raw_mib *mib);

#endif /* HEAPPROF_MIB_H */
