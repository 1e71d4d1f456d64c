/* Names of a profile in that of a newer version of the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "equal-names.h"
#include "name-index.h"
#include <stdlib.h>
#include <string.h>

struct name_search
{
  const struct sample_profile *profile;
  struct sample_profile *shape;
  uint32_t *numbers;
  struct name_index index; /* of SHAPE */
  bool *taken;		   /* by number in SHAPE: has the same file in
			      PROFILE */
};

/* Return true if name I of PROFILE and J of SHAPE are in files with the same
   name, or both in none.  */
static bool
have_same_file (const struct name_search *search, uint32_t i, uint32_t j)
{
  uint32_t file1 = sample_profile_name_file (search->profile, i);
  uint32_t file2 = sample_profile_name_file (search->shape, j);
  if (file1 == SAMPLE_NO_NAME || file2 == SAMPLE_NO_NAME)
    return file1 == file2;
  size_t n = sample_profile_name_bytes (search->profile, file1);
  return n == sample_profile_name_bytes (search->shape, file2)
	 && memcmp (sample_profile_name (search->profile, file1),
		    sample_profile_name (search->shape, file2), n)
	      == 0;
}

/* Return the name in SHAPE of I of PROFILE: in the same file, or, if IS_MOVED,
   the only one that is not taken.  SAMPLE_NO_NAME: there is none.  */
static uint32_t
find_equal (const struct name_search *search, uint32_t i, bool is_moved)
{
  const char *text = sample_profile_name (search->profile, i);
  size_t n = sample_profile_name_bytes (search->profile, i);
  uint32_t found = SAMPLE_NO_NAME;
  for (size_t k = name_index_find (&search->index, text, n);
       name_index_is (&search->index, k, text, n); k++)
    {
      uint32_t j = search->index.names[k];
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
  search.taken = calloc ((size_t) sample_profile_name_count (shape) + 1,
			 sizeof *search.taken);
  bool is_done = name_index_make (&search.index, shape) && search.taken != NULL
		 && find_all (&search);
  name_index_release (&search.index);
  free (search.taken);
  return is_done;
}
