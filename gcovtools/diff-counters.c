/* What changed from one profile of counters to another.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff.h"
#include "function-name.h"
#include "function-sums.h"
#include <stdlib.h>
#include <string.h>

/* Fill the sums of ENTRY for SIDE.  */
static void
sum_function (struct diff_function *entry, int side)
{
  if (entry->functions[side] == NULL)
    return;
  struct function_sums sums = function_sums_of (entry->functions[side]);
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

/* Do A and B, of one shape, have equal bitmaps and values?  */
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

/* Find out how the functions of ENTRY differ.  */
static void
compare_functions (struct diff_function *entry)
{
  const struct counter_function *a = entry->functions[DIFF_A];
  const struct counter_function *b = entry->functions[DIFF_B];
  if (a == NULL || b == NULL)
    {
      const struct counter_function *only = a == NULL ? b : a;
      entry->status = a == NULL ? DIFF_ADDED : DIFF_REMOVED;
      entry->changed_counters = only->shape.counter_count;
      return;
    }
  for (uint32_t i = 0; i < a->shape.counter_count; i++)
    entry->changed_counters += a->counters[i] != b->counters[i];
  entry->status = entry->changed_counters > 0 || !is_rest_equal (a, b)
		    ? DIFF_CHANGED : DIFF_UNCHANGED;
}

/* Enter the functions A and B, either of which may be NULL, called NAME.  */
static void
add_functions (struct diff_counters *diff, const char *name,
	       const struct counter_function *a,
	       const struct counter_function *b, const struct pattern_list *expression)
{
  struct diff_function entry = { .functions = { a, b }, .name = name };
  sum_function (&entry, DIFF_A);
  sum_function (&entry, DIFF_B);
  compare_functions (&entry);
  diff->counts[entry.status]++;
  for (int i = 0; i < DIFF_COUNTER_MEASURES; i++)
    diff_measure_add (&diff->measures[i], entry.status, entry.sums[i]);
  entry.change
    = (diff_number) entry.sums[0][DIFF_B] - entry.sums[0][DIFF_A];
  if (entry.status != DIFF_UNCHANGED
      && (expression == NULL || function_name_matches (name, expression)))
    diff->listed[diff->listed_count++] = entry;
}

/* The function in OTHER that is the same as FUNCTION of PROFILE; NULL if there
   is none, or OTHER is NULL.  */
static const struct counter_function *
find_same (const struct counter_profile *profile,
	   const struct counter_function *function,
	   const struct counter_profile *other)
{
  if (other == NULL)
    return NULL;
  uint32_t name = counter_profile_find_guid (
    other, counter_profile_name_guid (profile, function->name));
  return name != UINT32_MAX
	   ? counter_profile_find_function (other, name, function->hash,
					    &function->shape)
	   : NULL;
}

/* Enter all functions of A and B, either of which may be NULL.  */
static void
add_profiles (struct diff_counters *diff, const struct counter_profile *a,
	      const struct counter_profile *b, const struct pattern_list *expression)
{
  for (uint32_t i = 0; a != NULL && i < counter_profile_function_count (a);
       i++)
    {
      const struct counter_function *function
	= counter_profile_function (a, i);
      add_functions (diff, counter_profile_name (a, function->name), function,
		     find_same (a, function, b), expression);
    }
  for (uint32_t i = 0; b != NULL && i < counter_profile_function_count (b);
       i++)
    {
      const struct counter_function *function
	= counter_profile_function (b, i);
      if (find_same (b, function, a) == NULL)
	add_functions (diff, counter_profile_name (b, function->name), NULL,
		       function, expression);
    }
}

static uint64_t
hash_of (const struct diff_function *entry)
{
  const struct counter_function *a = entry->functions[DIFF_A];
  return a != NULL ? a->hash : entry->functions[DIFF_B]->hash;
}

static int
compare_entries (const void *element1, const void *element2)
{
  const struct diff_function *a = element1;
  const struct diff_function *b = element2;
  diff_number change1 = a->change < 0 ? -a->change : a->change;
  diff_number change2 = b->change < 0 ? -b->change : b->change;
  if (change1 != change2)
    return change1 > change2 ? -1 : 1;
  int order = strcmp (a->name, b->name);
  if (order != 0)
    return order;
  uint64_t hash1 = hash_of (a);
  uint64_t hash2 = hash_of (b);
  return hash1 != hash2 ? (hash1 > hash2) - (hash1 < hash2)
			: (int) a->status - (int) b->status;
}

bool
diff_counters_make (struct diff_counters *diff,
		    const struct profile_pair *pair,
		    const struct pair_options *options)
{
  const struct counter_profile *a = pair->profiles[DIFF_A]->counters;
  const struct counter_profile *b = pair->profiles[DIFF_B]->counters;
  size_t room = 1;
  if (a != NULL)
    room += counter_profile_function_count (a);
  if (b != NULL)
    room += counter_profile_function_count (b);
  *diff = (struct diff_counters){ 0 };
  diff->listed = calloc (room, sizeof *diff->listed);
  if (diff->listed == NULL)
    return false;
  add_profiles (diff, a, b, options->function);
  qsort (diff->listed, diff->listed_count, sizeof *diff->listed,
	 compare_entries);
  return true;
}

void
diff_counters_release (struct diff_counters *diff)
{
  free (diff->listed);
}

const char *
diff_counter_measure_name (int measure)
{
  static const char *const names[DIFF_COUNTER_MEASURES]
    = { "counts", "call_targets", "memop_sizes", "vtables" };
  return names[measure];
}
