/* Matching of the places of two sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-match.h"
#include "function-name.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
sample_measure_name (int measure)
{
  static const char *const names[SAMPLE_MEASURES]
    = { "body_samples", "call_targets", "vtables", "head_samples" };
  return names[measure];
}

const char *
sample_measure_title (int measure)
{
  static const char *const titles[SAMPLE_MEASURES]
    = { "body samples", "call targets", "vtables", "head samples" };
  return titles[measure];
}

/* ---- Names.  */

/* Set NUMBERS to the numbers in COMMON of all names of PROFILE.  */
static bool
number_names (struct sample_profile *common,
	      const struct sample_profile *profile, uint32_t *numbers)
{
  uint32_t count = sample_profile_name_count (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      numbers[i] = sample_profile_copy_name (common, profile, i);
      if (numbers[i] == SAMPLE_NO_NAME)
	return false;
    }
  return true;
}

/* Translate NUMBERS, common numbers of the COUNT names of one profile, to
   numbers of the other profile, whose OTHER_COUNT names have the common numbers
   OTHERS.  NAMES has room for all COMMON_COUNT names.  */
static void
translate (uint32_t *numbers, uint32_t count, const uint32_t *others,
	   uint32_t other_count, uint32_t *names, uint32_t common_count)
{
  memset (names, 0xff, common_count * sizeof *names);
  for (uint32_t i = 0; i < other_count; i++)
    names[others[i]] = i;
  for (uint32_t i = 0; i < count; i++)
    numbers[i] = names[numbers[i]];
}

/* Match the names through the numbers of COMMON, which is empty.  */
static bool
match_names (struct sample_match *match, struct sample_profile *common)
{
  uint32_t counts[2];
  uint32_t *numbers = NULL;
  uint32_t *names = NULL;
  bool is_done = true;
  for (int side = 0; side < 2 && is_done; side++)
    {
      counts[side] = sample_profile_name_count (match->profiles[side]);
      match->names[side]
	= malloc ((counts[side] + (size_t) 1) * sizeof *match->names[side]);
      is_done
	= match->names[side] != NULL
	  && number_names (common, match->profiles[side], match->names[side]);
    }
  if (is_done)
    {
      uint32_t common_count = sample_profile_name_count (common);
      numbers = malloc ((counts[0] + (size_t) 1) * sizeof *numbers);
      names = malloc ((common_count + (size_t) 1) * sizeof *names);
      is_done = numbers != NULL && names != NULL;
      if (is_done)
	{
	  memcpy (numbers, match->names[0], counts[0] * sizeof *numbers);
	  translate (match->names[0], counts[0], match->names[1], counts[1],
		     names, common_count);
	  translate (match->names[1], counts[1], numbers, counts[0], names,
		     common_count);
	}
    }
  free (numbers);
  free (names);
  return is_done;
}

/* Allocate room for the callers of any function.  */
static bool
make_callers (struct sample_match *match)
{
  uint32_t most = 0;
  for (int side = 0; side < 2; side++)
    {
      const struct sample_profile *profile = match->profiles[side];
      uint32_t count = sample_profile_function_count (profile);
      for (uint32_t i = 0; i < count; i++)
	{
	  uint32_t callers = sample_profile_function (profile, i)->caller_count;
	  most = callers > most ? callers : most;
	}
    }
  match->callers = malloc ((most + (size_t) 1) * sizeof *match->callers);
  return match->callers != NULL;
}

bool
sample_match_make (struct sample_match *match,
		   const struct sample_profile *const profiles[2],
		   struct profile_error *err)
{
  *match = (struct sample_match){ .profiles = { profiles[0], profiles[1] } };
  struct sample_profile *common = sample_profile_new ();
  bool is_possible = true;
  bool is_done = common != NULL;
  for (int side = 0; side < 2 && is_done && is_possible; side++)
    is_possible
      = sample_profile_add_flags (common, sample_profile_flags (profiles[side]),
				  sample_profile_function_count (profiles[side])
				    > 0,
				  err);
  is_done = is_done
	    && (!is_possible
		|| (match_names (match, common) && make_callers (match)));
  sample_profile_free (common);
  if (!is_done)
    profile_error_set_memory (err, NULL);
  return is_done && is_possible;
}

void
sample_match_release (struct sample_match *match)
{
  free (match->names[0]);
  free (match->names[1]);
  free (match->callers);
}

/* ---- Functions.  */

const struct sample_function *
sample_match_find (const struct sample_match *match, int side,
		   const struct sample_function *function)
{
  const uint32_t *names = match->names[side];
  uint32_t name = names[function->name];
  for (uint32_t i = 0; i < function->caller_count; i++)
    {
      match->callers[i] = function->callers[i];
      match->callers[i].name = names[function->callers[i].name];
      if (match->callers[i].name == SAMPLE_NO_NAME)
	return NULL;
    }
  return name != SAMPLE_NO_NAME
	   ? sample_profile_find_function (match->profiles[!side],
					   match->callers,
					   function->caller_count, name)
	   : NULL;
}

/* ---- Places.  */

struct visiting
{
  const struct sample_match *match;
  sample_place_visitor *visit;
  void *data;
};

static int
compare_counts (const void *key, const void *element)
{
  uint32_t name = *(const uint32_t *) key;
  uint32_t other = ((const struct sample_count *) element)->name;
  return (name > other) - (name < other);
}

