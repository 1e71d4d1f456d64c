/* The names of a sample profile by their texts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "name-index.h"
#include <stdlib.h>
#include <string.h>

static int
compare_names (const void *element1, const void *element2, void *profile)
{
  return sample_profile_compare_names (profile, *(const uint32_t *) element1,
				       *(const uint32_t *) element2);
}

bool
name_index_make (struct name_index *index, const struct sample_profile *profile)
{
  uint32_t count = sample_profile_name_count (profile);
  *index = (struct name_index){ .profile = profile };
  index->names = calloc ((size_t) count + 1, sizeof *index->names);
  if (index->names == NULL)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (sample_profile_name (profile, i) != NULL)
      index->names[index->count++] = i;
  /* qsort_r takes no const pointer.  */
  qsort_r (index->names, index->count, sizeof *index->names, compare_names,
	   (void *) profile);
  return true;
}

void
name_index_release (struct name_index *index)
{
  free (index->names);
  *index = (struct name_index){ 0 };
}

/* Compare the name at PLACE of INDEX with the N bytes of TEXT.  */
static int
compare (const struct name_index *index, size_t place, const char *text,
	 size_t n)
{
  uint32_t name = index->names[place];
  size_t m = sample_profile_name_bytes (index->profile, name);
  int order
    = memcmp (sample_profile_name (index->profile, name), text, m < n ? m : n);
  return order != 0 ? order : (m > n) - (m < n);
}

size_t
name_index_find (const struct name_index *index, const char *text, size_t n)
{
  size_t low = 0;
  size_t high = index->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare (index, middle, text, n) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

bool
name_index_is (const struct name_index *index, size_t place, const char *text,
	       size_t n)
{
  return place < index->count && compare (index, place, text, n) == 0;
}
