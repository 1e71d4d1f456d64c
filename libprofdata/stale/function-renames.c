/* Functions that were renamed between two versions of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-renames.h"
#include "common-subsequence.h"
#include "function-align.h"
#include "plain-name.h"
#include <stdlib.h>
#include <string.h>

/* Renames change what calls are called, which may show more renames.  */
#define ROUNDS 3

/* Calls of functions that more new functions have say nothing.  */
#define MOST_CALLERS 32

/* Names between two calls that are compared with each other.  */
#define MOST_IN_GAP 8

/* The likeness of two functions is from 0 to 1.  Least likeness with an equal
   plain name or equal callers, with both, and without either.  */
#define LEAST_WITH_HINT 0.4
#define LEAST_WITH_HINTS 0.2
#define LEAST_ALONE 0.8

/* Without a hint, functions with fewer calls and fewer places are not
   compared.  */
#define LEAST_CALLS 3
#define LEAST_PLACES 12

enum hint
{
  HINT_NAME = 1,
  HINT_CALLER = 2,
  HINT_ORDER = 4 /* with equal callers: in the same order there */
};

/* What the order adds to the likeness, to choose among equal ones.  */
#define ORDER_LIKENESS 0.01

/* A function that is gone, and a new one.  */
struct candidate
{
  uint32_t before; /* names */
  uint32_t after;
  uint32_t hints; /* of enum hint */
  double likeness;
};

struct renaming
{
  uint32_t *renamed;
  const struct function_outlines *before;
  const struct function_outlines *after;
  const struct sample_profile *names;
  struct candidate *candidates;
  size_t count;
  size_t capacity;
};

static bool
is_gone (const struct renaming *work, uint32_t name)
{
  return work->renamed[name] == name
	 && function_outlines_find (work->before, name) != NULL
	 && function_outlines_find (work->after, name) == NULL;
}

/* Return true if NAME is new, and not yet the new name of another function.  */
static bool
is_new (const struct renaming *work, uint32_t name)
{
  return function_outlines_find (work->after, name) != NULL
	 && function_outlines_find (work->before, name) == NULL;
}

static bool
add_candidate (struct renaming *work, uint32_t before, uint32_t after,
	       uint32_t hint)
{
  if (work->count == work->capacity)
    {
      size_t capacity = work->capacity > 0 ? 2 * work->capacity : 64;
      void *grown
	= realloc (work->candidates, capacity * sizeof *work->candidates);
      if (grown == NULL)
	return false;
      work->candidates = grown;
      work->capacity = capacity;
    }
  work->candidates[work->count++]
    = (struct candidate){ before, after, hint, 0.0 };
  return true;
}

/* ---- Candidates by callers.  */

/* The calls without a partner between two calls with partners.  */
struct strangers
{
  uint32_t before[MOST_IN_GAP];
  uint32_t after[MOST_IN_GAP];
  size_t before_count;
  size_t after_count;
};

static bool
add_strangers (struct renaming *work, const struct strangers *strangers)
{
  bool is_paired = strangers->before_count == strangers->after_count;
  for (size_t i = 0; i < strangers->before_count; i++)
    for (size_t k = 0; k < strangers->after_count; k++)
      if (!add_candidate (work, strangers->before[i], strangers->after[k],
			  is_paired && i == k ? HINT_CALLER | HINT_ORDER
					      : HINT_CALLER))
	return false;
  return true;
}

/* Add the new functions called from FROM up to TO of AFTER.  */
static void
collect_new (const struct renaming *work, const struct function_outline *after,
	     size_t from, size_t to, struct strangers *strangers)
{
  for (size_t i = from; i < to; i++)
    if (is_new (work, after->calls[i].name)
	&& strangers->after_count < MOST_IN_GAP)
      strangers->after[strangers->after_count++] = after->calls[i].name;
}

/* Add the candidates between the calls that BEFORE and AFTER share.  */
static bool
compare_callers (struct renaming *work, const struct function_outline *before,
		 const struct function_outline *after)
{
  struct function_alignment alignment;
  struct strangers strangers = { 0 };
  size_t from = 0;
  bool is_done = function_align (&alignment, before, after, work->renamed);
  for (size_t i = 0; i <= before->call_count && is_done; i++)
    {
      uint32_t partner = i < before->call_count ? alignment.partners[i]
						: (uint32_t) after->call_count;
      if (partner == SUBSEQUENCE_NONE)
	{
	  uint32_t name = before->calls[i].name;
	  if (is_gone (work, name) && strangers.before_count < MOST_IN_GAP)
	    strangers.before[strangers.before_count++] = name;
	  continue;
	}
      collect_new (work, after, from, partner, &strangers);
      is_done = add_strangers (work, &strangers);
      strangers = (struct strangers){ 0 };
      from = (size_t) partner + 1;
    }
  function_alignment_release (&alignment);
  return is_done;
}

