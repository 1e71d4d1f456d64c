/* Matching of the locations of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-align.h"
#include "common-subsequence.h"
#include <limits.h>
#include <stdlib.h>

/* What moving with the end of the function must gain: a profile may lack the
   last locations of a function, since they never ran.  */
#define END_PENALTY (2 * OUTLINE_EXACT_SCORE)

/* A part of both functions between two calls that both have.  */
struct gap
{
  size_t first; /* places of the old function */
  size_t end;
  int shift_before; /* lines that the call before it moved */
  int shift_after;
  int low; /* lines of the calls in the new function */
  int high;
  bool is_last; /* no call follows */
};

struct alignment_work
{
  struct function_alignment *alignment;
  const struct function_outline *before;
  const struct function_outline *after;
  unsigned int *scores; /* room for the places of BEFORE, and one */
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
  bool is_done = a != NULL && b != NULL && work->alignment->partners != NULL;
  for (size_t i = 0; i < before->call_count && is_done; i++)
    a[i] = call_of (before, i, renamed);
  for (size_t i = 0; i < after->call_count && is_done; i++)
    b[i] = call_of (after, i, NULL);
  is_done = is_done
	    && common_subsequence (a, before->call_count, b, after->call_count,
				   work->alignment->partners,
				   &work->alignment->call_count);
  free (a);
  free (b);
  return is_done;
}

/* Return how well LOCATION of the old function, moved by SHIFT lines, fits the
   new one in GAP.  */
static unsigned int
score (const struct alignment_work *work, const struct gap *gap,
       struct sample_location location, int shift)
{
  int line = outline_line (location) + shift;
  if (line < gap->low || line > gap->high)
    return 0;
  return function_outline_score (work->after,
				 outline_shifted (location, shift));
}

/* Return the number of the first of the COUNT PLACES in GAP, from number I on,
   that comes after those before I if it moves with the call after it.  */
static size_t
first_after (const struct gap *gap, const struct sample_location *places,
	     size_t i, size_t count)
{
  size_t first = i;
  while (first < count && i > 0
	 && outline_line (places[first]) + gap->shift_after
	      < outline_line (places[i - 1]) + gap->shift_before)
    first++;
  return first;
}

/* Return how many of the places in GAP moved with the call before it; the
   others moved with the call after it.  Set *BEST to the sum of their scores.
 */
static size_t
split_gap (const struct alignment_work *work, const struct gap *gap,
	   unsigned int *best)
{
  size_t count = gap->end - gap->first;
  const struct sample_location *places = &work->before->places[gap->first];
  unsigned int after = 0;
  unsigned int before = 0;
  for (size_t i = count; i-- > 0;)
    {
      after += score (work, gap, places[i], gap->shift_after);
      work->scores[i] = after;
    }
  work->scores[count] = 0;
  size_t chosen = 0;
  *best = 0;
  for (size_t i = 0;; i++)
    {
      unsigned int sum
	= before + work->scores[first_after (gap, places, i, count)];
      if (gap->is_last && i == count)
	sum += END_PENALTY;
      /* Of equal ones, that in the middle; of the last, the end.  */
      if (i == 0 || sum > *best
	  || (sum == *best && (gap->is_last || i <= count / 2)))
	{
	  *best = sum;
	  chosen = i;
	}
      if (i == count)
	return chosen;
      before += score (work, gap, places[i], gap->shift_before);
    }
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
    = (struct place_pair){ from, to, 0, is_call };
}

/* Match the places in GAP.  */
static void
align_gap (struct alignment_work *work, const struct gap *gap)
{
  size_t count = gap->end - gap->first;
  size_t new_count;
  unsigned int best;
  const struct sample_location *places = &work->before->places[gap->first];
  if (count == 0)
    return;
  size_t split = split_gap (work, gap, &best);
  const struct sample_location *news = new_places (work, gap, &new_count);
  /* Lines were joined or broken, but nothing else.  */
  bool is_in_order = best < OUTLINE_LINE_SCORE * count && new_count == count;
  for (size_t i = 0; i < count; i++)
    add_pair (work, places[i],
	      is_in_order
		? news[i]
		: outline_shifted (places[i], i < split ? gap->shift_before
							: gap->shift_after),
	      false);
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
static void
align_places (struct alignment_work *work)
{
  const struct function_outline *before = work->before;
  struct gap gap = { .low = INT_MIN };
  const struct outline_call *last = NULL;
  for (size_t i = 0;; i++)
    {
      const struct outline_call *call = next_call (work, &i, last);
      struct sample_location to = { 0 };
      gap.end = before->place_count;
      gap.high = INT_MAX;
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
	  gap.shift_after = outline_line (to) - outline_line (call->location);
	}
      align_gap (work, &gap);
      if (call == NULL)
	return;
      /* Every call is at a place.  */
      add_pair (work, call->location, to, true);
      last = call;
      gap.first = gap.end + 1;
      gap.low = gap.high;
      gap.shift_before = gap.shift_after;
    }
}

bool
function_align (struct function_alignment *alignment,
		const struct function_outline *before,
		const struct function_outline *after, const uint32_t *renamed)
{
  struct alignment_work work
    = { .alignment = alignment, .before = before, .after = after };
  *alignment = (struct function_alignment){ 0 };
  alignment->pairs = calloc (before->place_count + 1, sizeof *alignment->pairs);
  work.scores = calloc (before->place_count + 1, sizeof *work.scores);
  bool is_done = alignment->pairs != NULL && work.scores != NULL
		 && match_calls (&work, renamed);
  if (is_done)
    align_places (&work);
  free (work.scores);
  return is_done;
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
