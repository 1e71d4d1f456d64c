/* Conversion of a brief MIB to a MIB and its moment, shared by the writer
   (libheapprof) and the reader (libprofdata) of the raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All blocks of a brief MIB have one size, those folded in one number of
   accesses, and at most two utilizations.  So most sums are products, and
   extreme densities are those of extreme lifetimes.  */

#ifndef HEAPPROF_RAW_BRIEF_H
#define HEAPPROF_RAW_BRIEF_H

#include "heapprof/raw-format.h"
#include <stdbool.h>

/* The positions of the numbers that share a word with a time.  */
#define HEAPPROF_RAW_BRIEF_TOTAL_MASK                                          \
  (((uint64_t) 1 << HEAPPROF_RAW_BRIEF_TOTAL_BITS) - 1)
#define HEAPPROF_RAW_BRIEF_OTHER_ALLOC HEAPPROF_RAW_BRIEF_TOTAL_BITS
#define HEAPPROF_RAW_BRIEF_OTHER_DEALLOC (HEAPPROF_RAW_BRIEF_TOTAL_BITS + 8)
#define HEAPPROF_RAW_BRIEF_MORE_USED (HEAPPROF_RAW_BRIEF_TOTAL_BITS + 16)
#define HEAPPROF_RAW_BRIEF_TEMPORARY HEAPPROF_RAW_TIME_BITS
#define HEAPPROF_RAW_BRIEF_LIVE (HEAPPROF_RAW_TIME_BITS + 8)
#define HEAPPROF_RAW_BRIEF_FIRST HEAPPROF_RAW_TIME_BITS
#define HEAPPROF_RAW_BRIEF_MIN_USED 48
#define HEAPPROF_RAW_BRIEF_MAX_USED 56

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

/* Return the access density of its blocks.  */

static inline uint32_t
heapprof_raw_brief_density (const struct heapprof_raw_brief *brief)
{
  return brief->accesses * 100u / (brief->size > 0 ? brief->size : 1u);
}

/* Return the density per time of such a block that lived for LIFETIME_NS.  */

static inline uint64_t
heapprof_raw_brief_lifetime_density (const struct heapprof_raw_brief *brief,
				     uint32_t lifetime_ns)
{
  const uint64_t density = heapprof_raw_brief_density (brief);
  const uint32_t ms = lifetime_ns / 1000000;
  return density * 1000 / (ms > 0 ? ms : 1);
}

static inline struct heapprof_raw_narrow_range
heapprof_raw_brief_range (uint32_t count, uint32_t value)
{
  const struct heapprof_raw_narrow_range range
    = { count * value, value, value };
  return range;
}

/* Set what MIB, otherwise zero, has of the blocks folded into BRIEF.  */

static inline void
heapprof_raw_brief_expand_observations (const struct heapprof_raw_brief *brief,
					struct heapprof_raw_mib *mib)
{
  const unsigned bits = HEAPPROF_RAW_TIME_BITS;
  const uint64_t min_used
    = brief->lifetime_bytes >> HEAPPROF_RAW_BRIEF_MIN_USED & 0xff;
  const uint64_t max_used
    = brief->lifetime_bytes >> HEAPPROF_RAW_BRIEF_MAX_USED;
  const uint64_t more_used = brief->lifetime >> HEAPPROF_RAW_BRIEF_MORE_USED;
  const uint64_t first_alloc = brief->first_alloc & HEAPPROF_RAW_TIME_MASK;
  const uint32_t others = brief->count - 1u;
  mib->count = brief->count;
  mib->migrated_cpu = brief->migrated_cpu;
  mib->utilization_total
    = (uint32_t) (brief->count * min_used + more_used * (max_used - min_used));
  mib->access_count = heapprof_raw_brief_range (brief->count, brief->accesses);
  mib->size = heapprof_raw_brief_range (brief->count, brief->size);
  mib->lifetime = (brief->lifetime & HEAPPROF_RAW_BRIEF_TOTAL_MASK)
		  | (uint64_t) brief->lifetime_overlaps << bits;
  mib->min_lifetime_ns = brief->min_lifetime_ns;
  mib->max_lifetime_ns = brief->max_lifetime_ns;
  mib->access_density
    = heapprof_raw_brief_range (brief->count,
				heapprof_raw_brief_density (brief));
  mib->lifetime_access_density.total = brief->lifetime_access_density;
  mib->lifetime_access_density.min
    = (uint32_t) heapprof_raw_brief_lifetime_density (brief,
						      brief->max_lifetime_ns);
  mib->lifetime_access_density.max
    = (uint32_t) heapprof_raw_brief_lifetime_density (brief,
						      brief->min_lifetime_ns);
  mib->same_alloc_cpu
    = (uint16_t) (others
		  - (brief->lifetime >> HEAPPROF_RAW_BRIEF_OTHER_ALLOC & 0xff));
  mib->same_dealloc_cpu
    = (uint16_t) (others
		  - (brief->lifetime >> HEAPPROF_RAW_BRIEF_OTHER_DEALLOC
		     & 0xff));
  mib->last_lifetime_ns = brief->last_lifetime_ns;
  mib->first_alloc = first_alloc | (uint64_t) brief->alloc_cpu << bits;
  mib->first_dealloc
    = ((first_alloc + brief->first_lifetime_ns) & HEAPPROF_RAW_TIME_MASK)
      | (uint64_t) brief->dealloc_cpu << bits;
  mib->last_dealloc = (brief->last_dealloc & HEAPPROF_RAW_TIME_MASK)
		      | min_used << bits | max_used << (bits + 8);
}

/* Set *MIB and *MOMENT to what BRIEF stands for, unless it has grown.  */

static inline void
heapprof_raw_brief_expand (const struct heapprof_raw_brief *brief,
			   struct heapprof_raw_mib *mib,
			   struct heapprof_raw_moment *moment)
{
  const struct heapprof_raw_mib empty
    = { .context = brief->context,
	.state = brief->state,
	.alloc_count = brief->alloc_count,
	.alloc_bytes = (uint64_t) brief->alloc_count * brief->size };
  const uint32_t live
    = (uint32_t) (brief->first_alloc >> HEAPPROF_RAW_BRIEF_LIVE);
  const struct heapprof_raw_moment its_moment = {
    .number = brief->number,
    .count = live,
    .bytes = (uint64_t) live * brief->size,
    .lifetime_bytes = heapprof_raw_brief_lifetime_bytes (brief->lifetime_bytes),
    .temporary = (brief->first_alloc >> HEAPPROF_RAW_BRIEF_TEMPORARY & 0xff)
		 | brief->last_dealloc >> HEAPPROF_RAW_BRIEF_FIRST
					    << HEAPPROF_RAW_TEMPORARY_BITS
  };
  *mib = empty;
  if (brief->count > 0)
    heapprof_raw_brief_expand_observations (brief, mib);
  *moment = its_moment;
}

#endif /* HEAPPROF_RAW_BRIEF_H */
