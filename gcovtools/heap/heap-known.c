/* Which fields of a heap profile are known, as opposed to 0 because they were
   not measured.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-known.h"

struct heap_known
heap_known_of (const struct heap_totals *totals,
	       const struct memory_info *total)
{
  bool has_accesses = total->access_count.total > 0;
  return (struct heap_known){
    .has_blocks = total->alloc_count > 0 || total->unfinished_count > 0,
    .has_runs = totals->runs > 0,
    .has_leaks = totals->searched_runs > 0,
    .has_samples = totals->sampled_runs > 0,
    .sample_bytes = totals->sample_bytes,
    .has_moments = totals->timed_runs > 0,
    .has_lifetime_bytes
    = totals->runs > 0 && totals->counted_runs == totals->runs,
    .has_accesses = has_accesses,
    .has_density = has_accesses || total->access_density.total > 0,
    .has_lifetime_density
    = has_accesses || total->lifetime_access_density.total > 0,
    .has_utilization
    = total->utilization_percent.total > 0 && totals->totals_only_runs == 0
  };
}

struct heap_known
heap_known_of_profile (const struct heap_profile *profile)
{
  struct memory_info total = { 0 };
  if (profile == NULL)
    return (struct heap_known){ 0 };
  uint32_t count = heap_profile_context_count (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info != NULL)
	memory_info_add (&total, info);
    }
  return heap_known_of (heap_profile_read_totals (profile), &total);
}

bool
heap_known_has_sums (const struct memory_info *info)
{
  return info->alloc_count > 0 || info->unfinished_count == 0;
}

bool
heap_known_counts (const struct heap_known *known,
		   const struct memory_info *info)
{
  return known->has_accesses && memory_info_is_counted (info);
}

bool
heap_known_has_bounds (const struct memory_info *info,
		       const struct memory_info_range *range)
{
  return info->alloc_count > 0 && (range->max > 0 || range->total == 0);
}

bool
heap_known_has_times (const struct memory_info *info)
{
  return info->alloc_count > 0 && info->last_dealloc_ns > 0;
}
