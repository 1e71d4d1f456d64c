/* Conversion of a brief MIB to a MIB and its moment, shared by the writer
   (libheapprof) and the reader (libprofdata) of the raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All blocks of a brief MIB have one size, those folded in one number of
   accesses, and at most two utilizations.  So most sums are products, and
   extreme densities are those of extreme lifetimes.  */

#ifndef HEAPPROF_RAW_BRIEF_H
#define HEAPPROF_RAW_BRIEF_H

#include "heapprof/raw-mib.h"
#include <stdbool.h>

/* The positions of the numbers that share a word with a time or lifetimes.  */
#define HEAPPROF_RAW_BRIEF_LOWER HEAPPROF_RAW_TIME_BITS
#define HEAPPROF_RAW_BRIEF_UPPER (HEAPPROF_RAW_TIME_BITS + 8)
#define HEAPPROF_RAW_BRIEF_MORE_USED HEAPPROF_RAW_BRIEF_TOTAL_BITS

/* Return the time in WORD, and the two numbers above it.  */

static inline uint64_t
heapprof_raw_brief_time (uint64_t word)
{
  return word & HEAPPROF_RAW_TIME_MASK;
}

static inline uint8_t
heapprof_raw_brief_lower (uint64_t word)
{
  return (uint8_t) (word >> HEAPPROF_RAW_BRIEF_LOWER);
}

static inline uint8_t
heapprof_raw_brief_upper (uint64_t word)
{
  return (uint8_t) (word >> HEAPPROF_RAW_BRIEF_UPPER);
}

/* Return the word with all three.  */

static inline uint64_t
heapprof_raw_brief_word (uint64_t time, uint64_t lower, uint64_t upper)
{
  return time | lower << HEAPPROF_RAW_BRIEF_LOWER
	 | upper << HEAPPROF_RAW_BRIEF_UPPER;
}

/* Return the total of lifetimes in the word LIFETIME.  */

static inline uint64_t
heapprof_raw_brief_total (uint64_t lifetime)
{
  return lifetime & (((uint64_t) 1 << HEAPPROF_RAW_BRIEF_TOTAL_BITS) - 1);
}

/* Return the lifetimes in the word LIFETIME_BYTES.  */

static inline uint64_t
heapprof_raw_brief_lifetime_bytes (uint64_t word)
{
  return (uint64_t) ((int64_t) (word << 16) >> 16);
}

static inline bool
heapprof_raw_brief_is_grown (const struct heapprof_raw_brief *brief)
{
  return brief->state == HEAPPROF_RAW_GROWN;
}

/* True if BRIEF, which has not grown, has a lifetime that needs a wide
   record.  No total does otherwise.  */

static inline bool
heapprof_raw_brief_is_long (const struct heapprof_raw_brief *brief)
{
  return heapprof_raw_brief_time (brief->max_lifetime) >= UINT32_MAX
	 && brief->count > 0;
}

/* Return the access density of its blocks.  */

static inline uint32_t
heapprof_raw_brief_density (const struct heapprof_raw_brief *brief)
{
  return brief->accesses * 100u / (brief->size > 0 ? brief->size : 1u);
}

/* Return the density per time of such a block that lived for LIFETIME_NS.  */

static inline uint64_t
heapprof_raw_brief_lifetime_density (const struct heapprof_raw_brief *brief,
				     uint64_t lifetime_ns)
{
  const uint64_t density = heapprof_raw_brief_density (brief);
  const uint32_t ms = (uint32_t) (lifetime_ns / 1000000);
  return density * 1000 / (ms > 0 ? ms : 1);
}

static inline struct heapprof_raw_narrow_range
heapprof_raw_brief_range (uint32_t count, uint32_t value)
{
  const struct heapprof_raw_narrow_range range
    = { count * value, value, value };
  return range;
}

/* Set what MIB, otherwise zero, has of the blocks folded into BRIEF, whose
   origin is ORIGIN, and of their lifetimes what fits.  */

