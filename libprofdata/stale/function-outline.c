/* What a sample profile knows of the source of its functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-outline.h"
#include <stdlib.h>

int
outline_compare (struct sample_location a, struct sample_location b)
{
  if (outline_line (a) != outline_line (b))
    return outline_line (a) < outline_line (b) ? -1 : 1;
  return (a.discriminator > b.discriminator)
	 - (a.discriminator < b.discriminator);
}

struct function_outline *
function_outlines_find (const struct function_outlines *outlines, uint32_t name)
{
  if (name >= outlines->name_count || outlines->by_name[name] == 0)
    return NULL;
  return &outlines->outlines[outlines->by_name[name] - 1];
}

void
function_outlines_release (struct function_outlines *outlines)
{
  for (size_t i = 0; i < outlines->count; i++)
    {
      free (outlines->outlines[i].places);
      free (outlines->outlines[i].calls);
    }
  free (outlines->outlines);
  free (outlines->by_name);
  *outlines = (struct function_outlines){ 0 };
}

/* Return the outline of NAME, which is added if there is none; NULL if memory
   is exhausted.  */
static struct function_outline *
need_outline (struct function_outlines *outlines, uint32_t name)
{
  struct function_outline *found = function_outlines_find (outlines, name);
  if (found != NULL)
    return found;
  if (outlines->count == outlines->capacity)
    {
      size_t capacity = outlines->capacity > 0 ? 2 * outlines->capacity : 64;
      void *grown
	= realloc (outlines->outlines, capacity * sizeof *outlines->outlines);
      if (grown == NULL)
	return NULL;
      outlines->outlines = grown;
      outlines->capacity = capacity;
    }
  outlines->outlines[outlines->count]
    = (struct function_outline){ .name = name,
				 .has_only_calls = outlines->has_only_calls,
				 .unknown = outlines->unknown };
  outlines->by_name[name] = (uint32_t) ++outlines->count;
  return &outlines->outlines[outlines->count - 1];
}

/* Make room for MORE elements of SIZE bytes after the COUNT in *ARRAY, whose
   capacity is the power of two that is not less.  */
static bool
make_room (void **array, size_t count, size_t more, size_t size)
{
  size_t capacity = 1;
  while (capacity < count)
    capacity *= 2;
  if (count > 0 && count + more <= capacity)
    return true;
  while (capacity < count + more)
    capacity *= 2;
  void *grown = realloc (*array, capacity * size);
  if (grown == NULL)
    return false;
  *array = grown;
  return true;
}

static bool
add_place (struct function_outline *outline, struct sample_location location)
{
  if (!make_room ((void **) &outline->places, outline->place_count, 1,
		  sizeof *outline->places))
    return false;
  outline->places[outline->place_count++] = location;
  return true;
}

static bool
add_call (struct function_outline *outline, struct sample_location location,
	  uint32_t name, bool is_inlined)
{
  if (!make_room ((void **) &outline->calls, outline->call_count, 1,
		  sizeof *outline->calls))
    return false;
  outline->calls[outline->call_count++]
    = (struct outline_call){ location, name, is_inlined };
  return true;
}

/* Add the locations and calls of FUNCTION to OUTLINE.  */
static bool
add_own (struct function_outline *outline,
	 const struct sample_function *function, const uint32_t *names)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      sample_count_add (&outline->count, body->count);
      if (!add_place (outline, body->location))
	return false;
      for (uint32_t k = 0; k < body->targets.count; k++)
	if (!add_call (outline, body->location,
		       names[body->targets.counts[k].name], false))
	  return false;
    }
  for (uint32_t i = 0; i < function->vtables_count; i++)
    if (!add_place (outline, function->vtables[i].location))
      return false;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      const struct sample_call_site *site = &function->call_sites[i];
      if (!add_place (outline, site->location)
	  || !add_call (outline, site->location, names[site->inlinee->name],
			true))
	return false;
    }
  return true;
}

static bool
add_function (struct function_outlines *outlines,
	      const struct sample_function *function, const uint32_t *names)
{
  struct function_outline *outline
    = need_outline (outlines, names[function->name]);
  if (outline == NULL || !add_own (outline, function, names))
    return false;
  outline->has_own_copy |= function->depth == 0;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    if (!add_function (outlines, function->call_sites[i].inlinee, names))
      return false;
  return true;
}

