/* Overlap of the samples of two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program's shares refer to the sums over all places, a function's shares
   to its own.  */

#include "function-name.h"
#include "overlap.h"
#include <stdlib.h>

/* Places are visited twice: to compute the sums, then the shares of them.  */

static void
sum_place (void *data, enum sample_measure measure, const uint64_t values[2])
{
  struct overlap_measure *measures = data;
  for (int side = 0; side < 2; side++)
    measures[measure].sums[side] += (double) values[side];
}

static void
share_place (void *data, enum sample_measure measure, const uint64_t values[2])
{
  struct overlap_measure *measures = data;
  overlap_measure_add (&measures[measure], values);
}

/* Update *DATA, the largest value in the test profile.  */
static void
find_greatest (void *data, enum sample_measure measure,
	       const uint64_t values[2])
{
  uint64_t *greatest = data;
  (void) measure;
  if (values[OVERLAP_TEST] > *greatest)
    *greatest = values[OVERLAP_TEST];
}

/* Called for each function; FUNCTIONS match each other, or one is NULL.  */
typedef bool pair_visitor (struct overlap_samples *overlap,
			   const struct sample_match *match,
			   const struct sample_function *const functions[2],
			   const struct overlap_sample_options *options);

/* Visit the functions of the test profile in file order, then those that only
   the base profile has.  */
static bool
visit_pairs (struct overlap_samples *overlap, const struct sample_match *match,
	     pair_visitor *visit, const struct overlap_sample_options *options)
{
  bool is_done = true;
  for (int side = OVERLAP_TEST; side >= OVERLAP_BASE && is_done; side--)
    {
      const struct sample_profile *profile = match->profiles[side];
      uint32_t count = sample_profile_function_count (profile);
      uint32_t *order = sample_profile_order (profile);
      is_done = order != NULL;
      for (uint32_t i = 0; i < count && is_done; i++)
	{
	  const struct sample_function *functions[2];
	  functions[side] = sample_profile_function (profile, order[i]);
	  functions[!side] = sample_match_find (match, side, functions[side]);
	  if (side == OVERLAP_TEST || functions[OVERLAP_TEST] == NULL)
	    is_done = visit (overlap, match, functions, options);
	}
      free (order);
    }
  return is_done;
}

static bool
sum_functions (struct overlap_samples *overlap,
	       const struct sample_match *match,
	       const struct sample_function *const functions[2],
	       const struct overlap_sample_options *options)
{
  (void) options;
  sample_match_visit (match, functions, sum_place, overlap->measures);
  return true;
}

/* Return true if the test function FUNCTIONS[OVERLAP_TEST] is to be listed
   separately.  */
static bool
is_listed (const struct sample_match *match,
	   const struct sample_function *const functions[2],
	   const struct overlap_sample_options *options)
{
  const char *name = sample_profile_name (match->profiles[OVERLAP_TEST],
					  functions[OVERLAP_TEST]->name);
  uint64_t greatest = 0;
  if (options->function != NULL && name != NULL
      && function_name_matches (name, options->function))
    return true;
  sample_match_visit (match, functions, find_greatest, &greatest);
  return greatest >= options->value_cutoff;
}

static bool
list_function (struct overlap_samples *overlap,
	       const struct sample_match *match,
	       const struct sample_function *const functions[2],
	       const struct overlap_sample_options *options)
{
  struct overlap_sample_function *listed
    = &overlap->listed[overlap->listed_count];
  listed->title
    = sample_function_title (match->profiles[OVERLAP_TEST],
			     functions[OVERLAP_TEST], options->demangle);
  if (listed->title == NULL)
    return false;
  overlap->listed_count++;
  sample_match_visit (match, functions, sum_place, listed->measures);
  sample_match_visit (match, functions, share_place, listed->measures);
  return true;
}

/* Add the function of profile SIDE, which has no counterpart.  */
static void
add_only (struct overlap_samples *overlap, const struct sample_match *match,
	  int side, const struct sample_function *const functions[2])
{
  struct overlap_measure own[SAMPLE_MEASURES] = { 0 };
  sample_match_visit (match, functions, sum_place, own);
  overlap->functions.only[side]++;
  for (int i = 0; i < SAMPLE_MEASURES; i++)
    if (overlap->measures[i].sums[side] >= 1)
      overlap->measures[i].only[side]
	+= own[i].sums[side] / overlap->measures[i].sums[side];
}

static bool
compare_functions (struct overlap_samples *overlap,
		   const struct sample_match *match,
		   const struct sample_function *const functions[2],
		   const struct overlap_sample_options *options)
{
  if (functions[OVERLAP_BASE] == NULL || functions[OVERLAP_TEST] == NULL)
    {
      add_only (overlap, match,
		functions[OVERLAP_BASE] == NULL ? OVERLAP_TEST : OVERLAP_BASE,
		functions);
      return true;
    }
  overlap->functions.common++;
  sample_match_visit (match, functions, share_place, overlap->measures);
  return (!is_listed (match, functions, options)
	  || list_function (overlap, match, functions, options));
}

bool
overlap_samples_make (struct overlap_samples *overlap,
		      const struct sample_match *match,
		      const struct overlap_sample_options *options)
{
  uint32_t count
    = sample_profile_function_count (match->profiles[OVERLAP_TEST]);
  *overlap = (struct overlap_samples){ 0 };
  overlap->listed = calloc (count + (size_t) 1, sizeof *overlap->listed);
  return (overlap->listed != NULL
	  && visit_pairs (overlap, match, sum_functions, options)
	  && visit_pairs (overlap, match, compare_functions, options));
}

void
overlap_samples_release (struct overlap_samples *overlap)
{
  for (size_t i = 0; i < overlap->listed_count; i++)
    free (overlap->listed[i].title);
  free (overlap->listed);
}
