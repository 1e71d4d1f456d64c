/* Differences between two heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff.h"
#include "diagnostics.h"
#include <stdlib.h>

bool
diff_context_has (const struct diff_heap *diff,
		  const struct matched_context *matched, int measure)
{
  for (int side = 0; side < 2; side++)
    if (!context_measure_has (&diff->known[side], matched->infos[side],
			      (enum context_measure) measure))
      return false;
  return true;
}

bool
diff_has_margin (const struct diff_heap *diff, int measure)
{
  for (int side = 0; side < 2; side++)
    if (context_measure_is_estimated (&diff->known[side],
				      (enum context_measure) measure))
      return true;
  return false;
}

/* Return the spread of the change of MEASURE of MATCHED; none if it is no
   estimate.  */
static struct heap_spread
context_spread (const struct diff_heap *diff,
		const struct matched_context *matched, int measure)
{
  struct heap_spread sum = { 0, 0 };
  for (int side = 0; side < 2; side++)
    if (matched->infos[side] != NULL)
      {
	const struct heap_spread spread
	  = context_measure_spread (&diff->known[side], matched->infos[side],
				    (enum context_measure) measure);
	heap_spread_add (&sum, &spread);
      }
  return sum;
}

double
diff_context_margin (const struct diff_heap *diff,
		     const struct matched_context *matched, int measure)
{
  const struct heap_spread spread = context_spread (diff, matched, measure);
  return heap_spread_margin (&spread);
}

enum diff_status
diff_context_status (const struct diff_heap *diff,
		     const struct matched_context *matched)
{
  if (matched->infos[DIFF_A] == NULL)
    return DIFF_ADDED;
  if (matched->infos[DIFF_B] == NULL)
    return DIFF_REMOVED;
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    if (diff_context_has (diff, matched, i)
	&& context_measure (matched->infos[DIFF_A], i)
	     != context_measure (matched->infos[DIFF_B], i))
      return DIFF_CHANGED;
  return DIFF_UNCHANGED;
}

bool
diff_heap_has (const struct diff_heap *diff, int side, int measure)
{
  return context_measure_is_known (&diff->known[side],
				   (enum context_measure) measure);
}

/* Add context NUMBER, and list it if it differs in SORT and is selected.  */
static void
add_context (struct diff_heap *diff, size_t number, enum context_measure sort)
{
  const struct matched_context *matched = &diff->match.contexts[number];
  enum diff_status status = diff_context_status (diff, matched);
  diff_number change = 0;
  /* A context that only differs in what one side does not know is no change,
     but its values are part of the totals.  */
  enum diff_status part = status == DIFF_UNCHANGED ? DIFF_CHANGED : status;
  diff->counts[status]++;
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    {
      const uint64_t values[2] = { context_measure (matched->infos[0], i),
				   context_measure (matched->infos[1], i) };
      diff_measure_add (&diff->measures[i], part, values);
      const struct heap_spread spread = context_spread (diff, matched, i);
      heap_spread_add (&diff->spreads[i], &spread);
      if (i == (int) sort && diff_context_has (diff, matched, i))
	change = (diff_number) values[DIFF_B] - values[DIFF_A];
    }
  if ((change != 0 || status == DIFF_ADDED || status == DIFF_REMOVED)
      && diff->is_chosen[number])
    diff->listed[diff->listed_count++]
      = (struct diff_context){ matched, status, change };
}

/* Larger changes first; equal ones in the order in which they were matched.  */
static int
compare_contexts (const void *element1, const void *element2)
{
  const struct diff_context *a = element1;
  const struct diff_context *b = element2;
  diff_number change1 = a->change < 0 ? -a->change : a->change;
  diff_number change2 = b->change < 0 ? -b->change : b->change;
  if (change1 != change2)
    return change1 > change2 ? -1 : 1;
  return (a->matched > b->matched) - (a->matched < b->matched);
}

/* Add to the spreads of totals what there may be in profiles that have no
   sample.  */
static void
add_nothing (struct diff_heap *diff)
{
  for (int side = 0; side < 2; side++)
    {
      bool has_samples = false;
      for (size_t i = 0; i < diff->match.count && !has_samples; i++)
	{
	  const struct memory_info *info = diff->match.contexts[i].infos[side];
	  has_samples = info != NULL && heap_spread_has_samples (info);
	}
      for (int i = 0; i < CONTEXT_MEASURES && !has_samples; i++)
	{
	  const struct heap_spread spread
	    = context_measure_spread_of_nothing (&diff->known[side],
						 (enum context_measure) i);
	  heap_spread_add (&diff->spreads[i], &spread);
	}
    }
}

