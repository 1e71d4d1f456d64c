/* Overlap of the counters of two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions match if name and hash do; they can be compared if they have the
   same numbers of counters and sites.  The program's shares refer to the sums
   of all counters, a function's shares to its own.  */

#include "overlap.h"
#include "function-name.h"
#include "function-sums.h"
#include <stdlib.h>
#include <string.h>

/* Return true if FUNCTION of PROFILE takes part.  Pseudo counts such as `hot'
   do not.  */
static bool
is_compared (const struct counter_profile *profile,
	     const struct counter_function *function, bool context_sensitive)
{
  bool is_second = (function->hash & COUNTER_HASH_CONTEXT_SENSITIVE) != 0;
  return (!function->shape.is_pseudo
	  && (!(counter_profile_flags (profile) & COUNTER_IR)
	      || is_second == context_sensitive));
}

static void
sum_profile (struct overlap_counters *overlap, int side, bool context_sensitive)
{
  const struct counter_profile *profile = overlap->profiles[side];
  uint32_t count = counter_profile_function_count (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_function *function
	= counter_profile_function (profile, i);
      if (!is_compared (profile, function, context_sensitive))
	continue;
      struct function_sums sums = function_sums_of (function);
      overlap->counts.sums[side] += (double) sums.counts;
      for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
	overlap->values[kind].sums[side] += (double) sums.values[kind];
    }
}

static double
share (uint64_t part, double sum)
{
  return sum >= 1 ? (double) part / sum : 0;
}

/* Add a function of profile SIDE, with SUMS, that has no counterpart.  */
static void
add_only (struct overlap_counters *overlap, int side,
	  const struct function_sums *sums)
{
  overlap->functions.only[side]++;
  overlap->counts.only[side]
    += share (sums->counts, overlap->counts.sums[side]);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    overlap->values[kind].only[side]
      += share (sums->values[kind], overlap->values[kind].sums[side]);
}

/* Add a function of the test profile, with SUMS, whose counterpart cannot be
   compared.  */
static void
add_mismatch (struct overlap_counters *overlap,
	      const struct function_sums *sums)
{
  overlap->functions.mismatched++;
  overlap->counts.mismatch
    += share (sums->counts, overlap->counts.sums[OVERLAP_TEST]);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    overlap->values[kind].mismatch
      += share (sums->values[kind], overlap->values[kind].sums[OVERLAP_TEST]);
}

static void
add_site (struct overlap_measure *measure,
	  const struct counter_value_site *base,
	  const struct counter_value_site *test)
{
  uint32_t i = 0;
  uint32_t k = 0;
  while (i < base->count && k < test->count)
    if (base->values[i].value < test->values[k].value)
      i++;
    else if (base->values[i].value > test->values[k].value)
      k++;
    else
      overlap_measure_add (measure, (uint64_t[]){ base->values[i++].count,
						  test->values[k++].count });
}

/* Add the matching functions BASE and TEST to COUNTS and VALUES.  */
static void
add_function (struct overlap_measure *counts, struct overlap_measure *values,
	      const struct counter_function *base,
	      const struct counter_function *test)
{
  for (uint32_t i = 0; i < test->shape.counter_count; i++)
    overlap_measure_add (counts,
			 (uint64_t[]){ base->counters[i], test->counters[i] });
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < test->shape.site_counts[kind]; i++)
      add_site (&values[kind], &base->sites[kind][i], &test->sites[kind][i]);
}

/* Return true if TEST is to be listed separately.  */
static bool
is_listed (const struct overlap_counters *overlap,
	   const struct overlap_counter_options *options,
	   const struct counter_function *test)
{
  const char *name
    = counter_profile_name (overlap->profiles[OVERLAP_TEST], test->name);
  if (options->function != NULL
      && function_name_matches (name, options->function))
    return true;
  for (uint32_t i = 0; i < test->shape.counter_count; i++)
    if (test->counters[i] >= options->value_cutoff)
      return true;
  return false;
}

