/* Functions whose code was moved to where they were called.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-merges.h"
#include "common-subsequence.h"
#include "likely-shifts.h"
#include <limits.h>
#include <stdlib.h>

/* What a call of the same function in the caller adds to the score of its
   location.  */
#define CALL_SCORE 6

/* The least number and share, in percent, of the function's locations that the
   caller has.  */
#define LEAST_HITS 2
#define LEAST_SHARE 60

/* A call without a partner, and the lines of the calls around it in the new
   caller.  */
struct merge_gap
{
  const struct outline_call *call;
  const struct function_outline *part; /* the function that is gone */
  const struct function_outline *after;
  int low;
  int high;
  int shift_before;
};

void
merged_calls_release (struct merged_calls *merged)
{
  for (size_t i = 0; i < merged->count; i++)
    function_alignment_release (&merged->calls[i].alignment);
  free (merged->calls);
  *merged = (struct merged_calls){ 0 };
}

struct merged_call *
merged_calls_find (const struct merged_calls *merged, uint32_t caller,
		   struct sample_location call, uint32_t name)
{
  for (size_t i = 0; i < merged->count; i++)
    if (merged->calls[i].caller == caller && merged->calls[i].name == name
	&& outline_compare (merged->calls[i].call, call) == 0)
      return &merged->calls[i];
  return NULL;
}

/* Return the score of all places of GAP's function moved by SHIFT lines, and
   the number of those that have code there in *HITS.  */
static unsigned int
score (const struct merge_gap *gap, int shift, const uint32_t *renamed,
       size_t *hits)
{
  const struct function_outline *part = gap->part;
  unsigned int sum = 0;
  *hits = 0;
  for (size_t i = 0; i < part->place_count; i++)
    {
      int line = outline_line (part->places[i]) + shift;
      unsigned int one = 0;
      if (line >= gap->low && line <= gap->high)
	one = function_outline_score (part, part->places[i], shift, gap->after);
      sum += one;
      *hits += one > 0;
    }
  for (size_t i = 0; i < part->call_count; i++)
    for (size_t k = 0; k < gap->after->call_count; k++)
      if (gap->after->calls[k].name == renamed[part->calls[i].name]
	  && outline_line (gap->after->calls[k].location)
	       == outline_line (part->calls[i].location) + shift)
	{
	  sum += CALL_SCORE;
	  break;
	}
  return sum;
}

/* Return how far the function is from its call if it moved by SHIFT lines.  */
static int
distance (const struct merge_gap *gap, int shift)
{
  return abs (shift - gap->shift_before - outline_line (gap->call->location));
}

/* Find by how many lines the function of GAP moved.  Set *IS_FOUND to false if
   its code is not there.  Return false if memory is exhausted.  */
static bool
find_shift (const struct merge_gap *gap, const uint32_t *renamed, int *shift,
	    bool *is_found)
{
  struct likely_shifts shifts;
  const struct function_outline *part = gap->part;
  unsigned int best = 0;
  size_t best_hits = 0;
  *is_found = false;
  if (!likely_shifts_find (&shifts, part->places, part->place_count, gap->after,
			   gap->low, gap->high))
    return false;
  for (size_t i = 0; i < shifts.count; i++)
    {
      size_t hits;
      unsigned int one = score (gap, shifts.shifts[i], renamed, &hits);
      if (one > best
	  || (one == best && i > 0
	      && distance (gap, shifts.shifts[i]) < distance (gap, *shift)))
	{
	  best = one;
	  best_hits = hits;
	  *shift = shifts.shifts[i];
	}
    }
  *is_found = best_hits >= LEAST_HITS
	      && 100 * best_hits >= LEAST_SHARE * part->place_count;
  return true;
}

/* Set PAIRS of the alignment to the places of GAP's function moved by SHIFT. */
static bool
align_part (const struct merge_gap *gap, int shift,
	    struct function_alignment *alignment)
{
  const struct function_outline *part = gap->part;
  alignment->pairs = calloc (part->place_count + 1, sizeof *alignment->pairs);
  if (alignment->pairs == NULL)
    return false;
  for (size_t i = 0; i < part->place_count; i++)
    alignment->pairs[alignment->count++] = (struct place_pair){
      part->places[i], outline_shifted (part->places[i], shift), 0, false, false
    };
  return true;
}

/* Add the call of GAP, in CALLER, to MERGED if the code of its function is
   there.  */
static bool
add_call (struct merged_calls *merged, const struct merge_gap *gap,
	  uint32_t caller, const uint32_t *renamed)
{
  int shift = 0;
  bool is_found;
  if (!find_shift (gap, renamed, &shift, &is_found))
    return false;
  if (!is_found)
    return true;
  void *grown
    = realloc (merged->calls, (merged->count + 1) * sizeof *merged->calls);
  if (grown == NULL)
    return false;
  merged->calls = grown;
  struct merged_call *call = &merged->calls[merged->count++];
  *call = (struct merged_call){ .caller = caller,
				.name = gap->call->name,
				.call = gap->call->location };
  return align_part (gap, shift, &call->alignment);
}

bool
function_merges_find (struct merged_calls *merged,
		      const struct function_alignment *alignment,
		      const struct function_outline *before,
		      const struct function_outline *after,
		      const struct function_outlines *all,
		      const struct function_merge_names *names)
{
  struct merge_gap gap = { .after = after, .low = INT_MIN };
  if (before->has_only_calls)
    return true;
  for (size_t i = 0; i < before->call_count; i++)
    {
      const struct outline_call *call = &before->calls[i];
      if (alignment->partners[i] != SUBSEQUENCE_NONE)
	{
	  gap.low
	    = outline_line (after->calls[alignment->partners[i]].location);
	  gap.shift_before = gap.low - outline_line (call->location);
	  continue;
	}
      gap.part = names->is_gone[call->name]
		   ? function_outlines_find (all, call->name)
		   : NULL;
      if (gap.part == NULL || gap.part == before)
	continue;
      gap.call = call;
      gap.high = INT_MAX;
      for (size_t k = i; k < before->call_count && gap.high == INT_MAX; k++)
	if (alignment->partners[k] != SUBSEQUENCE_NONE)
	  gap.high
	    = outline_line (after->calls[alignment->partners[k]].location);
      if (!add_call (merged, &gap, before->name, names->renamed))
	return false;
    }
  return true;
}