static bool
add_by_callers (struct renaming *work)
{
  for (size_t i = 0; i < work->before->count; i++)
    {
      const struct function_outline *before = &work->before->outlines[i];
      const struct function_outline *after
	= function_outlines_find (work->after, work->renamed[before->name]);
      if (after != NULL && !compare_callers (work, before, after))
	return false;
    }
  return true;
}

/* ---- Candidates by what a new function has: its plain name, or a call.  */

/* A new function with what it has.  */
struct feature
{
  uint64_t key;
  uint32_t name;
};

struct features
{
  struct feature *features;
  size_t count;
};

static int
compare_features (const void *element1, const void *element2)
{
  const struct feature *x = element1;
  const struct feature *y = element2;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->name < y->name ? -1 : x->name > y->name;
}

/* Add every new function with the KEY of a function that is gone, BEFORE,
   unless too many have it.  */
static bool
add_with_key (struct renaming *work, const struct features *features,
	      uint64_t key, uint32_t before, uint32_t hint)
{
  size_t low = 0;
  size_t high = features->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (features->features[middle].key < key)
	low = middle + 1;
      else
	high = middle;
    }
  while (high < features->count && features->features[high].key == key)
    high++;
  if (high - low > MOST_CALLERS)
    return true;
  for (size_t i = low; i < high; i++)
    if (!add_candidate (work, before, features->features[i].name, hint))
      return false;
  return true;
}

static uint64_t
plain_name_key (const struct renaming *work, uint32_t name)
{
  const char *text = sample_profile_name (work->names, name);
  return text != NULL ? plain_name_hash (text) : 0;
}

static bool
add_by_plain_names (struct renaming *work)
{
  struct features features = { 0 };
  features.features
    = calloc (work->after->count + 1, sizeof *features.features);
  bool is_done = features.features != NULL;
  for (size_t i = 0; i < work->after->count && is_done; i++)
    {
      uint32_t name = work->after->outlines[i].name;
      uint64_t key = is_new (work, name) ? plain_name_key (work, name) : 0;
      if (key != 0)
	features.features[features.count++] = (struct feature){ key, name };
    }
  if (features.count > 0)
    qsort (features.features, features.count, sizeof *features.features,
	   compare_features);
  for (size_t i = 0; i < work->before->count && is_done; i++)
    {
      uint32_t name = work->before->outlines[i].name;
      uint64_t key = is_gone (work, name) ? plain_name_key (work, name) : 0;
      is_done
	= key == 0 || add_with_key (work, &features, key, name, HINT_NAME);
    }
  free (features.features);
  return is_done;
}

static bool
add_by_calls (struct renaming *work)
{
  struct features features = { 0 };
  size_t calls = 0;
  for (size_t i = 0; i < work->after->count; i++)
    calls += work->after->outlines[i].call_count;
  features.features = calloc (calls + 1, sizeof *features.features);
  bool is_done = features.features != NULL;
  for (size_t i = 0; i < work->after->count && is_done; i++)
    {
      const struct function_outline *after = &work->after->outlines[i];
      for (size_t k = 0; k < after->call_count && is_new (work, after->name);
	   k++)
	features.features[features.count++]
	  = (struct feature){ after->calls[k].name, after->name };
    }
  if (features.count > 0)
    qsort (features.features, features.count, sizeof *features.features,
	   compare_features);
  for (size_t i = 0; i < work->before->count && is_done; i++)
    {
      const struct function_outline *before = &work->before->outlines[i];
      if (!is_gone (work, before->name) || before->call_count < LEAST_CALLS)
	continue;
      for (size_t k = 0; k < before->call_count && is_done; k++)
	is_done
	  = add_with_key (work, &features, work->renamed[before->calls[k].name],
			  before->name, 0);
    }
  free (features.features);
  return is_done;
}

/* A key for all the places of OUTLINE; 0 if it has too few.  */
static uint64_t
places_key (const struct function_outline *outline)
{
  uint64_t key = outline->place_count;
  if (outline->place_count < LEAST_PLACES)
    return 0;
  for (size_t i = 0; i < outline->place_count; i++)
    key = (key
	   ^ ((uint64_t) outline->places[i].line << 32
	      | outline->places[i].discriminator))
	  * UINT64_C (0x9e3779b97f4a7c15);
  return key;
}

static bool
add_by_places (struct renaming *work)
{
  struct features features = { 0 };
  features.features
    = calloc (work->after->count + 1, sizeof *features.features);
  bool is_done = features.features != NULL;
  for (size_t i = 0; i < work->after->count && is_done; i++)
    {
      const struct function_outline *after = &work->after->outlines[i];
      uint64_t key = is_new (work, after->name) ? places_key (after) : 0;
      if (key != 0)
	features.features[features.count++]
	  = (struct feature){ key, after->name };
    }
  if (features.count > 0)
    qsort (features.features, features.count, sizeof *features.features,
	   compare_features);
  for (size_t i = 0; i < work->before->count && is_done; i++)
    {
      const struct function_outline *before = &work->before->outlines[i];
      uint64_t key = is_gone (work, before->name) ? places_key (before) : 0;
      is_done
	= key == 0 || add_with_key (work, &features, key, before->name, 0);
    }
  free (features.features);
  return is_done;
}

