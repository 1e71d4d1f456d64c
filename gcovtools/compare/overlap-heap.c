/* Overlap of two heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "overlap.h"
#include "context-match.h"
#include <stdlib.h>

static const enum context_measure measures[OVERLAP_HEAP_MEASURES]
  = { [OVERLAP_ALLOCATIONS] = CONTEXT_ALLOCATIONS,
      [OVERLAP_BYTES] = CONTEXT_BYTES,
      [OVERLAP_ACCESSES] = CONTEXT_ACCESSES };

/* Remove contexts that FILTER excludes from MATCH.  Return false if memory is
   exhausted.  */
static bool
drop_others (struct context_match *match, const struct profile_filter *filter)
{
  bool *is_chosen = context_match_choose (match, filter);
  if (is_chosen == NULL)
    return false;
  size_t count = match->count;
  match->count = 0;
  for (size_t i = 0; i < count; i++)
    if (is_chosen[i])
      match->contexts[match->count++] = match->contexts[i];
  free (is_chosen);
  return true;
}

/* Add MEASURE of all contexts to the sums of SUM.  */
static void
sum_contexts (struct overlap_measure *sum, const struct context_match *match,
	      enum context_measure measure)
{
  for (size_t i = 0; i < match->count; i++)
    for (int side = 0; side < 2; side++)
      sum->sums[side]
	+= (double) context_measure (match->contexts[i].infos[side], measure);
}

/* Add CONTEXT to SUM, which counts MEASURE.  */
static void
add_context (struct overlap_measure *sum, const struct matched_context *context,
	     enum context_measure measure)
{
  uint64_t values[2];
  for (int side = 0; side < 2; side++)
    {
      values[side] = context_measure (context->infos[side], measure);
      if (context->infos[!side] == NULL && sum->sums[side] >= 1)
	sum->only[side] += (double) values[side] / sum->sums[side];
    }
  overlap_measure_add (sum, values);
}

/* Find the quantities that PROFILES do not know.  */
static void
find_unknown (struct overlap_heap *overlap,
	      struct heap_profile *const profiles[2])
{
  for (int side = 0; side < 2; side++)
    {
      struct heap_known known = heap_known_of_profile (profiles[side]);
      for (int i = 0; i < OVERLAP_HEAP_MEASURES; i++)
	overlap->measures[i].is_unknown[side]
	  = !context_measure_is_known (&known, measures[i]);
    }
}

bool
overlap_heap_make (struct overlap_heap *overlap,
		   struct heap_profile *const profiles[2],
		   const struct profile_filter *filter)
{
  struct context_match match;
  *overlap = (struct overlap_heap){ 0 };
  bool is_done
    = context_match_make (&match, profiles) && drop_others (&match, filter);
  find_unknown (overlap, profiles);
  for (int i = 0; i < OVERLAP_HEAP_MEASURES && is_done; i++)
    sum_contexts (&overlap->measures[i], &match, measures[i]);
  for (size_t i = 0; i < match.count && is_done; i++)
    {
      const struct matched_context *context = &match.contexts[i];
      if (context->infos[OVERLAP_TEST] == NULL)
	overlap->contexts.only[OVERLAP_BASE]++;
      else if (context->infos[OVERLAP_BASE] == NULL)
	overlap->contexts.only[OVERLAP_TEST]++;
      else
	overlap->contexts.common++;
      for (int k = 0; k < OVERLAP_HEAP_MEASURES; k++)
	add_context (&overlap->measures[k], context, measures[k]);
    }
  context_match_release (&match);
  return is_done;
}
