/* Folding an observation that is like the last one of the same MIB.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Many programs release blocks of a context that differ in nothing but their
   times, one after the other.  So each thread remembers the last observation of
   some of its MIBs.  When the same is seen again, its densities and utilization
   are known, they are within the MIB's ranges, and if the sums were found to be
   far from a carry, there is nothing to do except add: a third of the
   instructions of mib-fold.h.

   Whatever else changes a MIB's observations must forget what is remembered of
   it.  Only the thread that owns the MIB does that, or clears it for another
   epoch, which is part of the key.  */

#ifndef HEAPPROF_MIB_REPEAT_H
#define HEAPPROF_MIB_REPEAT_H

#include "mib-fold.h"

/* MIBs that are remembered at one time, by their numbers modulo this.  */
#define RT_REPEATS 64u

/* The number of repetitions after which the sums are looked at again.  */
#define RT_REPEAT_SHIFT 7

struct rt_repeat
{
  uint32_t mib; /* 0: none */
  uint32_t epoch;
  uint32_t size;
  uint32_t accesses;
  uint32_t granules;
  uint32_t accessed_granules;
  uint16_t cpu;
  uint16_t left;	   /* repetitions that may be added */
  uint32_t min_lifetime;   /* those of the MIB, or of lifetimes with the same */
  uint32_t lifetime_range; /* density; and maximum minus minimum */
  uint32_t density;
  uint32_t lifetime_density;
  uint32_t utilization;
};

/* Return where MIB number INDEX is remembered, if it is.  */
static inline struct rt_repeat *
rt_repeat_at (struct rt_repeat *repeats, uint32_t index)
{
  return &repeats[index % RT_REPEATS];
}

/* The observations of MIB number INDEX are about to change in another way.  */
static inline void
rt_repeat_forget (struct rt_repeat *repeats, uint32_t index)
{
  struct rt_repeat *const repeat = rt_repeat_at (repeats, index);
  if (repeat->mib == index)
    repeat->left = 0;
}

/* True if REPEAT has what the release of BLOCK has, whose counters added up to
   SUM.  */
static inline bool
rt_repeat_was_seen (const struct rt_repeat *repeat,
		    const struct rt_block *block,
		    const struct rt_shadow_sum *sum)
{
  return repeat->mib == block->mib && repeat->epoch == block->epoch
	 && repeat->size == block->size && repeat->accesses == sum->accesses
	 && repeat->granules == sum->granules
	 && repeat->accessed_granules == sum->accessed_granules;
}

/* True if the release of BLOCK, whose counters add up to SUM, at NOW_NS on CPU
   is a repetition that REPEAT allows to add to MIB, its own.  */
static inline bool
rt_repeat_is_like (const struct rt_repeat *repeat, const struct rt_block *block,
		   const struct rt_shadow_sum *sum, uint64_t now_ns,
		   uint32_t cpu, const struct heapprof_raw_mib *mib)
{
  return repeat->left != 0 && rt_repeat_was_seen (repeat, block, sum)
	 && repeat->cpu == cpu && repeat->cpu == block->cpu
	 && now_ns - block->alloc_ns - repeat->min_lifetime
	      <= repeat->lifetime_range
	 && now_ns < HEAPPROF_RAW_TIME_MASK
	 && block->alloc_ns >= (mib->first_alloc & HEAPPROF_RAW_TIME_MASK);
}

/* Add the repetition to MIB, which is being changed.  */
static inline void
rt_repeat_fold (struct rt_repeat *repeat, const struct rt_block *block,
		uint64_t now_ns, struct heapprof_raw_mib *mib)
{
  const uint32_t lifetime = (uint32_t) (now_ns - block->alloc_ns);
  const uint64_t last = mib->last_dealloc;
  const uint64_t overlaps = block->alloc_ns < (last & HEAPPROF_RAW_TIME_MASK);
  uint32_t same;
  uint64_t count;
  __builtin_memcpy (&same, &mib->same_alloc_cpu, sizeof same);
  __builtin_memcpy (&count, &mib->count, sizeof count);
  same += RT_SAME_CPU_BOTH;
  count += RT_COUNT_AND_UTILIZATION (repeat->utilization);
  mib->access_count.total += repeat->accesses;
  mib->size.total += repeat->size;
  mib->access_density.total += repeat->density;
  mib->lifetime_access_density.total += repeat->lifetime_density;
  mib->lifetime += lifetime + (overlaps << HEAPPROF_RAW_TIME_BITS);
  mib->last_dealloc = now_ns | (last & ~HEAPPROF_RAW_TIME_MASK);
  mib->last_lifetime_ns = lifetime;
  __builtin_memcpy (&mib->same_alloc_cpu, &same, sizeof same);
  __builtin_memcpy (&mib->count, &count, sizeof count);
  repeat->left--;
}

/* Let REPEAT, which has seen OBSERVATION before, have it added to MIB.  */
void rt_repeat_allow (struct rt_repeat *repeat,
		      const struct rt_observation *observation,
		      const struct heapprof_raw_mib *mib);

/* OBSERVATION of BLOCK, whose counters added up to SUM, was folded into MIB,
   its own: remember it.  Repetitions are added from the second time on.  */
static inline void
rt_repeat_remember (struct rt_repeat *repeat, const struct rt_block *block,
		    const struct rt_shadow_sum *sum,
		    const struct rt_observation *observation,
		    const struct heapprof_raw_mib *mib)
{
  if (rt_repeat_was_seen (repeat, block, sum))
    {
      rt_repeat_allow (repeat, observation, mib);
      return;
    }
  repeat->mib = block->mib;
  repeat->epoch = block->epoch;
  repeat->size = (uint32_t) block->size;
  repeat->accesses = (uint32_t) sum->accesses;
  repeat->granules = (uint32_t) sum->granules;
  repeat->accessed_granules = (uint32_t) sum->accessed_granules;
  repeat->left = 0;
}

#endif /* HEAPPROF_MIB_REPEAT_H */
