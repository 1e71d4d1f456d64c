/* Folding an observation that is within the ranges of its MIB.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Once a MIB has seen some blocks, the next ones seldom have a new minimum or
   maximum, except of times: of blocks that are released in the reverse order,
   as at the end of many programs, each has lived longer than all before.  So
   only sums and limits of times change, and if the sums were found to be so far
   from a carry that some more values of the known ranges can be added, nothing
   else has to be looked at.  Each thread remembers for some of its MIBs how
   many these are.  That takes half of the instructions of mib-fold.h.

   Whatever else changes a MIB's observations must forget what is remembered of
   it.  Only the thread that owns the MIB does that, or clears it for another
   epoch, which is remembered, too.  */

#ifndef HEAPPROF_MIB_FAMILIAR_H
#define HEAPPROF_MIB_FAMILIAR_H

#include "mib-fold.h"

/* MIBs that are remembered at one time, by their numbers modulo this.  */
#define RT_FAMILIARS 128u

struct rt_familiar
{
  uint32_t mib; /* 0: none */
  uint32_t epoch;
  uint16_t left; /* observations within the ranges that may be added */
  uint16_t cpu;	 /* of all events of the last block */
  /* What the last block had, which is within the ranges.  */
  uint32_t size;
  uint32_t accesses;
  uint32_t granules;
  uint32_t accessed_granules;
  uint32_t density;
  uint32_t utilization;
};

/* What an observation adds to the sums of a MIB, besides what the familiar
   has.  */
struct rt_addend
{
  uint32_t lifetime;
  uint32_t lifetime_density;
};

/* Return where MIB number INDEX is remembered, if it is.  */
static inline struct rt_familiar *
rt_familiar_at (struct rt_familiar *familiars, uint32_t index)
{
  return &familiars[index % RT_FAMILIARS];
}

/* The observations of MIB number INDEX are about to change in another way.  */
static inline void
rt_familiar_forget (struct rt_familiar *familiars, uint32_t index)
{
  struct rt_familiar *const familiar = rt_familiar_at (familiars, index);
  if (familiar->mib == index)
    familiar->left = 0;
}

/* True if VALUE is in RANGE, whose values all have 32 bits.  */
static inline bool
rt_familiar_is_in (const struct heapprof_raw_narrow_range *range,
		   uint64_t value)
{
  return value >= range->min && value <= range->max;
}

/* If a block of SIZE bytes whose counters add up to SUM is within the ranges of
   MIB, let FAMILIAR have it as its last one.  */
static inline __attribute__ ((always_inline)) bool
rt_familiar_see (struct rt_familiar *familiar, uint64_t size,
		 const struct rt_shadow_sum *sum,
		 const struct heapprof_raw_mib *mib)
{
  if (!rt_familiar_is_in (&mib->access_count, sum->accesses)
      || !rt_familiar_is_in (&mib->size, size))
    return false;
  const uint64_t last = mib->last_dealloc;
  const uint64_t density = rt_density (size, sum);
  const uint64_t utilization = rt_utilization (sum);
  if (!rt_familiar_is_in (&mib->access_density, density)
      || utilization < (uint8_t) (last >> HEAPPROF_RAW_TIME_BITS)
      || utilization > last >> (HEAPPROF_RAW_TIME_BITS + 8))
    return false;
  familiar->size = (uint32_t) size;
  familiar->accesses = (uint32_t) sum->accesses;
  familiar->granules = (uint32_t) sum->granules;
  familiar->accessed_granules = (uint32_t) sum->accessed_granules;
  familiar->density = (uint32_t) density;
  familiar->utilization = (uint32_t) utilization;
  return true;
}

/* True if the release of BLOCK of SIZE bytes, which is at ALLOC_NS if that was
   on CPU (rt_block_alloc_ns_on), and whose counters add up to SUM, in EPOCH at
   NOW_NS on CPU only adds to MIB, the block's own, as FAMILIAR allows.  Then
   set *ADDEND.  */
