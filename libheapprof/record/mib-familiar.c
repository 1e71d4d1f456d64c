/* How many observations may be added to the sums of a MIB.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mib-familiar.h"

/* Numbers of observations to try, as powers of two.  */
#define MANY_SHIFT 7
#define FEW_SHIFT 3

/* Bit 31 of the result is set if SUM may change its uppermost bit, or VALUE has
   too many bits, when 2^SHIFT values of at most VALUE are added.  */

static uint32_t
may_carry (uint32_t sum, uint32_t value, unsigned shift)
{
  const uint64_t most = (uint64_t) value << shift;
  return (sum ^ (sum + (uint32_t) most))
	 | (most >> RT_NARROW_BITS != 0 ? UINT32_C (1) << 31 : 0);
}

/* The same for a sum of 16 bits and bit 15, when at most 1 is added each
   time.  */

static uint32_t
may_carry_16 (uint32_t sum, unsigned shift)
{
  return sum ^ (sum + (1u << shift));
}

/* True if 2^SHIFT observations within the ranges of MIB, with any lifetimes of
   32 bits, may be added to its sums.  */

static bool
has_room (const struct heapprof_raw_mib *mib, unsigned shift)
{
  const uint32_t utilization
    = (uint32_t) (mib->last_dealloc >> (HEAPPROF_RAW_TIME_BITS + 8));
  const uint32_t carries
    = may_carry (mib->access_count.total, mib->access_count.max, shift)
      | may_carry (mib->size.total, mib->size.max, shift)
      | may_carry (mib->access_density.total, mib->access_density.max, shift)
      | may_carry (mib->lifetime_access_density.total,
		   mib->lifetime_access_density.max, shift)
      | may_carry (mib->utilization_total, utilization, shift)
      | may_carry (mib->count, 1, shift);
  const uint32_t carries_16 = may_carry_16 (mib->same_alloc_cpu, shift)
			      | may_carry_16 (mib->same_dealloc_cpu, shift);
  const uint64_t lifetime
    = mib->lifetime + ((uint64_t) UINT32_MAX << shift)
      + ((uint64_t) 1 << (HEAPPROF_RAW_TIME_BITS + shift));
  return (carries >> 31 | (carries_16 >> 15 & 1)) == 0
	 && ((lifetime ^ mib->lifetime) & RT_LIFETIME_CARRIES) == 0;
}

void
rt_familiar_allow (struct rt_familiar *familiar,
		   const struct rt_observation *seen,
		   const struct heapprof_raw_mib *mib)
{
  familiar->cpu = seen->alloc_cpu;
  familiar->left = 0;
  /* No block has so many; the next one is looked at.  */
  familiar->granules = 0;
  if (seen->alloc_cpu != seen->dealloc_cpu)
    return;
  if (has_room (mib, MANY_SHIFT))
    familiar->left = 1u << MANY_SHIFT;
  else if (has_room (mib, FEW_SHIFT))
    familiar->left = 1u << FEW_SHIFT;
}
