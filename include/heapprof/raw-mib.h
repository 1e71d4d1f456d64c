/* Conversion of a MIB's narrow fields to full numbers and back, shared by the
   writer (libheapprof) and the reader (libprofdata) of the raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   raw-format.h describes the narrow fields, and where the remaining bits
   are.  */

#ifndef HEAPPROF_RAW_MIB_H
#define HEAPPROF_RAW_MIB_H

#include "heapprof/raw-format.h"
#include <stdbool.h>
#include <stddef.h>

/* Return the sum whose lower BITS bits are NARROW, and which was WIDE when the
   uppermost of those bits changed last.  */

static inline uint64_t
heapprof_raw_whole_sum (uint64_t wide, uint64_t narrow, unsigned bits)
{
  const uint64_t mask = ((uint64_t) 1 << bits) - 1;
  return wide + ((narrow - wide) & mask);
}

/* Return NARROW, or WIDE if all bits of NARROW, MASK, are set.  */

static inline uint64_t
heapprof_raw_whole_value (uint64_t wide, uint64_t narrow, uint64_t mask)
{
  return narrow == mask ? wide : narrow;
}

static inline struct heapprof_raw_range
heapprof_raw_whole_range (const struct heapprof_raw_range *wide,
			  const struct heapprof_raw_narrow_range *narrow)
{
  const struct heapprof_raw_range whole
    = { heapprof_raw_whole_sum (wide->total, narrow->total, 32),
	heapprof_raw_whole_value (wide->min, narrow->min, UINT32_MAX),
	heapprof_raw_whole_value (wide->max, narrow->max, UINT32_MAX) };
  return whole;
}

/* Return the time in the lower bits of WORD.  */

static inline uint64_t
heapprof_raw_whole_time (uint64_t wide, uint64_t word)
{
  return heapprof_raw_whole_value (wide, word & HEAPPROF_RAW_TIME_MASK,
				   HEAPPROF_RAW_TIME_MASK);
}

/* Return the observations in *MIB combined with WIDE, those of its wide record;
   WIDE is NULL if it has none.  */

static inline __attribute__ ((always_inline)) struct heapprof_raw_observations
heapprof_raw_mib_observations (const struct heapprof_raw_mib *mib,
			       const struct heapprof_raw_observations *wide)
{
  static const struct heapprof_raw_observations none;
  const unsigned bits = HEAPPROF_RAW_TIME_BITS;
  if (wide == NULL)
    wide = &none;
  struct heapprof_raw_observations whole = {
    .count = heapprof_raw_whole_sum (wide->count, mib->count, 32),
    .access_count
    = heapprof_raw_whole_range (&wide->access_count, &mib->access_count),
    .size = heapprof_raw_whole_range (&wide->size, &mib->size),
    .lifetime_ns
    = { heapprof_raw_whole_sum (wide->lifetime_ns.total, mib->lifetime, bits),
	heapprof_raw_whole_value (wide->lifetime_ns.min, mib->min_lifetime_ns,
				  UINT32_MAX),
	heapprof_raw_whole_value (wide->lifetime_ns.max, mib->max_lifetime_ns,
				  UINT32_MAX) },
    .utilization
    = { heapprof_raw_whole_sum (wide->utilization.total, mib->utilization_total,
				32),
	mib->last_dealloc >> bits & 0xff, mib->last_dealloc >> (bits + 8) },
    .access_density
    = heapprof_raw_whole_range (&wide->access_density, &mib->access_density),
    .lifetime_access_density
    = heapprof_raw_whole_range (&wide->lifetime_access_density,
				&mib->lifetime_access_density),
    .first_alloc_ns
    = heapprof_raw_whole_time (wide->first_alloc_ns, mib->first_alloc),
    .first_dealloc_ns
    = heapprof_raw_whole_time (wide->first_dealloc_ns, mib->first_dealloc),
    .last_dealloc_ns
    = heapprof_raw_whole_time (wide->last_dealloc_ns, mib->last_dealloc),
    .alloc_cpu = (uint32_t) (mib->first_alloc >> bits),
    .dealloc_cpu = (uint32_t) (mib->first_dealloc >> bits),
    .migrated_cpu
    = heapprof_raw_whole_sum (wide->migrated_cpu, mib->migrated_cpu, 16),
    .lifetime_overlaps = heapprof_raw_whole_sum (wide->lifetime_overlaps,
						 mib->lifetime >> bits, 16),
    .same_alloc_cpu
    = heapprof_raw_whole_sum (wide->same_alloc_cpu, mib->same_alloc_cpu, 16),
    .same_dealloc_cpu
    = heapprof_raw_whole_sum (wide->same_dealloc_cpu, mib->same_dealloc_cpu, 16)
  };
  whole.last_alloc_ns = mib->last_lifetime_ns == UINT32_MAX
			  ? wide->last_alloc_ns
			  : whole.last_dealloc_ns - mib->last_lifetime_ns;
  return whole;
}

