/* Remembering the last observations of MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mib-repeat.h"

/* Lifetimes of less than this have the same density per time.  */
#define SHORT_NS 2000000u

/* Values up to this, added as often as repetitions are allowed, have fewer bits
   than a narrow sum.  */
#define VALUE_MAX ((1u << (RT_NARROW_BITS - RT_REPEAT_SHIFT)) - 1)

/* Bit 31 of the result is set if SUM may change its uppermost bit while
   repetitions of VALUE are added.  */

static uint32_t
may_carry (uint32_t sum, uint32_t value)
{
  return sum ^ (sum + (value << RT_REPEAT_SHIFT));
}

/* The same for a sum of 16 bits and bit 15, when at most 1 is added.  */

static uint32_t
may_carry_16 (uint32_t sum)
{
  return sum ^ (sum + (1u << RT_REPEAT_SHIFT));
}

/* True if the sums of MIB are far enough from a carry for repetitions of what
   REPEAT has.  */

static bool
has_room (const struct heapprof_raw_mib *mib, const struct rt_repeat *repeat,
	  uint32_t max_lifetime)
{
  const uint32_t carries
    = may_carry (mib->access_count.total, repeat->accesses)
      | may_carry (mib->size.total, repeat->size)
      | may_carry (mib->access_density.total, repeat->density)
      | may_carry (mib->lifetime_access_density.total, repeat->lifetime_density)
      | may_carry (mib->utilization_total, repeat->utilization)
      | may_carry (mib->count, 1);
  const uint32_t carries_16
    = may_carry_16 (mib->same_alloc_cpu) | may_carry_16 (mib->same_dealloc_cpu);
  const uint64_t lifetime
    = mib->lifetime + ((uint64_t) max_lifetime << RT_REPEAT_SHIFT)
      + ((uint64_t) 1 << (HEAPPROF_RAW_TIME_BITS + RT_REPEAT_SHIFT));
  return (carries >> 31 | (carries_16 >> 15 & 1)) == 0
	 && ((lifetime ^ mib->lifetime) & RT_LIFETIME_CARRIES) == 0;
}

void
rt_repeat_allow (struct rt_repeat *repeat,
		 const struct rt_observation *observation,
		 const struct heapprof_raw_mib *mib)
{
  const uint64_t density = observation->access_density;
  const uint64_t lifetime_density = density * 1000;
  uint32_t max_lifetime = mib->max_lifetime_ns;
  repeat->left = 0;
  if (density != 0 && max_lifetime >= SHORT_NS)
    max_lifetime = SHORT_NS - 1;
  if (max_lifetime == UINT32_MAX)
    max_lifetime--;
  repeat->cpu = observation->alloc_cpu;
  repeat->min_lifetime = mib->min_lifetime_ns;
  repeat->lifetime_range = max_lifetime - mib->min_lifetime_ns;
  repeat->density = (uint32_t) density;
  repeat->lifetime_density = (uint32_t) lifetime_density;
  repeat->utilization = observation->utilization;
  if ((observation->size | observation->accesses | lifetime_density)
	<= VALUE_MAX
      && observation->alloc_cpu == observation->dealloc_cpu
      && mib->min_lifetime_ns <= max_lifetime
      && rt_is_in_range (&mib->lifetime_access_density,
			 repeat->lifetime_density)
      && has_room (mib, repeat, max_lifetime))
    repeat->left = 1u << RT_REPEAT_SHIFT;
}