static void
list_function (struct overlap_counters *overlap,
	       const struct counter_function *base,
	       const struct counter_function *test)
{
  struct overlap_function *listed = &overlap->listed[overlap->listed_count++];
  const struct counter_function *functions[2] = { base, test };
  *listed = (struct overlap_function){ .function = test };
  for (int side = 0; side < 2; side++)
    {
      struct function_sums sums = function_sums_of (functions[side]);
      listed->counts.sums[side] = (double) sums.counts;
      for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
	listed->values[kind].sums[side] = (double) sums.values[kind];
    }
  add_function (&listed->counts, listed->values, base, test);
}

/* Return the first record for FUNCTION's name in the profile opposite to SIDE;
   NULL if there is none.  */
static const struct counter_function *
find_name (const struct overlap_counters *overlap, int side,
	   const struct counter_function *function)
{
  const struct counter_profile *other = overlap->profiles[!side];
  uint64_t guid
    = counter_profile_name_guid (overlap->profiles[side], function->name);
  uint32_t name = counter_profile_find_guid (other, guid);
  return name != UINT32_MAX ? counter_profile_functions_of (other, name) : NULL;
}

static bool
can_be_compared (const struct counter_function *base,
		 const struct counter_function *test)
{
  return (base->hash == test->hash && !base->shape.is_pseudo
	  && base->shape.counter_count == test->shape.counter_count
	  && memcmp (base->shape.site_counts, test->shape.site_counts,
		     sizeof base->shape.site_counts)
	       == 0);
}

/* Add TEST, a function of the test profile.  */
static void
compare_function (struct overlap_counters *overlap,
		  const struct overlap_counter_options *options,
		  const struct counter_function *test)
{
  const struct counter_profile *profile = overlap->profiles[OVERLAP_BASE];
  const struct counter_function *base = find_name (overlap, OVERLAP_TEST, test);
  struct function_sums sums = function_sums_of (test);
  if (base == NULL)
    {
      add_only (overlap, OVERLAP_TEST, &sums);
      return;
    }
  while (base != NULL && !can_be_compared (base, test))
    base = base->next != 0 ? counter_profile_function (profile, base->next - 1)
			   : NULL;
  if (base == NULL && sums.counts > 0)
    {
      add_mismatch (overlap, &sums);
      return;
    }
  overlap->functions.common++;
  if (base == NULL || sums.counts == 0)
    return;
  add_function (&overlap->counts, overlap->values, base, test);
  if (is_listed (overlap, options, test))
    list_function (overlap, base, test);
}

static void
compare_functions (struct overlap_counters *overlap,
		   const struct overlap_counter_options *options,
		   const uint32_t *order)
{
  const struct counter_profile *test = overlap->profiles[OVERLAP_TEST];
  uint32_t count = counter_profile_function_count (test);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_function *function
	= counter_profile_function (test, order[i]);
      if (is_compared (test, function, options->context_sensitive))
	compare_function (overlap, options, function);
    }
}

/* Add the functions of the base profile whose names the test profile does not
   have.  */
static void
find_only_in_base (struct overlap_counters *overlap, bool context_sensitive)
{
  const struct counter_profile *base = overlap->profiles[OVERLAP_BASE];
  uint32_t count = counter_profile_function_count (base);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_function *function
	= counter_profile_function (base, i);
      if (!is_compared (base, function, context_sensitive)
	  || find_name (overlap, OVERLAP_BASE, function) != NULL)
	continue;
      struct function_sums sums = function_sums_of (function);
      add_only (overlap, OVERLAP_BASE, &sums);
    }
}

bool
overlap_counters_make (struct overlap_counters *overlap,
		       struct counter_profile *const profiles[2],
		       const struct overlap_counter_options *options)
{
  const struct counter_profile *test = profiles[OVERLAP_TEST];
  *overlap
    = (struct overlap_counters){ .profiles = { profiles[0], profiles[1] } };
  uint32_t *order = counter_profile_order (test);
  overlap->listed = calloc (counter_profile_function_count (test) + (size_t) 1,
			    sizeof *overlap->listed);
  bool is_done = order != NULL && overlap->listed != NULL;
  if (is_done)
    {
      sum_profile (overlap, OVERLAP_BASE, options->context_sensitive);
      sum_profile (overlap, OVERLAP_TEST, options->context_sensitive);
      compare_functions (overlap, options, order);
      find_only_in_base (overlap, options->context_sensitive);
    }
  free (order);
  return is_done;
}

void
overlap_counters_release (struct overlap_counters *overlap)
{
  free (overlap->listed);
}