/* Return NUMBER in 16 bits, rounded down: below 1024 itself; otherwise its
   upper 11 bits without the uppermost one, and above these how many bits are
   missing, plus 1.  */

static inline uint16_t
heapprof_raw_small (uint64_t number)
{
  if (number < 1024)
    return (uint16_t) number;
  const unsigned missing = 53u - (unsigned) __builtin_clzll (number);
  return (uint16_t) ((missing + 1) << 10 | (number >> missing & 1023));
}

/* Return the number that SMALL stands for.  UINT16_MAX is no number.  */

static inline uint64_t
heapprof_raw_from_small (uint16_t small)
{
  const unsigned shift = small >> 10;
  const uint64_t low = small & 1023;
  if (shift == 0)
    return low;
  return shift > 54 ? UINT64_MAX : (low | 1024) << (shift - 1);
}

/* Return VALUE, or all bits set if it does not fit.  */

static inline uint32_t
heapprof_raw_narrow_value (uint64_t value)
{
  return value < UINT32_MAX ? (uint32_t) value : UINT32_MAX;
}

static inline uint64_t
heapprof_raw_narrow_time (uint64_t time)
{
  return time < HEAPPROF_RAW_TIME_MASK ? time : HEAPPROF_RAW_TIME_MASK;
}

/* Set *NARROW to the part of *WHOLE that fits.  Return 0 if all of it does.  */

static inline uint64_t
heapprof_raw_set_range (struct heapprof_raw_narrow_range *narrow,
			const struct heapprof_raw_range *whole)
{
  narrow->total = (uint32_t) whole->total;
  narrow->min = heapprof_raw_narrow_value (whole->min);
  narrow->max = heapprof_raw_narrow_value (whole->max);
  return (whole->total | whole->min | whole->max) >> 32
	 | (narrow->min == UINT32_MAX) | (narrow->max == UINT32_MAX);
}

/* Set *MIB to the part of *WHOLE that fits, the count last.  Return true if all
   of it does; otherwise a wide record must hold *WHOLE.  */

static inline bool
heapprof_raw_set_mib (struct heapprof_raw_mib *mib,
		      const struct heapprof_raw_observations *whole)
{
  const unsigned bits = HEAPPROF_RAW_TIME_BITS;
  const uint64_t last_lifetime_ns
    = whole->last_dealloc_ns - whole->last_alloc_ns;
  uint64_t rest
    = heapprof_raw_set_range (&mib->access_count, &whole->access_count)
      | heapprof_raw_set_range (&mib->size, &whole->size)
      | heapprof_raw_set_range (&mib->access_density, &whole->access_density)
      | heapprof_raw_set_range (&mib->lifetime_access_density,
				&whole->lifetime_access_density);
  /* Both sums in one store.  */
  mib->lifetime = (whole->lifetime_ns.total & HEAPPROF_RAW_TIME_MASK)
		  | whole->lifetime_overlaps << bits;
  mib->min_lifetime_ns = heapprof_raw_narrow_value (whole->lifetime_ns.min);
  mib->max_lifetime_ns = heapprof_raw_narrow_value (whole->lifetime_ns.max);
  mib->utilization_total = (uint32_t) whole->utilization.total;
  mib->migrated_cpu = (uint16_t) whole->migrated_cpu;
  mib->same_alloc_cpu = (uint16_t) whole->same_alloc_cpu;
  mib->same_dealloc_cpu = (uint16_t) whole->same_dealloc_cpu;
  mib->last_lifetime_ns = heapprof_raw_narrow_value (last_lifetime_ns);
  mib->first_alloc = heapprof_raw_narrow_time (whole->first_alloc_ns)
		     | (uint64_t) whole->alloc_cpu << bits;
  mib->first_dealloc = heapprof_raw_narrow_time (whole->first_dealloc_ns)
		       | (uint64_t) whole->dealloc_cpu << bits;
  mib->last_dealloc = heapprof_raw_narrow_time (whole->last_dealloc_ns)
		      | whole->utilization.min << bits
		      | whole->utilization.max << (bits + 8);
  mib->count = (uint32_t) whole->count;
  rest
    |= whole->lifetime_ns.total >> bits | whole->lifetime_overlaps >> 16
       | (mib->min_lifetime_ns == UINT32_MAX)
       | (mib->max_lifetime_ns == UINT32_MAX) | whole->count >> 32
       | whole->utilization.total >> 32
       | (whole->migrated_cpu | whole->same_alloc_cpu | whole->same_dealloc_cpu)
	   >> 16
       | (mib->last_lifetime_ns == UINT32_MAX)
       | (whole->first_alloc_ns >= HEAPPROF_RAW_TIME_MASK)
       | (whole->first_dealloc_ns >= HEAPPROF_RAW_TIME_MASK)
       | (whole->last_dealloc_ns >= HEAPPROF_RAW_TIME_MASK);
  return rest == 0;
}

#endif /* HEAPPROF_RAW_MIB_H */