static inline void
heapprof_raw_brief_expand_observations (const struct heapprof_raw_brief *brief,
					const struct heapprof_raw_origin
					  *origin,
					struct heapprof_raw_mib *mib)
{
  const unsigned bits = HEAPPROF_RAW_TIME_BITS;
  const uint64_t min_used = heapprof_raw_brief_lower (brief->lifetime_bytes);
  const uint64_t max_used = heapprof_raw_brief_upper (brief->lifetime_bytes);
  const uint64_t more_used = brief->lifetime >> HEAPPROF_RAW_BRIEF_MORE_USED;
  const uint64_t min_ns = heapprof_raw_brief_time (brief->min_lifetime);
  const uint64_t max_ns = heapprof_raw_brief_time (brief->max_lifetime);
  const uint32_t others = brief->count - 1u;
  mib->count = brief->count;
  mib->migrated_cpu = heapprof_raw_brief_lower (brief->max_lifetime);
  mib->utilization_total
    = (uint32_t) (brief->count * min_used + more_used * (max_used - min_used));
  mib->access_count = heapprof_raw_brief_range (brief->count, brief->accesses);
  mib->size = heapprof_raw_brief_range (brief->count, brief->size);
  mib->lifetime = (brief->lifetime & HEAPPROF_RAW_TIME_MASK)
		  | (uint64_t) heapprof_raw_brief_upper (brief->max_lifetime)
		      << bits;
  mib->min_lifetime_ns = heapprof_raw_narrow_value (min_ns);
  mib->max_lifetime_ns = heapprof_raw_narrow_value (max_ns);
  mib->access_density
    = heapprof_raw_brief_range (brief->count,
				heapprof_raw_brief_density (brief));
  mib->lifetime_access_density.total = brief->lifetime_access_density;
  mib->lifetime_access_density.min
    = (uint32_t) heapprof_raw_brief_lifetime_density (brief, max_ns);
  mib->lifetime_access_density.max
    = (uint32_t) heapprof_raw_brief_lifetime_density (brief, min_ns);
  mib->same_alloc_cpu
    = (uint16_t) (others - heapprof_raw_brief_lower (brief->min_lifetime));
  mib->same_dealloc_cpu
    = (uint16_t) (others - heapprof_raw_brief_upper (brief->min_lifetime));
  mib->last_lifetime_ns
    = heapprof_raw_narrow_value (heapprof_raw_brief_time (brief
							    ->last_lifetime));
  mib->first_alloc
    = (origin->first_alloc & HEAPPROF_RAW_TIME_MASK)
      | (uint64_t) heapprof_raw_brief_lower (brief->last_lifetime) << bits;
  mib->first_dealloc
    = (origin->first_dealloc & HEAPPROF_RAW_TIME_MASK)
      | (uint64_t) heapprof_raw_brief_upper (brief->last_lifetime) << bits;
  mib->last_dealloc = heapprof_raw_brief_time (brief->last_dealloc)
		      | min_used << bits | max_used << (bits + 8);
}

/* Set *MIB and *MOMENT to what BRIEF, whose origin is ORIGIN, stands for,
   unless it has grown.  If it is long, that is what fits, and the rest is in
   heapprof_raw_brief_observations.  */

static inline void
heapprof_raw_brief_expand (const struct heapprof_raw_brief *brief,
			   const struct heapprof_raw_origin *origin,
			   struct heapprof_raw_mib *mib,
			   struct heapprof_raw_moment *moment)
{
  const struct heapprof_raw_mib empty
    = { .context = origin->context,
	.state = brief->state,
	.alloc_count = brief->alloc_count,
	.alloc_bytes = (uint64_t) brief->alloc_count * brief->size };
  const uint32_t live = heapprof_raw_brief_upper (brief->last_dealloc);
  const struct heapprof_raw_moment its_moment = {
    .number = brief->number,
    .count = live,
    .bytes = (uint64_t) live * brief->size,
    .lifetime_bytes = heapprof_raw_brief_lifetime_bytes (brief->lifetime_bytes),
    .temporary = heapprof_raw_brief_lower (brief->last_dealloc)
		 | (uint64_t) origin->first_bytes << HEAPPROF_RAW_TEMPORARY_BITS
  };
  *mib = empty;
  if (brief->count > 0)
    heapprof_raw_brief_expand_observations (brief, origin, mib);
  *moment = its_moment;
}

/* Return the observations of BRIEF, which *MIB was expanded from.  */

static inline struct heapprof_raw_observations
heapprof_raw_brief_observations (const struct heapprof_raw_brief *brief,
				 const struct heapprof_raw_mib *mib)
{
  struct heapprof_raw_observations all
    = heapprof_raw_mib_observations (mib, NULL);
  all.lifetime_ns.total = heapprof_raw_brief_total (brief->lifetime);
  all.lifetime_ns.min = heapprof_raw_brief_time (brief->min_lifetime);
  all.lifetime_ns.max = heapprof_raw_brief_time (brief->max_lifetime);
  all.last_alloc_ns
    = all.last_dealloc_ns - heapprof_raw_brief_time (brief->last_lifetime);
  return all;
}

#endif /* HEAPPROF_RAW_BRIEF_H */
