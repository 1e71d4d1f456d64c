/* Matching of the locations of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-align.h"
#include "common-subsequence.h"
#include "likely-shifts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What another shift of lines must gain.  */
#define SHIFT_PENALTY 4

/* The same for the end of a function, whose own shift is only a guess: a
   profile may lack the last locations, since they never ran.  */
#define END_PENALTY 6

/* The same for both if all locations are calls: there are few, but a call is
   more than a location.  */
#define CALLS_PENALTY 2

/* Shifts that are tried in a gap: those of the calls around it, and likely
   ones.  */
#define MOST_SHIFTS (LIKELY_SHIFTS_MOST + 2)

/* A part of both functions between two calls that both have.  */
struct gap
{
  size_t first; /* places of the old function */
  size_t end;
  int shift_before; /* lines that the call before it moved */
  int shift_after;
  int low; /* lines of the calls in the new function */
  int high;
  int old_low; /* the same in the old one */
  int old_high;
  bool is_last; /* no call follows */
};

struct alignment_work
{
  struct function_alignment *alignment;
  const struct function_outline *before;
  const struct function_outline *after;
};

/* The search for the shifts of the places in a gap.  */
struct shift_search
{
  int shifts[MOST_SHIFTS]; /* the first is that of the call before */
  size_t count;
  int penalty;		  /* of another shift */
  int sums[MOST_SHIFTS];  /* of the best way to reach a place by the shift */
  unsigned char *origins; /* shifts of the places before, COUNT for each */
};

void
function_alignment_release (struct function_alignment *alignment)
{
  free (alignment->pairs);
  free (alignment->partners);
  free (alignment->parts);
  *alignment = (struct function_alignment){ 0 };
}

/* Return call number I of OUTLINE, with its name in RENAMED unless that is
   NULL.  */
static struct subsequence_call
call_of (const struct function_outline *outline, size_t i,
	 const uint32_t *renamed)
{
  const struct outline_call *call = &outline->calls[i];
  return (struct subsequence_call){ renamed != NULL ? renamed[call->name]
						    : call->name,
				    outline_line (call->location),
				    call->location.discriminator };
}

/* Find the calls that both functions have.  */
static bool
match_calls (struct alignment_work *work, const uint32_t *renamed)
{
  const struct function_outline *before = work->before;
  const struct function_outline *after = work->after;
  struct subsequence_call *a = calloc (before->call_count + 1, sizeof *a);
  struct subsequence_call *b = calloc (after->call_count + 1, sizeof *b);
  work->alignment->partners
    = calloc (before->call_count + 1, sizeof *work->alignment->partners);
  struct moved_lines lines;
  bool is_done = moved_lines_make (&lines, before, after) && a != NULL
		 && b != NULL && work->alignment->partners != NULL;
  for (size_t i = 0; i < before->call_count && is_done; i++)
    a[i] = call_of (before, i, renamed);
  for (size_t i = 0; i < after->call_count && is_done; i++)
    b[i] = call_of (after, i, NULL);
  is_done = is_done
	    && common_subsequence (a, before->call_count, b, after->call_count,
				   &lines, work->alignment->partners,
				   &work->alignment->call_count);
  free (a);
  free (b);
  moved_lines_release (&lines);
  return is_done;
}

/* Return how well LOCATION of the old function, moved by SHIFT lines, fits the
   new one in GAP.  */
static unsigned int
score (const struct alignment_work *work, const struct gap *gap,
       struct sample_location location, int shift)
{
  int old_line = outline_line (location);
  int line = old_line + shift;
  /* Only what was in the line of a call may be there now.  */
  if (line < gap->low || line > gap->high
      || (line == gap->low && old_line != gap->old_low)
      || (line == gap->high && old_line != gap->old_high))
    return 0;
  return function_outline_score (work->before, location, shift, work->after);
}

static void
add_shift (struct shift_search *search, int shift)
{
  for (size_t i = 0; i < search->count; i++)
    if (search->shifts[i] == shift)
      return;
  search->shifts[search->count++] = shift;
}

/* Return true if the place after PLACE may move by SHIFT if PLACE moves by
   BEFORE.  */
static bool
may_follow (const struct sample_location *place, int before, int shift)
{
  int line1 = outline_line (place[0]);
  int line2 = outline_line (place[1]);
  if (before == shift)
    return true;
  return line1 != line2 && line1 + before < line2 + shift;
}

/* Extend the sums of SEARCH from place number I - 1 of GAP to I.  */
static void
extend (const struct alignment_work *work, const struct gap *gap,
	struct shift_search *search, size_t i)
{
  const struct sample_location *places = &work->before->places[gap->first];
  int sums[MOST_SHIFTS];
  for (size_t s = 0; s < search->count; s++)
    {
      size_t best = s;
      int sum = search->sums[s];
      for (size_t t = 0; t < search->count; t++)
	if (search->sums[t] - search->penalty > sum
	    && may_follow (&places[i - 1], search->shifts[t],
			   search->shifts[s]))
	  {
	    best = t;
	    sum = search->sums[t] - search->penalty;
	  }
      search->origins[i * search->count + s] = (unsigned char) best;
      sums[s] = sum + (int) score (work, gap, places[i], search->shifts[s]);
    }
  memcpy (search->sums, sums, sizeof sums);
}