static int
compare_places (const void *element1, const void *element2)
{
  const struct sample_location *x = element1;
  const struct sample_location *y = element2;
  return outline_compare (*x, *y);
}

static int
compare_calls (const void *element1, const void *element2)
{
  const struct outline_call *x = element1;
  const struct outline_call *y = element2;
  int order = outline_compare (x->location, y->location);
  if (order != 0)
    return order;
  return x->name < y->name ? -1 : x->name > y->name;
}

static void
sort_outline (struct function_outline *outline)
{
  size_t kept = 0;
  if (outline->place_count > 0)
    qsort (outline->places, outline->place_count, sizeof *outline->places,
	   compare_places);
  for (size_t i = 0; i < outline->place_count; i++)
    if (kept == 0
	|| compare_places (&outline->places[kept - 1], &outline->places[i])
	     != 0)
      outline->places[kept++] = outline->places[i];
  outline->place_count = kept;
  kept = 0;
  if (outline->call_count > 0)
    qsort (outline->calls, outline->call_count, sizeof *outline->calls,
	   compare_calls);
  for (size_t i = 0; i < outline->call_count; i++)
    if (kept == 0
	|| compare_calls (&outline->calls[kept - 1], &outline->calls[i]) != 0)
      outline->calls[kept++] = outline->calls[i];
    else
      outline->calls[kept - 1].is_inlined |= outline->calls[i].is_inlined;
  outline->call_count = kept;
}

bool
function_outlines_make (struct function_outlines *outlines,
			const struct sample_profile *profile,
			const uint32_t *names, uint32_t name_count)
{
  uint32_t count = sample_profile_name_count (profile);
  uint32_t *own = NULL;
  *outlines
    = (struct function_outlines){ .name_count = name_count,
				  .has_only_calls = outlines->has_only_calls,
				  .unknown = outlines->unknown };
  outlines->by_name = calloc ((size_t) name_count + 1, sizeof (uint32_t));
  bool is_done = outlines->by_name != NULL;
  if (names == NULL)
    {
      names = own = calloc ((size_t) count + 1, sizeof *own);
      is_done = is_done && own != NULL;
      for (uint32_t i = 0; i < count && is_done; i++)
	own[i] = i;
    }
  for (uint32_t i = 0; i < sample_profile_function_count (profile) && is_done;
       i++)
    is_done
      = add_function (outlines, sample_profile_function (profile, i), names);
  for (size_t i = 0; i < outlines->count && is_done; i++)
    sort_outline (&outlines->outlines[i]);
  free (own);
  return is_done;
}

/* Return the number of places of OUTLINE before LOCATION.  */
static size_t
find_place (const struct function_outline *outline,
	    struct sample_location location)
{
  size_t low = 0;
  size_t high = outline->place_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (outline_compare (outline->places[middle], location) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

bool
function_outline_has (const struct function_outline *outline,
		      struct sample_location location)
{
  size_t i = find_place (outline, location);
  return i < outline->place_count
	 && outline_compare (outline->places[i], location) == 0;
}

bool
function_outline_has_line (const struct function_outline *outline, int line)
{
  const struct sample_location first = { (uint32_t) line & 0xffff, 0 };
  size_t i = find_place (outline, first);
  return i < outline->place_count && outline_line (outline->places[i]) == line;
}

static int
compare_with_call (const void *location, const void *call)
{
  return outline_compare (*(const struct sample_location *) location,
			  ((const struct outline_call *) call)->location);
}

bool
function_outline_has_call (const struct function_outline *outline,
			   struct sample_location location)
{
  return outline->call_count > 0
	 && bsearch (&location, outline->calls, outline->call_count,
		     sizeof *outline->calls, compare_with_call)
	      != NULL;
}

unsigned int
function_outline_score (const struct function_outline *before,
			struct sample_location location, int shift,
			const struct function_outline *after)
{
  struct sample_location moved = outline_shifted (location, shift);
  if (function_outline_has (after, moved)
      && function_outline_has_call (before, location)
	   == function_outline_has_call (after, moved))
    return OUTLINE_EXACT_SCORE;
  return !before->has_only_calls
	     && function_outline_has_line (after, outline_line (moved))
	   ? OUTLINE_LINE_SCORE
	   : 0;
}
