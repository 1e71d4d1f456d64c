/* What happened between two profiles of one run.
   SPDX-License-Identifier: GPL-3.0-or-later

   Both are merged into one, whose contexts are then the same; the MIBs of the
   earlier one are set aside before those of the later one are added.  */

#include "heap-since.h"
#include "saturating.h"
#include <stdlib.h>

/* Subtract N from A.  A process that is killed takes what is known about its
   live blocks with it, so that A may be less.  */
static void
subtract (uint64_t *a, uint64_t n)
{
  *a = *a > n ? *a - n : 0;
}

static void
subtract_range (struct memory_info_range *a, const struct memory_info_range *n)
{
  subtract (&a->total, n->total);
  a->min = a->max = 0;
}

static void
subtract_variance (struct memory_info_variance *a,
		   const struct memory_info_variance *n)
{
  *a = memory_info_variance_of (memory_info_variance_value (a)
				- memory_info_variance_value (n));
}

/* Count the blocks of which only the allocation is known like other live ones:
   the earlier profile may know more about them.  */
static void
finish_blocks (struct memory_info *info)
{
  uint64_t count = info->unfinished_count;
  uint64_t bytes = info->unfinished_bytes;
  info->alloc_count = saturating_add (info->alloc_count, count);
  info->live_count = saturating_add (info->live_count, count);
  info->size_bytes.total = saturating_add (info->size_bytes.total, bytes);
  info->live_bytes = saturating_add (info->live_bytes, bytes);
  info->unfinished_count = info->unfinished_bytes = 0;
}

/* Subtract the blocks of N, which A has, too, from A.  */
static void
subtract_info (struct memory_info *a, const struct memory_info *n)
{
  struct memory_info earlier = *n;
  finish_blocks (a);
  finish_blocks (&earlier);
  subtract (&a->alloc_count, earlier.alloc_count);
  subtract_range (&a->access_count, &earlier.access_count);
  subtract_range (&a->size_bytes, &earlier.size_bytes);
  subtract_range (&a->lifetime_ns, &earlier.lifetime_ns);
  subtract_range (&a->utilization_percent, &earlier.utilization_percent);
  subtract_range (&a->access_density, &earlier.access_density);
  subtract_range (&a->lifetime_access_density,
		  &earlier.lifetime_access_density);
  subtract (&a->migrated_cpu, earlier.migrated_cpu);
  subtract (&a->lifetime_overlaps, earlier.lifetime_overlaps);
  subtract (&a->same_alloc_cpu, earlier.same_alloc_cpu);
  subtract (&a->same_dealloc_cpu, earlier.same_dealloc_cpu);
  subtract (&a->temporary_count, earlier.temporary_count);
  subtract (&a->lifetime_bytes, earlier.lifetime_bytes);
  subtract_variance (&a->count_variance, &earlier.count_variance);
  subtract_variance (&a->bytes_variance, &earlier.bytes_variance);
  subtract_variance (&a->access_variance, &earlier.access_variance);
}

/* True if INFO, after a subtraction, tells anything.  */
static bool
has_rest (const struct memory_info *info)
{
  return (info->alloc_count | info->size_bytes.total | info->access_count.total
	  | info->lifetime_ns.total | info->live_count | info->live_bytes
	  | info->peak_bytes | info->temporary_count)
	 != 0;
}

/* Move the MIBs of PROFILE to a new array.  NULL if memory is exhausted.  */
static struct memory_info *
take_infos (struct heap_profile *profile)
{
  uint32_t count = heap_profile_context_count (profile);
  struct memory_info *infos = calloc ((size_t) count + 1, sizeof *infos);
  if (infos == NULL)
    return NULL;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL)
	continue;
      infos[i] = *info;
      heap_profile_set_info (profile, i, NULL);
    }
  return infos;
}

/* Return how many blocks PROFILE has.  */
static uint64_t
count_blocks (const struct heap_profile *profile)
{
  uint32_t count = heap_profile_context_count (profile);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info != NULL)
	sum = saturating_add (sum, saturating_add (info->alloc_count,
						   info->unfinished_count));
    }
  return sum;
}

/* Subtract the blocks of INFOS, one for each of the first COUNT contexts, from
   those of PROFILE.  */
static void
subtract_infos (struct heap_profile *profile, const struct memory_info *infos,
		uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL)
	continue;
      struct memory_info rest = *info;
      subtract_info (&rest, &infos[i]);
      heap_profile_set_info (profile, i, has_rest (&rest) ? &rest : NULL);
    }
}

struct heap_profile *
heap_since (const struct heap_profile *later,
	    const struct heap_profile *earlier)
{
  const struct heap_totals *before = heap_profile_read_totals (earlier);
  struct heap_profile *profile = heap_profile_new ();
  struct memory_info *infos = NULL;
  bool is_done = profile != NULL && heap_profile_merge (profile, earlier);
  uint32_t count = is_done ? heap_profile_context_count (profile) : 0;
  if (is_done)
    infos = take_infos (profile);
  is_done = infos != NULL && heap_profile_merge (profile, later);
  bool has_begun_again = count_blocks (later) < count_blocks (earlier);
  if (is_done && !has_begun_again)
    subtract_infos (profile, infos, count);
  free (infos);
  if (!is_done)
    {
      heap_profile_free (profile);
      return NULL;
    }
  struct heap_totals *totals = heap_profile_totals (profile);
  *totals = *heap_profile_read_totals (later);
  if (!has_begun_again)
    {
      subtract (&totals->duration_ns, before->duration_ns);
      subtract (&totals->counted_bytes, before->counted_bytes);
      if (before->overall_runs == before->runs)
	subtract (&totals->overall_accesses, before->overall_accesses);
      else
	totals->overall_runs = 0;
    }
  return profile;
}
