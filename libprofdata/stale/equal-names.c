/* Names of a profile in that of a newer version of the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "equal-names.h"
#include <stdlib.h>
#include <string.h>

struct name_search
{
  const struct sample_profile *profile;
  struct sample_profile *shape;
  uint32_t *numbers;
  uint32_t *sorted; /* the names of SHAPE with a text, by text */
  size_t count;
  bool *taken; /* by number in SHAPE: has the same file in PROFILE */
};

static int
compare_names (const void *element1, const void *element2, void *profile)
{
  return sample_profile_compare_names (profile, *(const uint32_t *) element1,
				       *(const uint32_t *) element2);
}

/* Compare name I of PROFILE with J of SHAPE, by their texts.  */
static int
compare_texts (const struct name_search *search, uint32_t i, uint32_t j)
{
  size_t n = sample_profile_name_bytes (search->profile, i);
  size_t m = sample_profile_name_bytes (search->shape, j);
  int order = memcmp (sample_profile_name (search->profile, i),
		      sample_profile_name (search->shape, j), n < m ? n : m);
  return order != 0 ? order : (n > m) - (n < m);
}

/* Return true if name I of PROFILE and J of SHAPE are in files with the same
   name, or both in none.  */
static bool
have_same_file (const struct name_search *search, uint32_t i, uint32_t j)
{
  uint32_t file1 = sample_profile_name_file (search->profile, i);
  uint32_t file2 = sample_profile_name_file (search->shape, j);
  if (file1 == SAMPLE_NO_NAME || file2 == SAMPLE_NO_NAME)
    return file1 == file2;
  return compare_texts (search, file1, file2) == 0;
}

/* Return the place in SORTED of the first name that is not less than name I of
   PROFILE.  */
static size_t
find_text (const struct name_search *search, uint32_t i)
{
  size_t low = 0;
  size_t high = search->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_texts (search, i, search->sorted[middle]) > 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Return the name in SHAPE of I of PROFILE: in the same file, or, if IS_MOVED,
   the only one that is not taken.  SAMPLE_NO_NAME: there is none.  */
static uint32_t
find_equal (const struct name_search *search, uint32_t i, bool is_moved)
{
  uint32_t found = SAMPLE_NO_NAME;
  for (size_t k = find_text (search, i);
       k < search->count && compare_texts (search, i, search->sorted[k]) == 0;
       k++)
    {
      uint32_t j = search->sorted[k];
      if (!is_moved && have_same_file (search, i, j))
	return j;
      if (!is_moved || search->taken[j])
	continue;
      if (found != SAMPLE_NO_NAME)
	return SAMPLE_NO_NAME;
      found = j;
    }
  return found;
}

/* Find the names of PROFILE that are in no other file, then those that are.  */
static bool
find_all (struct name_search *search)
{
  uint32_t count = sample_profile_name_count (search->profile);
  for (uint32_t i = 0; i < count; i++)
    {
      bool has_text = sample_profile_name (search->profile, i) != NULL;
      uint32_t j = has_text ? find_equal (search, i, false) : SAMPLE_NO_NAME;
      search->numbers[i] = j;
      if (j != SAMPLE_NO_NAME)
	search->taken[j] = true;
    }
  for (uint32_t i = 0; i < count; i++)
    if (search->numbers[i] == SAMPLE_NO_NAME
	&& sample_profile_name (search->profile, i) != NULL)
      search->numbers[i] = find_equal (search, i, true);
  for (uint32_t i = 0; i < count; i++)
    if (search->numbers[i] == SAMPLE_NO_NAME)
      {
	search->numbers[i]
	  = sample_profile_copy_name (search->shape, search->profile, i);
	if (search->numbers[i] == SAMPLE_NO_NAME)
	  return false;
      }
  return true;
}

bool
equal_names_find (const struct sample_profile *profile,
		  struct sample_profile *shape, uint32_t *numbers)
{
  struct name_search search
    = { .profile = profile, .shape = shape, .numbers = numbers };
  uint32_t count = sample_profile_name_count (shape);
  search.sorted = calloc ((size_t) count + 1, sizeof *search.sorted);
  search.taken = calloc ((size_t) count + 1, sizeof *search.taken);
  bool is_done = search.sorted != NULL && search.taken != NULL;
  for (uint32_t i = 0; i < count && is_done; i++)
    if (sample_profile_name (shape, i) != NULL)
      search.sorted[search.count++] = i;
  if (search.count > 0)
    qsort_r (search.sorted, search.count, sizeof *search.sorted, compare_names,
	     shape);
  is_done = is_done && find_all (&search);
  free (search.sorted);
  free (search.taken);
  return is_done;
}