/* Set SHIFTS to those of the places in GAP.  */
static void
find_shifts (const struct alignment_work *work, const struct gap *gap,
	     struct shift_search *search, int *shifts)
{
  size_t count = gap->end - gap->first;
  const struct sample_location *places = &work->before->places[gap->first];
  int first_penalty = gap->is_last && !work->before->has_only_calls
			? END_PENALTY
			: search->penalty;
  for (size_t s = 0; s < search->count; s++)
    search->sums[s] = (int) score (work, gap, places[0], search->shifts[s])
		      - (s != 0 ? first_penalty : 0);
  for (size_t i = 1; i < count; i++)
    extend (work, gap, search, i);
  size_t best = gap->is_last || search->count == 1 ? 0 : 1;
  for (size_t s = 0; s < search->count; s++)
    if (!gap->is_last && search->shifts[s] != gap->shift_after)
      search->sums[s] -= search->penalty;
  for (size_t s = 0; s < search->count; s++)
    if (search->sums[s] > search->sums[best])
      best = s;
  for (size_t i = count; i-- > 0;)
    {
      shifts[i] = search->shifts[best];
      best = search->origins[i * search->count + best];
    }
}

/* Set SHIFTS to how many lines the places in GAP moved, and *SUM to the sum of
   their scores.  Return false if memory is exhausted.  */
static bool
choose_shifts (const struct alignment_work *work, const struct gap *gap,
	       int *shifts, unsigned int *sum)
{
  size_t count = gap->end - gap->first;
  const struct sample_location *places = &work->before->places[gap->first];
  struct shift_search search
    = { .shifts[0] = gap->shift_before,
	.count = 1,
	.penalty
	= work->before->has_only_calls ? CALLS_PENALTY : SHIFT_PENALTY };
  struct likely_shifts likely;
  *sum = 0;
  for (size_t i = 0; i < count; i++)
    {
      shifts[i] = gap->shift_before;
      *sum += score (work, gap, places[i], gap->shift_before);
    }
  if (*sum == OUTLINE_EXACT_SCORE * count)
    return true;
  if (!likely_shifts_find (&likely, places, count, work->after, gap->low,
			   gap->high))
    return false;
  add_shift (&search, gap->shift_after);
  for (size_t i = 0; i < likely.count; i++)
    add_shift (&search, likely.shifts[i]);
  search.origins = calloc (count * search.count, sizeof *search.origins);
  if (search.origins == NULL)
    return false;
  find_shifts (work, gap, &search, shifts);
  free (search.origins);
  *sum = 0;
  for (size_t i = 0; i < count; i++)
    *sum += score (work, gap, places[i], shifts[i]);
  return true;
}

/* Return the places of the new function between the calls around GAP, and their
   number in *COUNT.  */
static const struct sample_location *
new_places (const struct alignment_work *work, const struct gap *gap,
	    size_t *count)
{
  const struct function_outline *after = work->after;
  size_t first = 0;
  size_t end = after->place_count;
  while (first < end && outline_line (after->places[first]) <= gap->low)
    first++;
  while (end > first && outline_line (after->places[end - 1]) >= gap->high)
    end--;
  *count = end - first;
  return &after->places[first];
}

static void
add_pair (struct alignment_work *work, struct sample_location from,
	  struct sample_location to, bool is_call)
{
  work->alignment->pairs[work->alignment->count++]
    = (struct place_pair){ from, to, 0, is_call, false };
}

/* Match the places in GAP.  */
static bool
align_gap (struct alignment_work *work, const struct gap *gap)
{
  size_t count = gap->end - gap->first;
  size_t new_count;
  unsigned int sum;
  const struct sample_location *places = &work->before->places[gap->first];
  int *shifts = calloc (count + 1, sizeof *shifts);
  if (shifts == NULL || !choose_shifts (work, gap, shifts, &sum))
    {
      free (shifts);
      return false;
    }
  const struct sample_location *news = new_places (work, gap, &new_count);
  /* Lines were joined or broken, but nothing else.  */
  bool is_in_order = sum < OUTLINE_LINE_SCORE * count && new_count == count;
  for (size_t i = 0; i < count; i++)
    add_pair (work, places[i],
	      is_in_order ? news[i] : outline_shifted (places[i], shifts[i]),
	      false);
  free (shifts);
  return true;
}

/* Return the next call of the old function from number *I on that has a partner
   and is not at LAST; NULL if there is none.  */
static const struct outline_call *
next_call (const struct alignment_work *work, size_t *i,
	   const struct outline_call *last)
{
  for (; *i < work->before->call_count; ++*i)
    {
      const struct outline_call *call = &work->before->calls[*i];
      if (work->alignment->partners[*i] != SUBSEQUENCE_NONE
	  && (last == NULL
	      || outline_compare (last->location, call->location) != 0))
	return call;
    }
  return NULL;
}

