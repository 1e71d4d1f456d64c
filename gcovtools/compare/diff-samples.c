/* Differences between two sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "diff.h"
#include "function-name.h"
#include "sample-match.h"
#include <stdlib.h>

_Static_assert(DIFF_FUNCTION_MEASURES == SAMPLE_MEASURES,
	       "samples have other measures");

/* Add a place to the function DATA.  */
static void
add_place (void *data, enum sample_measure measure, const uint64_t values[2])
{
  struct diff_function *entry = data;
  for (int side = 0; side < 2; side++)
    sample_count_add (&entry->sums[measure][side], values[side]);
  entry->place_count++;
  entry->changed_places += values[DIFF_A] != values[DIFF_B];
}

static bool
is_listed (const struct sample_profile *profile,
	   const struct sample_function *function,
	   const struct pattern_list *expression)
{
  const char *name = sample_profile_name (profile, function->name);
  return (expression == NULL
	  || (name != NULL && function_name_matches (name, expression)));
}

/* Add FUNCTIONS, which match each other; either may be NULL.  */
static bool
add_functions (struct diff_functions *diff, const struct sample_match *match,
	       const struct sample_function *const functions[2],
	       const struct pair_options *options)
{
  int side = functions[DIFF_A] != NULL ? DIFF_A : DIFF_B;
  struct diff_function entry = { 0 };
  sample_match_visit (match, functions, add_place, &entry);
  if (functions[!side] == NULL)
    entry.status = side == DIFF_A ? DIFF_REMOVED : DIFF_ADDED;
  else
    entry.status = entry.changed_places > 0 ? DIFF_CHANGED : DIFF_UNCHANGED;
  entry.title = sample_function_title (match->profiles[side], functions[side],
				       options->demangle);
  entry.name = entry.title;
  if (entry.title == NULL)
    return false;
  diff_functions_add (diff, &entry,
		      is_listed (match->profiles[side], functions[side],
				 options->function));
  return true;
}

/* Add all functions of profile SIDE; for B, only those that A does not
   have.  */
static bool
add_profile (struct diff_functions *diff, const struct sample_match *match,
	     int side, const struct pair_options *options)
{
  const struct sample_profile *profile = match->profiles[side];
  uint32_t count = sample_profile_function_count (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct sample_function *functions[2];
      functions[side] = sample_profile_function (profile, i);
      functions[!side] = sample_match_find (match, side, functions[side]);
      if ((side == DIFF_A || functions[DIFF_A] == NULL)
	  && !add_functions (diff, match, functions, options))
	return false;
    }
  return true;
}

/* Compare the profiles of MATCH.  */
static bool
compare (struct diff_functions *diff, const struct sample_match *match,
	 const struct pair_options *options)
{
  size_t room = 0;
  for (int side = 0; side < 2; side++)
    room += sample_profile_function_count (match->profiles[side]);
  if (!diff_functions_init (diff, room)
      || !add_profile (diff, match, DIFF_A, options)
      || !add_profile (diff, match, DIFF_B, options))
    return false;
  diff_functions_sort (diff);
  return true;
}

bool
diff_samples_make (struct diff_functions *diff, const struct profile_pair *pair,
		   const struct pair_options *options,
		   struct profile_error *err)
{
  struct sample_match match = { 0 };
  *diff = (struct diff_functions){ 0 };
  bool is_done = profile_pair_match_samples (pair, &match, err);
  if (is_done && !compare (diff, &match, options))
    is_done = profile_error_set_memory (err, NULL);
  sample_match_release (&match);
  return is_done;
}
