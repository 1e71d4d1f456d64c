/* Memory-info blocks: folding observations together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The rules are those of LLVM's MemProf, which compares each block with the
   one folded in before it.  */

#include "mib.h"
#include "sys.h"
#include <stdbool.h>

#define NS_PER_MS 1000000u

struct rt_observation
rt_observe (const struct rt_block *block, const struct rt_shadow_sum *sum,
	    uint64_t now_ns, uint32_t cpu)
{
  return (struct rt_observation) {
    .size = block->size,
    .alloc_ns = block->alloc_ns,
    .dealloc_ns = now_ns > block->alloc_ns ? now_ns : block->alloc_ns,
    .alloc_cpu = block->cpu,
    .dealloc_cpu = cpu,
    .sum = *sum
  };
}

static void
fold_range (struct heapprof_raw_range *range, uint64_t value, bool is_first)
{
  range->total += value;
  if (is_first || value < range->min)
    range->min = value;
  if (is_first || value > range->max)
    range->max = value;
}

static uint64_t
lifetime_density (uint64_t access_density, uint64_t lifetime_ns)
{
  const uint64_t lifetime_ms = lifetime_ns / NS_PER_MS;
  return access_density * 1000 / (lifetime_ms > 0 ? lifetime_ms : 1);
}

/* The fields that compare a block with the one folded in before.  */

static void
fold_sequence (struct heapprof_raw_observations *into,
	       const struct rt_observation *block, bool is_first)
{
  if (is_first || block->alloc_ns < into->first_alloc_ns)
    into->first_alloc_ns = block->alloc_ns;
  if (is_first)
    into->first_dealloc_ns = block->dealloc_ns;
  else
    {
      into->lifetime_overlaps += block->alloc_ns < into->last_dealloc_ns;
      into->same_alloc_cpu += block->alloc_cpu == into->alloc_cpu;
      into->same_dealloc_cpu += block->dealloc_cpu == into->dealloc_cpu;
    }
  into->migrated_cpu += block->alloc_cpu != block->dealloc_cpu;
  into->last_alloc_ns = block->alloc_ns;
  into->last_dealloc_ns = block->dealloc_ns;
  into->alloc_cpu = block->alloc_cpu;
  into->dealloc_cpu = block->dealloc_cpu;
}

void
rt_fold (struct heapprof_raw_observations *into,
	 const struct rt_observation *block)
{
  const bool is_first = into->count == 0;
  const uint64_t size = block->size > 0 ? block->size : 1;
  const uint64_t lifetime_ns = block->dealloc_ns - block->alloc_ns;
  const uint64_t density = block->sum.accesses * 100 / size;
  const uint64_t utilization
    = block->sum.accessed_granules * 100 / block->sum.granules;
  fold_range (&into->access_count, block->sum.accesses, is_first);
  fold_range (&into->size, size, is_first);
  fold_range (&into->lifetime_ns, lifetime_ns, is_first);
  fold_range (&into->utilization, utilization, is_first);
  fold_range (&into->access_density, density, is_first);
  fold_range (&into->lifetime_access_density,
	      lifetime_density (density, lifetime_ns), is_first);
  fold_sequence (into, block, is_first);
  into->count++;
}

void
rt_mib_begin (struct heapprof_raw_mib *mib)
{
  for (unsigned tries = 1;; tries++)
    {
      uint32_t sequence = __atomic_load_n (&mib->sequence, __ATOMIC_RELAXED);
      if (sequence % 2 == 0
	  && __atomic_compare_exchange_n (&mib->sequence, &sequence,
					  sequence + 1, true,
					  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
	return;
      if (tries % 64 == 0)
	sys_yield ();
    }
}

void
rt_mib_end (struct heapprof_raw_mib *mib)
{
  __atomic_store_n (&mib->sequence, mib->sequence + 1, __ATOMIC_RELEASE);
}
