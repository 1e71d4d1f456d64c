/* Memory-info blocks: folding observations together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A MIB holds most numbers in 32 bits or less (heapprof/raw-format.h describes
   larger ones).  Almost every observation is folded in without accessing the
   wide record.  */

#ifndef HEAPPROF_MIB_H
#define HEAPPROF_MIB_H

#include "heapprof/raw-format.h"
#include "block.h"
#include "shadow.h"

/* A block from its allocation to its release, or until now.  */
struct rt_observation
{
  uint64_t size; /* requested bytes, may be 0 */
  uint64_t accesses;
  uint64_t alloc_ns;
  uint64_t dealloc_ns;
  uint64_t lifetime_ns;
  uint64_t access_density; /* accesses * 100 / size, where size 0 counts as 1 */
  uint64_t lifetime_access_density; /* the same * 1000 / ms */
  uint32_t utilization;		    /* percent */
  uint16_t alloc_cpu;
  uint16_t dealloc_cpu;
};

/* Return A * FACTOR / B, where B is nonzero; mostly in 32 bits, which is
   several times faster.  */
static inline uint64_t
rt_ratio (uint64_t a, uint32_t factor, uint64_t b)
{
  const uint64_t product = a * factor;
  if (((product | b) >> 32) == 0)
    return (uint32_t) product / (uint32_t) b;
  return product / b;
}

/* Return the access density of a block of SIZE bytes whose counters add up to
   SUM, and its utilization.  */
static inline uint64_t
rt_density (uint64_t size, const struct rt_shadow_sum *sum)
{
  return sum->accesses == 0
	   ? 0
	   : rt_ratio (sum->accesses, 100, size > 0 ? size : 1);
}

static inline uint64_t
rt_utilization (const struct rt_shadow_sum *sum)
{
  return sum->accessed_granules == sum->granules
	   ? 100
	   : rt_ratio (sum->accessed_granules, 100, sum->granules);
}

/* Return the density per time of a block with DENSITY that lived for
   LIFETIME_NS.  Less than 2 ms count as 1 ms.  */
static inline uint64_t
rt_lifetime_density (uint64_t density, uint64_t lifetime_ns)
{
  return __builtin_expect (lifetime_ns < 2000000, 1)
	   ? density * 1000
	   : rt_ratio (density, 1000, lifetime_ns / 1000000);
}

/* Return the observation of live BLOCK, whose counters add up to SUM, if it
   were released at NOW_NS on CPU.  */
static inline struct rt_observation
rt_observe (const struct rt_block *block, const struct rt_shadow_sum *sum,
	    uint64_t now_ns, uint32_t cpu)
{
  const uint64_t size = rt_block_size (block);
  const uint64_t alloc_ns = rt_block_alloc_ns (block);
  const uint64_t lifetime_ns = now_ns > alloc_ns ? now_ns - alloc_ns : 0;
  const uint64_t density = rt_density (size, sum);
  return (struct rt_observation){ .size = size,
				  .accesses = sum->accesses,
				  .alloc_ns = alloc_ns,
				  .dealloc_ns = alloc_ns + lifetime_ns,
				  .lifetime_ns = lifetime_ns,
				  .access_density = density,
				  .lifetime_access_density
				  = rt_lifetime_density (density, lifetime_ns),
				  .utilization
				  = (uint32_t) rt_utilization (sum),
				  .alloc_cpu = rt_block_alloc_cpu (block),
				  .dealloc_cpu = (uint16_t) cpu };
}

/* Fold OBSERVATION into *INTO.  Return false, with nothing changed, if a wide
   record is needed.  */
bool rt_fold_narrow (struct heapprof_raw_mib *into,
		     const struct rt_observation *observation);

/* Do the same with *WIDE, the wide record of *INTO.  ESTIMATE is what a sample
   stands for; NULL: the block itself.  */
void rt_fold_wide (struct heapprof_raw_mib *into,
		   struct heapprof_raw_wide *wide,
		   const struct rt_observation *observation,
		   const struct rt_estimate *estimate);

/* Return the combined observations of *MIB and *WIDE, which may be NULL.  */
struct heapprof_raw_observations
rt_mib_observations (const struct heapprof_raw_mib *mib,
		     const struct heapprof_raw_wide *wide);

/* Return the blocks allocated by MIB number INDEX, whose contents are *MIB and
 *WIDE, minus those folded in.  */
struct heapprof_raw_live rt_mib_balance (uint32_t index,
					 const struct heapprof_raw_mib *mib,
					 const struct heapprof_raw_wide *wide);

#endif /* HEAPPROF_MIB_H */
