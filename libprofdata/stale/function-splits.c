/* Code that was moved out of a function into a new one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-splits.h"
#include "common-subsequence.h"
#include "likely-shifts.h"
#include "line-discriminators.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What a call of the same function in the new function adds to the score of its
   location.  */
#define CALL_SCORE 6

/* What a split must gain, and the least share of the moved locations that have
   code in the new function, in percent.  */
#define LEAST_GAIN (2 * OUTLINE_EXACT_SCORE)
#define LEAST_HITS 2
#define LEAST_SHARE 60

/* What is the same for all splits of a function.  */
struct split_work
{
  struct function_alignment *alignment;
  const struct function_outline *before;
  const struct function_outline *after;
  const struct function_split_names *names;
};

/* The old code around a call of a new function.  */
struct split_gap
{
  const struct function_outline *part;
  const struct sample_location *places; /* of BEFORE */
  size_t first;				/* number of the first of them */
  size_t count;
  struct sample_location call; /* of the new function */
  int shift_before;
  int low; /* lines of the calls around it in AFTER */
  int high;
  struct likely_shifts shifts_after;
  unsigned int *stays; /* COUNT + 1 sums: of the places from there on */
  int *stay_shifts;    /* the shifts with which they are reached */
};

/* A way to split: places from START to END moved by SHIFT into the part.  */
struct split
{
  unsigned int score;
  size_t start;
  size_t end;
  int shift;
};

/* Return the score of place I of GAP that stays in the function, moved by SHIFT
   lines, between the lines LOW and HIGH.  */
static unsigned int
stay_score (const struct split_work *work, const struct split_gap *gap,
	    size_t i, int shift, int low, int high)
{
  int line = outline_line (gap->places[i]) + shift;
  if (line < low || line > high)
    return 0;
  return function_outline_score (work->before, gap->places[i], shift,
				 work->after);
}

/* Return true if one of the calls of BEFORE at place I of GAP is in the part,
   moved by SHIFT lines.  */
static bool
has_call (const struct split_work *work, const struct split_gap *gap, size_t i,
	  int shift)
{
  const struct function_outline *before = work->before;
  const struct function_outline *part = gap->part;
  for (size_t k = 0; k < before->call_count; k++)
    {
      if (outline_compare (before->calls[k].location, gap->places[i]) != 0)
	continue;
      uint32_t name = work->names->renamed[before->calls[k].name];
      for (size_t m = 0; m < part->call_count; m++)
	if (part->calls[m].name == name
	    && outline_line (part->calls[m].location)
		 == outline_line (gap->places[i]) + shift)
	  return true;
    }
  return false;
}

static unsigned int
part_score (const struct split_work *work, const struct split_gap *gap,
	    size_t i, int shift)
{
  unsigned int score
    = function_outline_score (work->before, gap->places[i], shift, gap->part);
  return score > 0 && has_call (work, gap, i, shift) ? score + CALL_SCORE
						     : score;
}

/* Set the sums of the places of GAP that stay after the call.  */
static void
sum_stays (const struct split_work *work, struct split_gap *gap)
{
  int call_line = outline_line (gap->call);
  for (size_t i = 0; i <= gap->count; i++)
    {
      gap->stays[i] = 0;
      gap->stay_shifts[i]
	= gap->shifts_after.count > 0 ? gap->shifts_after.shifts[0] : 0;
    }
  for (size_t k = 0; k < gap->shifts_after.count; k++)
    {
      unsigned int sum = 0;
      int shift = gap->shifts_after.shifts[k];
      for (size_t i = gap->count; i-- > 0;)
	{
	  sum += stay_score (work, gap, i, shift, call_line + 1, gap->high);
	  if (sum > gap->stays[i])
	    {
	      gap->stays[i] = sum;
	      gap->stay_shifts[i] = shift;
	    }
	}
    }
}

