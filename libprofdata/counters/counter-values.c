/* Values of a counter profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-values.h"
#include "counter-tables.h"
#include <stdlib.h>
#include <string.h>

int
counter_value_compare (const void *element1, const void *element2)
{
  const struct counter_value *value1 = element1;
  const struct counter_value *value2 = element2;
  if (value1->value != value2->value)
    return value1->value < value2->value ? -1 : 1;
  return ((value1->count < value2->count) - (value1->count > value2->count));
}

/* Copy the N VALUES, weighted, to the scratch buffer and sort them there.
   Return false if memory is exhausted.  */
static bool
sort_values (struct counter_profile *profile,
	     const struct counter_value *values, size_t n, uint64_t weight)
{
  if (n > profile->scratch_capacity)
    {
      struct counter_value *scratch
	= realloc (profile->scratch, n * sizeof *scratch);
      if (!scratch)
	return false;
      profile->scratch = scratch;
      profile->scratch_capacity = n;
    }
  struct counter_value *sorted = profile->scratch;
  bool is_sorted = true;
  for (size_t i = 0; i < n; i++)
    {
      sorted[i].value = values[i].value;
      sorted[i].count = saturating_multiply (values[i].count, weight);
      is_sorted
	= is_sorted
	  && (i == 0
	      || counter_value_compare (&sorted[i - 1], &sorted[i]) <= 0);
    }
  if (!is_sorted)
    qsort (sorted, n, sizeof *sorted, counter_value_compare);
  return true;
}

/* Add the counts of those of the N sorted VALUES that SITE has, one to one.
   Leave the others in VALUES and return their number.  */
static size_t
add_known_values (struct counter_value_site *site, struct counter_value *values,
		  size_t n)
{
  size_t left = 0;
  uint32_t place = 0;
  for (size_t i = 0; i < n; i++)
    {
      while (place < site->count && site->values[place].value < values[i].value)
	place++;
      if (place == site->count || site->values[place].value != values[i].value)
	{
	  values[left++] = values[i];
	  continue;
	}
      struct counter_value *value = &site->values[place++];
      value->count = saturating_add (value->count, values[i].count);
    }
  return left;
}

/* Reserve room for N more values at SITE.  */
static bool
reserve_values (struct counter_profile *profile,
		struct counter_value_site *site, size_t n)
{
  size_t count = site->count + n;
  if (count <= site->capacity)
    return true;
  size_t capacity = site->capacity * (size_t) 2;
  if (capacity < count)
    capacity = count;
  if (capacity > UINT32_MAX)
    return false;
  struct counter_value *values
    = objalloc_alloc (profile->arena, capacity * sizeof *values);
  if (!values)
    return false;
  if (site->count > 0)
    memcpy (values, site->values, site->count * sizeof *values);
  site->values = values;
  site->capacity = capacity;
  return true;
}

/* Insert the first N sorted values of the scratch buffer into SITE, keeping all
   entries.  Work from the back, so that each entry moves once.  */
static bool
insert_values (struct counter_profile *profile, struct counter_value_site *site,
	       size_t n)
{
  if (!reserve_values (profile, site, n))
    return false;
  const struct counter_value *values = profile->scratch;
  size_t from = site->count;
  site->count += n;
  while (n > 0)
    {
      struct counter_value *to = &site->values[from + n - 1];
      if (from > 0
	  && counter_value_compare (&site->values[from - 1], &values[n - 1])
	       > 0)
	*to = site->values[--from];
      else
	*to = values[--n];
    }
  return true;
}

bool
counter_profile_add_values (struct counter_profile *profile,
			    struct counter_function *function,
			    enum counter_value_kind kind, uint32_t site,
			    const struct counter_value *values, size_t n,
			    uint64_t weight)
{
  if (n == 0)
    return true;
  struct counter_value_site *target = &function->sites[kind][site];
  if (!sort_values (profile, values, n, weight))
    return false;
  size_t left = add_known_values (target, profile->scratch, n);
  return insert_values (profile, target, left);
}

bool
counter_profile_insert_values (struct counter_profile *profile,
			       struct counter_function *function,
			       enum counter_value_kind kind, uint32_t site,
			       const struct counter_value *values, size_t n)
{
  return (sort_values (profile, values, n, 1)
	  && insert_values (profile, &function->sites[kind][site], n));
}

static int
compare_counts (const void *element1, const void *element2)
{
  const struct counter_value *value1 = element1;
  const struct counter_value *value2 = element2;
  if (value1->count != value2->count)
    return value1->count > value2->count ? -1 : 1;
  return ((value1->value > value2->value) - (value1->value < value2->value));
}

struct counter_value *
counter_site_sorted (const struct counter_value_site *site)
{
  struct counter_value *sorted
    = calloc (site->count + (size_t) 1, sizeof *sorted);
  if (!sorted)
    return NULL;
  if (site->count > 0)
    memcpy (sorted, site->values, site->count * sizeof *sorted);
  qsort (sorted, site->count, sizeof *sorted, compare_counts);
  return sorted;
}