/* Find the wrappers of both profiles.  */
static bool
find_wrappers (struct diff_heap *diff, const struct profile_pair *pair,
	       const struct wrapper_options *options)
{
  struct wrapper_names names = { 0 };
  bool is_done = true;
  for (int side = 0; side < 2 && is_done; side++)
    if (pair->profiles[side]->heap != NULL)
      is_done = allocation_wrappers_make (&diff->wrappers[side],
					  pair->profiles[side]->heap, options)
		&& wrapper_names_add (&names, &diff->wrappers[side]);
  for (int side = 0; side < 2 && is_done; side++)
    wrapper_names_apply (&names, &diff->wrappers[side]);
  wrapper_names_release (&names);
  return is_done;
}

/* Sum up what was looked through in profile SIDE.  */
static bool
sum_looked_through (struct diff_heap *diff, int side)
{
  struct wrapper_uses *uses = &diff->looked_through[side];
  const struct allocation_wrappers *wrappers = &diff->wrappers[side];
  if (wrappers->profile == NULL)
    return true;
  if (!wrapper_uses_start (uses, wrappers))
    return false;
  for (size_t i = 0; i < diff->match.count; i++)
    {
      const struct matched_context *matched = &diff->match.contexts[i];
      uint32_t context = matched->sources[side];
      if (matched->infos[side] != NULL && diff->is_chosen[i])
	wrapper_uses_add (uses, wrappers, context,
			  allocation_wrappers_site (wrappers, context),
			  matched->infos[side]);
    }
  wrapper_uses_end (uses, wrappers);
  return true;
}

struct heap_report
diff_heap_names (const struct diff_heap *diff, const struct profile_pair *pair,
		 const struct pair_options *options,
		 const struct matched_context *matched, uint32_t *context)
{
  int side = matched->infos[DIFF_B] != NULL ? DIFF_B : DIFF_A;
  struct heap_report names
    = pair_heap_report (pair->profiles[side]->heap, options);
  names.wrappers = diff->wrappers[side];
  *context = matched->sources[side];
  return names;
}

bool
diff_heap_make (struct diff_heap *diff, const struct profile_pair *pair,
		const struct pair_options *options, enum context_measure sort)
{
  *diff = (struct diff_heap){ 0 };
  if (!context_match_make (&diff->match, (struct heap_profile *[]){
					   pair->profiles[DIFF_A]->heap,
					   pair->profiles[DIFF_B]->heap }))
    return false;
  for (int side = 0; side < 2; side++)
    diff->known[side] = heap_known_of_profile (pair->profiles[side]->heap);
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    diff->is_known[i]
      = diff_heap_has (diff, DIFF_A, i) && diff_heap_has (diff, DIFF_B, i);
  diff->listed = calloc (diff->match.count + 1, sizeof *diff->listed);
  diff->is_chosen = context_match_choose (&diff->match, &options->filter);
  if (diff->listed == NULL || diff->is_chosen == NULL
      || !find_wrappers (diff, pair, &options->wrappers)
      || !sum_looked_through (diff, DIFF_A)
      || !sum_looked_through (diff, DIFF_B))
    return false;
  for (size_t i = 0; i < diff->match.count; i++)
    add_context (diff, i, sort);
  add_nothing (diff);
  qsort (diff->listed, diff->listed_count, sizeof *diff->listed,
	 compare_contexts);
  return true;
}

bool
diff_heap_check_known (const struct diff_heap *diff,
		       const struct profile_pair *pair,
		       enum context_measure measure)
{
  for (int side = 0; side < 2; side++)
    if (!diff_heap_has (diff, side, measure))
      {
	struct profile_error err;
	profile_error_set (&err, pair->paths[side], PROFILE_ERROR_NO_OFFSET,
			   "this profile has no data for %s",
			   context_measure_name (measure));
	diagnostics_error (&err);
	return false;
      }
  return true;
}

void
diff_heap_release (struct diff_heap *diff)
{
  context_match_release (&diff->match);
  for (int side = 0; side < 2; side++)
    {
      wrapper_uses_release (&diff->looked_through[side]);
      allocation_wrappers_release (&diff->wrappers[side]);
    }
  free (diff->listed);
  free (diff->is_chosen);
}
