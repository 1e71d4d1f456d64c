/* Differences between the counters of two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff.h"
#include "function-name.h"
#include "function-sums.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(DIFF_FUNCTION_MEASURES == 1 + COUNTER_VALUE_KINDS,
	       "counters have other measures");

/* Set the sums of ENTRY for SIDE to those of FUNCTION, which may be NULL.  */
static void
sum_function (struct diff_function *entry, int side,
	      const struct counter_function *function)
{
  if (function == NULL)
    return;
  struct function_sums sums = function_sums_of (function);
  entry->sums[0][side] = sums.counts;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    entry->sums[1 + kind][side] = sums.values[kind];
}

static bool
is_equal_site (const struct counter_value_site *a,
	       const struct counter_value_site *b)
{
  return (a->count == b->count
	  && (a->count == 0
	      || memcmp (a->values, b->values, a->count * sizeof *a->values)
		   == 0));
}

/* Return true if A and B, which have the same shape, have equal bitmaps and
   values.  */
static bool
is_rest_equal (const struct counter_function *a,
	       const struct counter_function *b)
{
  const struct counter_shape *shape = &a->shape;
  if (shape->bitmap_bytes > 0
      && memcmp (a->bitmap, b->bitmap, shape->bitmap_bytes) != 0)
    return false;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < shape->site_counts[kind]; i++)
      if (!is_equal_site (&a->sites[kind][i], &b->sites[kind][i]))
	return false;
  return true;
}

/* Determine how the functions A and B of ENTRY differ.  */
static void
compare_functions (struct diff_function *entry,
		   const struct counter_function *a,
		   const struct counter_function *b)
{
  const struct counter_function *any = a != NULL ? a : b;
  entry->hash = any->hash;
  entry->place_count = any->shape.counter_count;
  if (a == NULL || b == NULL)
    {
      entry->status = a == NULL ? DIFF_ADDED : DIFF_REMOVED;
      entry->changed_places = entry->place_count;
      return;
    }
  for (uint32_t i = 0; i < a->shape.counter_count; i++)
    entry->changed_places += a->counters[i] != b->counters[i];
  entry->status = entry->changed_places > 0 || !is_rest_equal (a, b)
		    ? DIFF_CHANGED
		    : DIFF_UNCHANGED;
}

/* Add the functions A and B, either of which may be NULL, called NAME.  */
static void
add_functions (struct diff_functions *diff, const char *name,
	       const struct counter_function *a,
	       const struct counter_function *b,
	       const struct pattern_list *expression)
{
  struct diff_function entry = { .name = name };
  sum_function (&entry, DIFF_A, a);
  sum_function (&entry, DIFF_B, b);
  compare_functions (&entry, a, b);
  diff_functions_add (diff, &entry,
		      expression == NULL
			|| function_name_matches (name, expression));
}

/* Return the function in OTHER that matches FUNCTION of PROFILE; NULL if none,
   or if OTHER is NULL.  */
static const struct counter_function *
find_same (const struct counter_profile *profile,
	   const struct counter_function *function,
	   const struct counter_profile *other)
{
  if (other == NULL)
    return NULL;
  uint32_t name
    = counter_profile_find_guid (other,
				 counter_profile_name_guid (profile,
							    function->name));
  return name != UINT32_MAX
	   ? counter_profile_find_function (other, name, function->hash,
					    &function->shape)
	   : NULL;
}

/* Add all functions of A and B, either of which may be NULL.  */
static void
add_profiles (struct diff_functions *diff, const struct counter_profile *a,
	      const struct counter_profile *b,
	      const struct pattern_list *expression)
{
  for (uint32_t i = 0; a != NULL && i < counter_profile_function_count (a); i++)
    {
      const struct counter_function *function = counter_profile_function (a, i);
      add_functions (diff, counter_profile_name (a, function->name), function,
		     find_same (a, function, b), expression);
    }
  for (uint32_t i = 0; b != NULL && i < counter_profile_function_count (b); i++)
    {
      const struct counter_function *function = counter_profile_function (b, i);
      if (find_same (b, function, a) == NULL)
	add_functions (diff, counter_profile_name (b, function->name), NULL,
		       function, expression);
    }
}

bool
diff_counters_make (struct diff_functions *diff,
		    const struct profile_pair *pair,
		    const struct pair_options *options)
{
  const struct counter_profile *a = pair->profiles[DIFF_A]->counters;
  const struct counter_profile *b = pair->profiles[DIFF_B]->counters;
  size_t room = 0;
  if (a != NULL)
    room += counter_profile_function_count (a);
  if (b != NULL)
    room += counter_profile_function_count (b);
  if (!diff_functions_init (diff, room))
    return false;
  add_profiles (diff, a, b, options->function);
  diff_functions_sort (diff);
  return true;
}

const char *
diff_counter_measure_name (int measure)
{
  static const char *const names[DIFF_FUNCTION_MEASURES]
    = { "counts", "call_targets", "memop_sizes", "vtables" };
  return names[measure];
}
