/* Placement classes: which calling contexts' blocks belong together in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "placement.h"
#include <math.h>
#include <stdlib.h>

#define NS_PER_SECOND 1e9

struct ranked
{
  double density;
  double accesses;
};

/* Return the bytes of the blocks whose accesses are known.  */
static double
counted_bytes (const struct memory_info *info)
{
  return (double) info->size_bytes.total - (double) info->uncounted_bytes;
}

/* LLVM's short schema has no accesses, but their mean per byte and second of
   each block, times 100.  The estimate is exact for blocks that are alike.  */
static double
accesses_of (const struct memory_info *info)
{
  const double n = (double) info->alloc_count;
  if (info->access_count.total > 0 || !memory_info_is_counted (info))
    return (double) info->access_count.total;
  return (double) info->lifetime_access_density.total / 100 / n
	 * ((double) info->size_bytes.total / n)
	 * ((double) info->lifetime_ns.total / NS_PER_SECOND);
}

static double
mean_lifetime_ns (const struct memory_info *info)
{
  return (double) info->lifetime_ns.total / (double) info->alloc_count;
}

/* Return ACCESSES, which may be 0, per AMOUNT.  Blocks of no time or no bytes
   that were accessed anyway are infinitely dense.  */
static double
per_amount (double accesses, double amount)
{
  if (accesses == 0)
    return 0;
  return amount > 0 ? accesses / amount : INFINITY;
}

/* Return the accesses of INFO per byte that was allocated, which depends on
   nothing but the program and its input.  */
static double
density_of (const struct memory_info *info)
{
  return per_amount (accesses_of (info), counted_bytes (info));
}

/* Return the same per byte and nanosecond in memory.  Lifetimes are those of
   all blocks.  */
static double
density_in_time (const struct memory_info *info)
{
  const double accesses = accesses_of (info);
  const double mean_ns
    = (double) info->lifetime_ns.total / (double) info->alloc_count;
  const double byte_ns = counted_bytes (info) * mean_ns;
  return per_amount (accesses, byte_ns);
}

static bool
is_temporary (const struct placement_rules *rules,
	      const struct memory_info *info)
{
  return mean_lifetime_ns (info) <= rules->temporary_ns;
}

/* Sort by density, the greatest first.  */
static int
compare_ranked (const void *element1, const void *element2)
{
  const struct ranked *ranked1 = element1;
  const struct ranked *ranked2 = element2;
  return (ranked1->density < ranked2->density)
	 - (ranked1->density > ranked2->density);
}

double
placement_run_ns (uint64_t runs, uint64_t duration_ns, uint64_t longest_ns)
{
  const double longest = (double) longest_ns;
  const double mean = runs > 0 ? (double) duration_ns / (double) runs : 0;
  return mean > longest ? mean : longest;
}

/* Return the greatest mean lifetime of temporary blocks in runs of RUN_NS that
   allocate BYTES each.  */
static double
temporary_ns (double run_ns, double bytes)
{
  const double share = PLACEMENT_TEMPORARY_PERCENT / 100.0;
  const double share_of_bytes
    = bytes > 0 ? PLACEMENT_TEMPORARY_BYTES / bytes : share;
  return run_ns * (share < share_of_bytes ? share : share_of_bytes);
}

/* Sort the COUNT contexts RANKED, which have ACCESSES in total, and return the
   density of the last of those that have PLACEMENT_HOT_PERCENT of them.  */
static double
hot_cut (struct ranked *ranked, size_t count, double accesses)
{
  double sum = 0;
  double density = INFINITY;
  if (count > 1)
    qsort (ranked, count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < count && sum * 100 < accesses * PLACEMENT_HOT_PERCENT;
       i++)
    {
      density = ranked[i].density;
      sum += ranked[i].accesses;
    }
  return density;
}

/* The same for the first of those that have the last PLACEMENT_COLD_PERCENT of
   them; contexts of equal density are on one side.  -1 if there are none.  */
static double
cold_cut (struct ranked *ranked, size_t count, double accesses)
{
  double left = accesses;
  if (count > 1)
    qsort (ranked, count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < count; i++)
    {
      if (i > 0 && ranked[i].density < ranked[i - 1].density
	  && left * 100 <= accesses * PLACEMENT_COLD_PERCENT)
	return ranked[i].density;
      left -= ranked[i].accesses;
    }
  return accesses > 0 ? -1 : 0;
}

/* Rank the contexts that are not temporary, in both ways.  */
static bool
rank (struct placement_rules *rules, placement_info *info, const void *data,
      size_t count)
{
  struct ranked *by_bytes = malloc ((count + 1) * sizeof *by_bytes);
  struct ranked *by_time = malloc ((count + 1) * sizeof *by_time);
  size_t ranked = 0;
  double accesses = 0;
  bool is_done = by_bytes != NULL && by_time != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    {
      const struct memory_info *context = info (data, i);
      if (context == NULL || !memory_info_is_counted (context)
	  || is_temporary (rules, context))
	continue;
      const double its_accesses = accesses_of (context);
      by_bytes[ranked] = (struct ranked){ density_of (context), its_accesses };
      by_time[ranked++]
	= (struct ranked){ density_in_time (context), its_accesses };
      accesses += its_accesses;
    }
  if (is_done)
    {
      rules->hot_density = hot_cut (by_bytes, ranked, accesses);
      rules->cold_density = cold_cut (by_time, ranked, accesses);
    }
  free (by_bytes);
  free (by_time);
  return is_done;
}

bool
placement_rules_make (struct placement_rules *rules, uint64_t runs,
		      uint64_t duration_ns, placement_info *info,
		      const void *data, size_t count)
{
  uint64_t longest_ns = 0;
  double bytes = 0;
  *rules = (struct placement_rules){ 0 };
  for (size_t i = 0; i < count; i++)
    {
      const struct memory_info *context = info (data, i);
      if (context == NULL)
	continue;
      bytes += (double) context->size_bytes.total
	       + (double) context->unfinished_bytes;
      if (context->lifetime_ns.max > longest_ns)
	longest_ns = context->lifetime_ns.max;
      rules->has_accesses |= accesses_of (context) > 0;
    }
  const double run_ns = placement_run_ns (runs, duration_ns, longest_ns);
  rules->temporary_ns
    = temporary_ns (run_ns, runs > 1 ? bytes / (double) runs : bytes);
  rules->cold_ns = run_ns * PLACEMENT_COLD_LIFETIME_PERCENT / 100;
  return !rules->has_accesses || rank (rules, info, data, count);
}

enum placement_class
placement_class_of (const struct placement_rules *rules,
		    const struct memory_info *info)
{
  if (info->alloc_count == 0)
    return PLACEMENT_UNKNOWN;
  if (rules->temporary_ns > 0 && is_temporary (rules, info))
    return PLACEMENT_TEMPORARY;
  if (!rules->has_accesses || !memory_info_is_counted (info))
    return PLACEMENT_UNKNOWN;
  if (density_in_time (info) <= rules->cold_density
      && mean_lifetime_ns (info) >= rules->cold_ns)
    return PLACEMENT_COLD;
  return density_of (info) >= rules->hot_density ? PLACEMENT_HOT
						 : PLACEMENT_WARM;
}

const char *
placement_class_name (enum placement_class value)
{
  static const char *const names[PLACEMENT_CLASSES]
    = { [PLACEMENT_UNKNOWN] = "unknown",
	[PLACEMENT_TEMPORARY] = "temporary",
	[PLACEMENT_HOT] = "hot",
	[PLACEMENT_WARM] = "warm",
	[PLACEMENT_COLD] = "cold" };
  return names[value];
}
