/* Estimates of accesses that agree with the number of all accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   The nearest numbers are max (least, estimate - factor * variance), with the
   same factor for all contexts.  Their sum falls as the factor grows, and is
   convex, so that Newton's method from 0 on finds the factor in few steps, each
   of which sets aside contexts that have reached their least number.  */

#include "heap-calibrate.h"
#include <math.h>

/* What is left of an access by rounding.  */
#define LEAST_REST 1e-6

/* More steps change nothing.  */
#define MOST_STEPS 1000

/* Return the least number of accesses that the context of INFO has: those of
   one block, and all if they are not estimated.  */
static double
least_of (const struct memory_info *info)
{
  const double accesses = (double) info->access_count.total;
  return memory_info_variance_value (&info->access_variance) > 0
	   ? fmin (accesses, (double) info->access_count.max)
	   : accesses;
}

/* Return the accesses of INFO's context with FACTOR.  */
static double
lowered (const struct memory_info *info, double factor)
{
  return fmax (least_of (info),
	       (double) info->access_count.total
		 - factor
		     * memory_info_variance_value (&info->access_variance));
}

/* Return the next factor after FACTOR with which PROFILE has MOST accesses in
   total, if none reaches its least number; FACTOR if there is none.  */
static double
next_factor (const struct heap_profile *profile, double factor, double most)
{
  const uint32_t count = heap_profile_context_count (profile);
  double sum = 0;
  double slope = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL)
	continue;
      const double accesses = lowered (info, factor);
      sum += accesses;
      if (accesses > least_of (info))
	slope += memory_info_variance_value (&info->access_variance);
    }
  return sum > most && slope > 0 ? factor + (sum - most) / slope : factor;
}

static uint64_t
part_of (uint64_t total, double part)
{
  return (uint64_t) ((double) total * part);
}

/* Return true if all runs of PROFILE know how many accesses they had, and all
   blocks of its contexts have numbers of accesses.  */
static bool
is_known (const struct heap_profile *profile)
{
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  const uint32_t count = heap_profile_context_count (profile);
  if (totals->runs == 0 || totals->overall_runs != totals->runs
      || totals->overall_accesses == UINT64_MAX)
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info != NULL && info->uncounted_count > 0)
	return false;
    }
  return true;
}

/* Lower the numbers of *INFO with FACTOR; densities are in proportion.  What is
   less than an access is in *REST for the next one: many contexts have few
   accesses, whose sum would be wrong.  */
static void
lower (struct memory_info *info, double factor, double *rest)
{
  const double accesses = lowered (info, factor);
  if (!(accesses < (double) info->access_count.total))
    return;
  const double whole = floor (accesses + *rest + LEAST_REST);
  const double part = whole / (double) info->access_count.total;
  *rest += accesses - whole;
  info->access_count.total = (uint64_t) whole;
  info->access_density.total = part_of (info->access_density.total, part);
  info->lifetime_access_density.total
    = part_of (info->lifetime_access_density.total, part);
}

void
heap_calibrate (struct heap_profile *profile)
{
  const uint32_t count = heap_profile_context_count (profile);
  if (!is_known (profile))
    return;
  const double most
    = (double) heap_profile_read_totals (profile)->overall_accesses;
  double factor = 0;
  double rest = 0;
  for (int i = 0; i < MOST_STEPS; i++)
    {
      const double next = next_factor (profile, factor, most);
      if (!(next > factor))
	break;
      factor = next;
    }
  for (uint32_t i = 0; i < count && factor > 0; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL || info->access_count.total == 0)
	continue;
      struct memory_info own = *info;
      lower (&own, factor, &rest);
      heap_profile_set_info (profile, i, &own);
    }
}