/* ---- The choice.  */

static int
compare_pairs (const void *element1, const void *element2)
{
  const struct candidate *x = element1;
  const struct candidate *y = element2;
  if (x->before != y->before)
    return x->before < y->before ? -1 : 1;
  return x->after < y->after ? -1 : x->after > y->after;
}

/* The most alike first.  */
static int
compare_likeness (const void *element1, const void *element2)
{
  const struct candidate *x = element1;
  const struct candidate *y = element2;
  if (x->likeness != y->likeness)
    return x->likeness > y->likeness ? -1 : 1;
  return compare_pairs (element1, element2);
}

static void
join_candidates (struct renaming *work)
{
  size_t kept = 0;
  if (work->count > 0)
    qsort (work->candidates, work->count, sizeof *work->candidates,
	   compare_pairs);
  for (size_t i = 0; i < work->count; i++)
    if (kept > 0
	&& compare_pairs (&work->candidates[kept - 1], &work->candidates[i])
	     == 0)
      work->candidates[kept - 1].hints |= work->candidates[i].hints;
    else
      work->candidates[kept++] = work->candidates[i];
  work->count = kept;
}

/* Return how many places of X are places of Y, too.  */
static size_t
common_places (const struct function_outline *x,
	       const struct function_outline *y)
{
  size_t common = 0;
  for (size_t i = 0; i < x->place_count; i++)
    common += function_outline_has (y, x->places[i]);
  return common;
}

/* Set how alike the functions of CANDIDATE are: a value above 1 for each hint
   that is evidence.  */
static bool
rate (const struct renaming *work, struct candidate *candidate)
{
  const struct function_outline *x
    = function_outlines_find (work->before, candidate->before);
  const struct function_outline *y
    = function_outlines_find (work->after, candidate->after);
  struct function_alignment alignment;
  if (!function_align (&alignment, x, y, work->renamed))
    {
      function_alignment_release (&alignment);
      return false;
    }
  /* A profile that has only some calls lacks the others.  */
  size_t calls
    = x->has_only_calls ? 2 * x->call_count : x->call_count + y->call_count;
  size_t places = x->has_only_calls ? 0 : x->place_count + y->place_count;
  double likeness
    = places > 0 ? 2.0 * (double) common_places (x, y) / (double) places : 0.0;
  if (x->has_only_calls && calls > 0)
    likeness = 2.0 * (double) alignment.call_count / (double) calls;
  else if (calls > 0)
    likeness = 0.4 * likeness
	       + 0.6 * 2.0 * (double) alignment.call_count / (double) calls;
  function_alignment_release (&alignment);
  unsigned int hints = (candidate->hints & HINT_NAME ? 1u : 0u)
		       + (candidate->hints & HINT_CALLER ? 1u : 0u);
  double least = hints == 2   ? LEAST_WITH_HINTS
		 : hints == 1 ? LEAST_WITH_HINT
			      : LEAST_ALONE;
  candidate->likeness
    = likeness >= least
	? likeness + hints
	    + (candidate->hints & HINT_ORDER ? ORDER_LIKENESS : 0.0)
	: 0.0;
  return true;
}

/* Choose the most alike pairs, each function once.  Set *HAS_NEW if there are
   any.  */
static bool
choose (struct renaming *work, bool *has_new)
{
  bool *taken = calloc ((size_t) work->after->name_count + 1, sizeof *taken);
  if (taken == NULL)
    return false;
  for (size_t i = 0; i < work->before->count; i++)
    taken[work->renamed[work->before->outlines[i].name]] = true;
  if (work->count > 0)
    qsort (work->candidates, work->count, sizeof *work->candidates,
	   compare_likeness);
  for (size_t i = 0; i < work->count && work->candidates[i].likeness > 0; i++)
    {
      const struct candidate *candidate = &work->candidates[i];
      if (taken[candidate->after] || !is_gone (work, candidate->before))
	continue;
      work->renamed[candidate->before] = candidate->after;
      taken[candidate->after] = true;
      *has_new = true;
    }
  free (taken);
  return true;
}

bool
function_renames_find (uint32_t *renamed,
		       const struct function_outlines *before,
		       const struct function_outlines *after,
		       const struct sample_profile *names)
{
  struct renaming work
    = { .renamed = renamed, .before = before, .after = after, .names = names };
  bool is_done = true;
  bool has_new = true;
  for (int round = 0; round < ROUNDS && has_new && is_done; round++)
    {
      work.count = 0;
      has_new = false;
      is_done = add_by_callers (&work) && add_by_plain_names (&work)
		&& add_by_calls (&work) && add_by_places (&work);
      if (is_done)
	join_candidates (&work);
      for (size_t i = 0; i < work.count && is_done; i++)
	is_done = rate (&work, &work.candidates[i]);
      is_done = is_done && choose (&work, &has_new);
    }
  free (work.candidates);
  return is_done;
}