/* Improve *BEST by moving places of GAP to the part by SHIFT lines.  */
static void
try_shift (const struct split_work *work, const struct split_gap *gap,
	   int shift, struct split *best)
{
  int call_line = outline_line (gap->call);
  unsigned int before = 0;
  unsigned int moved = 0;
  /* The best start: that with the greatest excess of BEFORE over MOVED.  */
  size_t start = 0;
  unsigned int start_before = 0;
  unsigned int start_moved = 0;
  for (size_t i = 0;; i++)
    {
      if (before + start_moved >= start_before + moved)
	{
	  start = i;
	  start_before = before;
	  start_moved = moved;
	}
      unsigned int score = start_before + (moved - start_moved) + gap->stays[i];
      if (score > best->score)
	*best = (struct split){ score, start, i, shift };
      if (i == gap->count)
	return;
      before += stay_score (work, gap, i, gap->shift_before, gap->low,
			    call_line - 1);
      moved += part_score (work, gap, i, shift);
    }
}

/* Return the score of the places of GAP as they are aligned.  Places that come
   before an earlier one now do not fit, nor, if all places are calls, does the
   call of the part.  */
static unsigned int
aligned_score (const struct split_work *work, const struct split_gap *gap)
{
  unsigned int score = 0;
  int last = INT_MIN;
  for (size_t i = 0; i < gap->count; i++)
    {
      struct sample_location from = gap->places[i];
      struct sample_location to = work->alignment->pairs[gap->first + i].to;
      unsigned int one
	= outline_line (to) >= last
	      && !(work->before->has_only_calls
		   && outline_compare (to, gap->call) == 0)
	    ? function_outline_score (work->before, from,
				      outline_line (to) - outline_line (from),
				      work->after)
	    : 0;
      score += one;
      if (one > 0)
	last = outline_line (to);
    }
  return score;
}

/* Return true if SPLIT is convincing.  */
static bool
is_convincing (const struct split_work *work, const struct split_gap *gap,
	       const struct split *split)
{
  size_t hits = 0;
  size_t count = split->end - split->start;
  for (size_t i = split->start; i < split->end; i++)
    hits += part_score (work, gap, i, split->shift) > 0;
  /* One call is as good as two locations.  */
  size_t least = work->before->has_only_calls ? 1 : LEAST_HITS;
  return hits >= least && 100 * hits >= LEAST_SHARE * count
	 && split->score >= aligned_score (work, gap) + LEAST_GAIN;
}

/* Set PIECE to the places of SPLIT and their calls, moved to the lines of the
   new function, in newly allocated arrays.  */
static bool
cut_piece (const struct split_work *work, const struct split_gap *gap,
	   const struct split *split, struct function_outline *piece)
{
  const struct function_outline *before = work->before;
  piece->place_count = split->end - split->start;
  piece->places = calloc (piece->place_count + 1, sizeof *piece->places);
  piece->calls = calloc (before->call_count + 1, sizeof *piece->calls);
  if (piece->places == NULL || piece->calls == NULL)
    return false;
  for (size_t i = 0; i < piece->place_count; i++)
    piece->places[i]
      = outline_shifted (gap->places[split->start + i], split->shift);
  for (size_t i = 0; i < before->call_count; i++)
    {
      struct outline_call call = before->calls[i];
      call.location = outline_shifted (call.location, split->shift);
      if (piece->place_count > 0
	  && outline_compare (call.location, piece->places[0]) >= 0
	  && outline_compare (call.location,
			      piece->places[piece->place_count - 1])
	       <= 0)
	piece->calls[piece->call_count++] = call;
    }
  return true;
}

/* Add a part with the CALL in GAP.  */
static bool
add_part (struct split_work *work, const struct split_gap *gap,
	  const struct split *split)
{
  struct function_alignment *alignment = work->alignment;
  void *grown = realloc (alignment->parts, (alignment->part_count + 1)
					     * sizeof *alignment->parts);
  if (grown == NULL)
    return false;
  alignment->parts = grown;
  alignment->parts[alignment->part_count++]
    = (struct moved_part){ gap->part->name, gap->call,
			   gap->places[split->start],
			   !gap->part->has_own_copy };
  return true;
}

/* Move the places of GAP as SPLIT says.  */
static bool
apply (struct split_work *work, const struct split_gap *gap,
       const struct split *split)
{
  struct function_outline piece = { 0 };
  struct function_alignment moved = { 0 };
  struct place_pair *pairs = &work->alignment->pairs[gap->first];
  bool is_done
    = cut_piece (work, gap, split, &piece)
      && function_align (&moved, &piece, gap->part, work->names->renamed)
      && add_part (work, gap, split);
  if (is_done && !work->before->has_only_calls)
    line_discriminators_fit (&moved, gap->part);
  for (size_t i = 0; i < gap->count && is_done; i++)
    if (i < split->start)
      pairs[i].to = outline_shifted (gap->places[i], gap->shift_before);
    else if (i >= split->end)
      pairs[i].to
	= outline_shifted (gap->places[i], gap->stay_shifts[split->end]);
    else
      {
	pairs[i].to = moved.pairs[i - split->start].to;
	pairs[i].part = (uint32_t) work->alignment->part_count;
      }
  function_alignment_release (&moved);
  free (piece.places);
  free (piece.calls);
  return is_done;
}