static inline __attribute__ ((always_inline)) bool
rt_familiar_knows (struct rt_familiar *familiar, const struct rt_block *block,
		   uint64_t size, uint64_t alloc_ns,
		   const struct rt_shadow_sum *sum, uint32_t epoch,
		   uint64_t now_ns, uint32_t cpu,
		   const struct heapprof_raw_mib *mib, struct rt_addend *addend)
{
  /* If it was on another CPU, this is greater than any lifetime.  */
  const uint64_t lifetime = now_ns - alloc_ns;
  if (familiar->left == 0 || familiar->mib != block->mib
      || familiar->epoch != epoch || familiar->cpu != cpu
      || lifetime >= UINT32_MAX || now_ns >= HEAPPROF_RAW_TIME_MASK)
    return false;
  if ((familiar->size != size || familiar->accesses != sum->accesses
       || familiar->granules != sum->granules
       || familiar->accessed_granules != sum->accessed_granules)
      && !rt_familiar_see (familiar, size, sum, mib))
    return false;
  const uint64_t density = rt_lifetime_density (familiar->density, lifetime);
  addend->lifetime = (uint32_t) lifetime;
  addend->lifetime_density = (uint32_t) density;
  return density <= mib->lifetime_access_density.max;
}

/* Add ADDEND, of a block from ALLOC_NS to NOW_NS, to MIB, which is being
   changed.  */
static inline __attribute__ ((always_inline)) void
rt_familiar_fold (struct rt_familiar *familiar, const struct rt_addend *addend,
		  uint64_t alloc_ns, uint64_t now_ns,
		  struct heapprof_raw_mib *mib)
{
  const uint64_t last = mib->last_dealloc;
  const uint64_t overlaps = alloc_ns < (last & HEAPPROF_RAW_TIME_MASK);
  const uint64_t alloc
    = alloc_ns | (uint64_t) familiar->cpu << HEAPPROF_RAW_TIME_BITS;
  uint32_t same;
  uint64_t count;
  __builtin_memcpy (&same, &mib->same_alloc_cpu, sizeof same);
  __builtin_memcpy (&count, &mib->count, sizeof count);
  same += RT_SAME_CPU_BOTH;
  count += RT_COUNT_AND_UTILIZATION (familiar->utilization);
  mib->access_count.total += familiar->accesses;
  mib->size.total += familiar->size;
  mib->access_density.total += familiar->density;
  mib->lifetime_access_density.total += addend->lifetime_density;
  if (addend->lifetime_density < mib->lifetime_access_density.min)
    mib->lifetime_access_density.min = addend->lifetime_density;
  mib->lifetime += addend->lifetime + (overlaps << HEAPPROF_RAW_TIME_BITS);
  if (addend->lifetime < mib->min_lifetime_ns)
    mib->min_lifetime_ns = addend->lifetime;
  if (addend->lifetime > mib->max_lifetime_ns)
    mib->max_lifetime_ns = addend->lifetime;
  /* The CPU is the same.  */
  if (alloc < mib->first_alloc)
    mib->first_alloc = alloc;
  mib->last_dealloc = now_ns | (last & ~HEAPPROF_RAW_TIME_MASK);
  mib->last_lifetime_ns = addend->lifetime;
  __builtin_memcpy (&mib->same_alloc_cpu, &same, sizeof same);
  __builtin_memcpy (&mib->count, &count, sizeof count);
  familiar->left--;
}

/* Let observations be added to MIB as far as its sums allow, after SEEN was
   folded in.  */
void rt_familiar_allow (struct rt_familiar *familiar,
			const struct rt_observation *seen,
			const struct heapprof_raw_mib *mib);

/* SEEN was folded into MIB number INDEX, in EPOCH: remember it, and the second
   time let others be added.  */
static inline void
rt_familiar_meet (struct rt_familiar *familiar, uint32_t index, uint32_t epoch,
		  const struct rt_observation *seen,
		  const struct heapprof_raw_mib *mib)
{
  if (familiar->mib == index && familiar->epoch == epoch)
    rt_familiar_allow (familiar, seen, mib);
  else
    {
      familiar->mib = index;
      familiar->epoch = epoch;
      familiar->left = 0;
    }
}

#endif /* HEAPPROF_MIB_FAMILIAR_H */
