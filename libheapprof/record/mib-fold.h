/* Folding the usual observation into a MIB, inline.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Most blocks of a context resemble earlier ones: no minimum or maximum
   changes, and the CPU is the same.  Then only sums change, which takes two
   thirds of the instructions that mib.c needs for any observation.  */

#ifndef HEAPPROF_MIB_FOLD_H
#define HEAPPROF_MIB_FOLD_H

#include "mib.h"

/* Values of at most this many bits are added to narrow sums of 32 bits; a sum's
   uppermost bit then changes at most once.  */
#define RT_NARROW_BITS 31

/* The uppermost bits of the two fields in the word `lifetime' of a MIB.  */
#define RT_LIFETIME_CARRIES                                                    \
  ((uint64_t) 1 << 63 | (uint64_t) 1 << (HEAPPROF_RAW_TIME_BITS - 1))

static inline bool
rt_is_in_range (const struct heapprof_raw_narrow_range *range, uint32_t value)
{
  return value >= range->min && value <= range->max;
}

/* Two adjacent numbers of a MIB as one: what is added to both, and their
   uppermost bits.  */
#define RT_SAME_CPU_BOTH 0x00010001u
#define RT_SAME_CPU_CARRIES 0x80008000u
#define RT_COUNT_AND_UTILIZATION_CARRIES 0x8000000080000000u

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RT_COUNT_AND_UTILIZATION(utilization)                                  \
  ((uint64_t) (utilization) << 32 | 1)
#else
#define RT_COUNT_AND_UTILIZATION(utilization)                                  \
  ((uint64_t) 1 << 32 | (utilization))
#endif

/* Fold BLOCK into *INTO if only sums change.  Return false, with nothing
   changed, if more does: see rt_fold_narrow.  */
static inline __attribute__ ((always_inline)) bool
rt_fold_usual (struct heapprof_raw_mib *into,
	       const struct rt_observation *block)
{
  const uint64_t alloc
    = block->alloc_ns | (uint64_t) block->alloc_cpu << HEAPPROF_RAW_TIME_BITS;
  const uint64_t last = into->last_dealloc;
  const uint32_t accesses = (uint32_t) block->accesses;
  const uint32_t size = (uint32_t) block->size;
  const uint32_t density = (uint32_t) block->access_density;
  const uint32_t lifetime_density = (uint32_t) block->lifetime_access_density;
  const uint32_t lifetime = (uint32_t) block->lifetime_ns;
  const uint64_t any = block->accesses | block->size | block->access_density
		       | block->lifetime_access_density;
  /* Times that do not fit, other CPUs.  */
  if ((any >> RT_NARROW_BITS | (block->lifetime_ns + 1) >> 32
       | ((alloc ^ into->first_alloc) | (alloc ^ into->first_dealloc)
	  | (block->dealloc_ns + 1))
	   >> HEAPPROF_RAW_TIME_BITS)
	!= 0
      || block->alloc_cpu != block->dealloc_cpu || into->count == 0
      || alloc < into->first_alloc
      || !rt_is_in_range (&into->access_count, accesses)
      || !rt_is_in_range (&into->size, size)
      || !rt_is_in_range (&into->access_density, density)
      || !rt_is_in_range (&into->lifetime_access_density, lifetime_density)
      || lifetime < into->min_lifetime_ns || lifetime > into->max_lifetime_ns
      || block->utilization < (uint8_t) (last >> HEAPPROF_RAW_TIME_BITS)
      || block->utilization > last >> (HEAPPROF_RAW_TIME_BITS + 8))
    return false;
  const uint32_t access_sum = into->access_count.total + accesses;
  const uint32_t size_sum = into->size.total + size;
  const uint32_t density_sum = into->access_density.total + density;
  const uint32_t lifetime_density_sum
    = into->lifetime_access_density.total + lifetime_density;
  const uint64_t overlaps = block->alloc_ns < (last & HEAPPROF_RAW_TIME_MASK);
  const uint64_t lifetime_sum
    = into->lifetime + lifetime + (overlaps << HEAPPROF_RAW_TIME_BITS);
  uint32_t same;
  uint64_t count;
  __builtin_memcpy (&same, &into->same_alloc_cpu, sizeof same);
  __builtin_memcpy (&count, &into->count, sizeof count);
  const uint32_t same_sum = same + RT_SAME_CPU_BOTH;
  const uint64_t count_sum
    = count + RT_COUNT_AND_UTILIZATION (block->utilization);
  const uint32_t carries
    = (access_sum ^ into->access_count.total) | (size_sum ^ into->size.total)
      | (density_sum ^ into->access_density.total)
      | (lifetime_density_sum ^ into->lifetime_access_density.total);
  if ((carries >> 31 | ((same_sum ^ same) & RT_SAME_CPU_CARRIES)) != 0
      || (((lifetime_sum ^ into->lifetime) & RT_LIFETIME_CARRIES)
	  | ((count_sum ^ count) & RT_COUNT_AND_UTILIZATION_CARRIES))
	   != 0)
    return false;
  into->access_count.total = access_sum;
  into->size.total = size_sum;
  into->access_density.total = density_sum;
  into->lifetime_access_density.total = lifetime_density_sum;
  into->lifetime = lifetime_sum;
  into->last_dealloc = block->dealloc_ns | (last & ~HEAPPROF_RAW_TIME_MASK);
  into->last_lifetime_ns = lifetime;
  __builtin_memcpy (&into->same_alloc_cpu, &same_sum, sizeof same_sum);
  __builtin_memcpy (&into->count, &count_sum, sizeof count_sum);
  return true;
}

#endif /* HEAPPROF_MIB_FOLD_H */