/* Return the count of NAME in COUNTS; NULL if there is none.  */
static const struct sample_count *
find_count (const struct sample_counts *counts, uint32_t name)
{
  return counts != NULL && counts->count > 0 && name != SAMPLE_NO_NAME
	   ? bsearch (&name, counts->counts, counts->count,
		      sizeof *counts->counts, compare_counts)
	   : NULL;
}

/* Visit COUNTS, which are at the same location; either may be NULL.  */
static void
visit_counts (const struct visiting *visiting, enum sample_measure measure,
	      const struct sample_counts *const counts[2])
{
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; counts[side] != NULL && i < counts[side]->count; i++)
      {
	const struct sample_count *own = &counts[side]->counts[i];
	const struct sample_count *same
	  = find_count (counts[!side], visiting->match->names[side][own->name]);
	if (same != NULL && side == 1)
	  continue;
	uint64_t values[2];
	values[side] = own->count;
	values[!side] = same != NULL ? same->count : 0;
	visiting->visit (visiting->data, measure, values);
      }
}

static void
visit_bodies (const struct visiting *visiting,
	      const struct sample_function *const functions[2])
{
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0;
	 functions[side] != NULL && i < functions[side]->body_count; i++)
      {
	const struct sample_body *own = &functions[side]->bodies[i];
	const struct sample_body *same
	  = functions[!side] != NULL
	      ? sample_function_find_body (functions[!side], own->location)
	      : NULL;
	if (same != NULL && side == 1)
	  continue;
	uint64_t values[2];
	const struct sample_counts *targets[2];
	values[side] = own->count;
	values[!side] = same != NULL ? same->count : 0;
	targets[side] = &own->targets;
	targets[!side] = same != NULL ? &same->targets : NULL;
	visiting->visit (visiting->data, SAMPLE_BODIES, values);
	visit_counts (visiting, SAMPLE_CALL_TARGETS, targets);
      }
}

static void
visit_vtables (const struct visiting *visiting,
	       const struct sample_function *const functions[2])
{
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0;
	 functions[side] != NULL && i < functions[side]->vtables_count; i++)
      {
	const struct sample_vtables *own = &functions[side]->vtables[i];
	const struct sample_vtables *same
	  = functions[!side] != NULL
	      ? sample_function_find_vtables (functions[!side], own->location)
	      : NULL;
	if (same != NULL && side == 1)
	  continue;
	const struct sample_counts *tables[2];
	tables[side] = &own->tables;
	tables[!side] = same != NULL ? &same->tables : NULL;
	visit_counts (visiting, SAMPLE_VTABLES, tables);
      }
}

/* Return the inlinee of FUNCTION, in the other profile or NULL, that matches
   that of SITE in profile SIDE.  */
static const struct sample_function *
find_inlinee (const struct sample_match *match, int side,
	      const struct sample_call_site *site,
	      const struct sample_function *function)
{
  uint32_t name = match->names[side][site->inlinee->name];
  return function != NULL && name != SAMPLE_NO_NAME
	   ? sample_function_find_inlinee (function, site->location, name)
	   : NULL;
}

/* The recursion is as deep as inlined calls are nested: at most
   SAMPLE_DEEPEST.  */
static void
visit_function (const struct visiting *visiting,
		const struct sample_function *const functions[2])
{
  visit_bodies (visiting, functions);
  visit_vtables (visiting, functions);
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0;
	 functions[side] != NULL && i < functions[side]->call_site_count; i++)
      {
	const struct sample_call_site *site = &functions[side]->call_sites[i];
	const struct sample_function *inlinees[2];
	inlinees[side] = site->inlinee;
	inlinees[!side]
	  = find_inlinee (visiting->match, side, site, functions[!side]);
	if (inlinees[!side] == NULL || side == 0)
	  visit_function (visiting, inlinees);
      }
}

void
sample_match_visit (const struct sample_match *match,
		    const struct sample_function *const functions[2],
		    sample_place_visitor *visit, void *data)
{
  const struct visiting visiting = { match, visit, data };
  uint64_t heads[2];
  for (int side = 0; side < 2; side++)
    heads[side] = functions[side] != NULL ? functions[side]->head : 0;
  visit (data, SAMPLE_HEADS, heads);
  visit_function (&visiting, functions);
}

/* ---- Titles of functions.  */

static void
print_name (FILE *stream, const struct sample_profile *profile, uint32_t name,
	    bool demangle)
{
  const char *text = sample_profile_name (profile, name);
  char *demangled
    = text != NULL && demangle ? function_name_demangle (text, true) : NULL;
  if (text == NULL)
    fprintf (stream, "%" PRIu64, sample_profile_name_guid (profile, name));
  else
    fputs (demangled != NULL ? demangled : text, stream);
  free (demangled);
}

char *
sample_function_title (const struct sample_profile *profile,
		       const struct sample_function *function, bool demangle)
{
  char *title = NULL;
  size_t size;
  FILE *stream = open_memstream (&title, &size);
  if (stream == NULL)
    return NULL;
  for (uint32_t i = 0; i < function->caller_count; i++)
    {
      const struct sample_frame *frame = &function->callers[i];
      print_name (stream, profile, frame->name, demangle);
      fprintf (stream, ":%" PRIu32, frame->location.line);
      if (frame->location.discriminator != 0)
	fprintf (stream, ".%" PRIu32, frame->location.discriminator);
      fputs (" @ ", stream);
    }
  print_name (stream, profile, function->name, demangle);
  if (fclose (stream) == 0)
    return title;
  free (title);
  return NULL;
}