/* Return how far the end of the function moved.  */
static int
end_shift (const struct alignment_work *work, int without)
{
  const struct function_outline *before = work->before;
  const struct function_outline *after = work->after;
  if (before->place_count == 0 || after->place_count == 0)
    return without;
  return outline_line (after->places[after->place_count - 1])
	 - outline_line (before->places[before->place_count - 1]);
}

/* Match all places, gap by gap.  */
static bool
align_places (struct alignment_work *work)
{
  const struct function_outline *before = work->before;
  struct gap gap = { .low = INT_MIN, .old_low = INT_MIN };
  const struct outline_call *last = NULL;
  for (size_t i = 0;; i++)
    {
      const struct outline_call *call = next_call (work, &i, last);
      struct sample_location to = { 0 };
      gap.end = before->place_count;
      gap.high = INT_MAX;
      gap.old_high = INT_MAX;
      gap.is_last = call == NULL;
      gap.shift_after = end_shift (work, gap.shift_before);
      if (call != NULL)
	{
	  to = work->after->calls[work->alignment->partners[i]].location;
	  gap.end = gap.first;
	  while (gap.end < before->place_count
		 && outline_compare (before->places[gap.end], call->location)
		      < 0)
	    gap.end++;
	  gap.high = outline_line (to);
	  gap.old_high = outline_line (call->location);
	  gap.shift_after = outline_line (to) - outline_line (call->location);
	}
      if (!align_gap (work, &gap))
	return false;
      if (call == NULL)
	return true;
      /* Every call is at a place.  */
      add_pair (work, call->location, to, true);
      last = call;
      gap.first = gap.end + 1;
      gap.low = gap.high;
      gap.old_low = gap.old_high;
      gap.shift_before = gap.shift_after;
    }
}

/* Return the number of the call of AFTER that CALL of BEFORE, now named NAME,
   is if nothing moved; SUBSEQUENCE_NONE if there is none.  */
static uint32_t
find_same_call (const struct function_outline *before,
		const struct outline_call *call, uint32_t name,
		const struct function_outline *after)
{
  for (size_t i = 0; i < after->call_count; i++)
    {
      const struct outline_call *other = &after->calls[i];
      if (outline_compare (other->location, call->location) == 0
	  && (other->name == name || call->name == before->unknown
	      || other->name == before->unknown))
	return (uint32_t) i;
    }
  return SUBSEQUENCE_NONE;
}

/* If everything of BEFORE is where it was, match it so.  Otherwise set *IS_SAME
   to false.  Return false if memory is exhausted.  */
static bool
align_unchanged (struct alignment_work *work, const uint32_t *renamed,
		 bool *is_same)
{
  const struct function_outline *before = work->before;
  struct function_alignment *alignment = work->alignment;
  *is_same = true;
  for (size_t i = 0; i < before->place_count && *is_same; i++)
    *is_same = function_outline_has (work->after, before->places[i]);
  if (!*is_same)
    return true;
  uint32_t *partners = calloc (before->call_count + 1, sizeof *partners);
  if (partners == NULL)
    return false;
  for (size_t i = 0; i < before->call_count && *is_same; i++)
    {
      const struct outline_call *call = &before->calls[i];
      partners[i]
	= find_same_call (before, call, renamed[call->name], work->after);
      *is_same = partners[i] != SUBSEQUENCE_NONE;
    }
  if (!*is_same)
    {
      free (partners);
      return true;
    }
  alignment->partners = partners;
  alignment->call_count = before->call_count;
  for (size_t i = 0; i < before->place_count; i++)
    add_pair (work, before->places[i], before->places[i],
	      function_outline_has_call (before, before->places[i]));
  return true;
}

bool
function_align (struct function_alignment *alignment,
		const struct function_outline *before,
		const struct function_outline *after, const uint32_t *renamed)
{
  struct alignment_work work
    = { .alignment = alignment, .before = before, .after = after };
  bool is_same;
  *alignment = (struct function_alignment){ 0 };
  alignment->pairs = calloc (before->place_count + 1, sizeof *alignment->pairs);
  return alignment->pairs != NULL && align_unchanged (&work, renamed, &is_same)
	 && (is_same || (match_calls (&work, renamed) && align_places (&work)));
}

const struct place_pair *
function_alignment_pair (const struct function_alignment *alignment,
			 struct sample_location location)
{
  size_t low = 0;
  size_t high = alignment->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (outline_compare (alignment->pairs[middle].from, location) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low < alignment->count
	     && outline_compare (alignment->pairs[low].from, location) == 0
	   ? &alignment->pairs[low]
	   : NULL;
}

struct sample_location
function_alignment_find (const struct function_alignment *alignment,
			 struct sample_location location)
{
  const struct place_pair *pair = function_alignment_pair (alignment, location);
  return pair != NULL && pair->part == 0 ? pair->to : location;
}