/* Find the best split of GAP, and apply it if it is convincing.  Set *END to
   the number of the first place of BEFORE that stays after it, and *SHIFT to
   its shift.  */
static bool
split_gap (struct split_work *work, struct split_gap *gap, size_t *end,
	   int *shift)
{
  struct likely_shifts shifts;
  struct split best = { 0 };
  gap->stays = calloc (gap->count + 1, sizeof *gap->stays);
  gap->stay_shifts = calloc (gap->count + 1, sizeof *gap->stay_shifts);
  bool is_done = gap->stays != NULL && gap->stay_shifts != NULL
		 && likely_shifts_find (&shifts, gap->places, gap->count,
					gap->part, INT_MIN, INT_MAX)
		 && (gap->shifts_after.count > 0
		     || likely_shifts_find (&gap->shifts_after, gap->places,
					    gap->count, work->after,
					    outline_line (gap->call), INT_MAX));
  if (is_done)
    sum_stays (work, gap);
  for (size_t i = 0; is_done && i < shifts.count; i++)
    try_shift (work, gap, shifts.shifts[i], &best);
  if (is_done && is_convincing (work, gap, &best))
    {
      is_done = apply (work, gap, &best);
      *end = gap->first + best.end;
      *shift = gap->stay_shifts[best.end];
    }
  free (gap->stays);
  free (gap->stay_shifts);
  return is_done;
}

/* Return the place number of LOCATION, one of BEFORE.  */
static size_t
place_number (const struct function_alignment *alignment,
	      struct sample_location location)
{
  return (size_t) (function_alignment_pair (alignment, location)
		   - alignment->pairs);
}

/* Split the code around call number C of AFTER, of the new function PART.  The
   places before FROM, which moved by SHIFT lines, belong to earlier splits.  */
static bool
split_at (struct split_work *work, uint32_t c,
	  const struct function_outline *part, size_t *from, int *shift)
{
  const struct function_outline *before = work->before;
  const struct function_alignment *alignment = work->alignment;
  struct split_gap gap = { .part = part,
			   .first = *from,
			   .call = work->after->calls[c].location,
			   .shift_before = *shift,
			   .low = INT_MIN,
			   .high = INT_MAX };
  size_t end = before->place_count;
  for (size_t i = 0; i < before->call_count; i++)
    {
      uint32_t partner = alignment->partners[i];
      if (partner == SUBSEQUENCE_NONE)
	continue;
      size_t number = place_number (alignment, before->calls[i].location);
      int line = outline_line (work->after->calls[partner].location);
      int moved = line - outline_line (before->calls[i].location);
      if (partner > c)
	{
	  end = number;
	  gap.high = line;
	  gap.shifts_after.shifts[0] = moved;
	  gap.shifts_after.count = 1;
	  break;
	}
      if (number >= gap.first)
	{
	  gap.first = number + 1;
	  gap.shift_before = moved;
	}
      gap.low = line;
    }
  if (gap.first >= end)
    return true;
  gap.places = &before->places[gap.first];
  gap.count = end - gap.first;
  return split_gap (work, &gap, from, shift);
}

bool
function_splits_find (struct function_alignment *alignment,
		      const struct function_outline *before,
		      const struct function_outline *after,
		      const struct function_outlines *all,
		      const struct function_split_names *names)
{
  struct split_work work = { alignment, before, after, names };
  size_t from = 0;
  int shift = 0;
  for (uint32_t c = 0; c < after->call_count; c++)
    {
      const struct function_outline *part
	= names->is_new[after->calls[c].name]
	    ? function_outlines_find (all, after->calls[c].name)
	    : NULL;
      if (part != NULL && part != after
	  && !split_at (&work, c, part, &from, &shift))
	return false;
    }
  return true;
}
