/* Discriminators of lines that a compiler numbered anew.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "line-discriminators.h"

/* Most places of a line; others stay as they are.  */
#define MOST_PLACES 64

/* The places of a line that may get other discriminators.  */
struct line_places
{
  struct place_pair *olds[MOST_PLACES]; /* by discriminator */
  size_t old_count;
  uint32_t news[MOST_PLACES]; /* discriminators, ascending */
  size_t new_count;
};

static bool
may_move (const struct place_pair *pair)
{
  return !pair->is_call && pair->part == 0;
}

/* Return true if a pair of ALIGNMENT that stays as it is leads to PLACE.  */
static bool
is_taken (const struct function_alignment *alignment,
	  struct sample_location place)
{
  for (size_t i = 0; i < alignment->count; i++)
    if (!may_move (&alignment->pairs[i])
	&& outline_compare (alignment->pairs[i].to, place) == 0)
      return true;
  return false;
}

/* Collect the pairs from FIRST to END, which lead to one line, and the places
   of AFTER there.  Return false if there are too many.  */
static bool
collect (struct line_places *places, struct function_alignment *alignment,
	 size_t first, size_t end, const struct function_outline *after)
{
  int line = outline_line (alignment->pairs[first].to);
  places->old_count = 0;
  places->new_count = 0;
  for (size_t i = first; i < end; i++)
    if (may_move (&alignment->pairs[i]))
      {
	if (places->old_count == MOST_PLACES)
	  return false;
	places->olds[places->old_count++] = &alignment->pairs[i];
      }
  for (size_t i = 0; i < after->place_count; i++)
    if (outline_line (after->places[i]) == line
	&& !is_taken (alignment, after->places[i]))
      {
	if (places->new_count == MOST_PLACES)
	  return false;
	places->news[places->new_count++] = after->places[i].discriminator;
      }
  return places->old_count > 0 && places->new_count > 0;
}

/* Return how many of PLACES keep their discriminators if the first gets new one
   number FIRST, the second the next, and so on.  */
static size_t
count_kept (const struct line_places *places, size_t first)
{
  size_t kept = 0;
  for (size_t i = 0; i < places->old_count; i++)
    kept += first + i < places->new_count
	    && places->olds[i]->to.discriminator == places->news[first + i];
  return kept;
}

/* Return true if all PLACES have their discriminators.  */
static bool
have_all (const struct line_places *places)
{
  size_t k = 0;
  for (size_t i = 0; i < places->old_count; i++)
    {
      while (k < places->new_count
	     && places->news[k] < places->olds[i]->to.discriminator)
	k++;
      if (k == places->new_count
	  || places->news[k] != places->olds[i]->to.discriminator)
	return false;
    }
  return true;
}

/* Give PLACES the new discriminators in order; those of code that never ran may
   be left out at either end.  If there are too few, the last is shared.  */
static void
renumber (struct line_places *places)
{
  size_t first = 0;
  for (size_t i = 1; i + places->old_count <= places->new_count; i++)
    if (count_kept (places, i) > count_kept (places, first))
      first = i;
  size_t last = places->new_count - 1;
  for (size_t i = 0; i < places->old_count; i++)
    {
      size_t at = first + i < last ? first + i : last;
      places->olds[i]->to.discriminator = places->news[at];
      places->olds[i]->is_joined
	= first + i >= last && first + places->old_count > last + 1;
    }
}

void
line_discriminators_fit (struct function_alignment *alignment,
			 const struct function_outline *after)
{
  struct line_places places;
  size_t end;
  for (size_t i = 0; i < alignment->count; i = end)
    {
      end = i + 1;
      while (end < alignment->count
	     && outline_line (alignment->pairs[end].from)
		  == outline_line (alignment->pairs[i].from)
	     && outline_line (alignment->pairs[end].to)
		  == outline_line (alignment->pairs[i].to))
	end++;
      if (collect (&places, alignment, i, end, after) && !have_all (&places))
	renumber (&places);
    }
}
