/* GCC's own counters in memory: the units of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-profile.h"
#include "gcov-merge.h"
#include "gcov-unit.h"
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

static hashval_t
hash_unit (const void *element)
{
  const struct gcov_unit *unit = element;
  return iterative_hash (&unit->stamp, sizeof unit->stamp,
			 htab_hash_string (unit->path));
}

static int
equal_units (const void *element1, const void *element2)
{
  return gcov_unit_compare (element1, element2) == 0;
}

struct gcov_profile *
gcov_profile_new (void)
{
  struct gcov_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    return NULL;
  profile->index
    = htab_create_alloc (16, hash_unit, equal_units, NULL, calloc, free);
  if (profile->index)
    return profile;
  free (profile);
  return NULL;
}

void
gcov_profile_free (struct gcov_profile *profile)
{
  if (!profile)
    return;
  for (size_t i = 0; i < profile->unit_count; i++)
    gcov_unit_free (profile->units[i]);
  free (profile->units);
  htab_delete (profile->index);
  free (profile);
}

/* Make room for one more unit.  */
static bool
reserve_unit (struct gcov_profile *profile)
{
  if (profile->unit_count < profile->capacity)
    return true;
  size_t capacity = profile->capacity + profile->capacity / 2 + 8;
  struct gcov_unit **units = realloc (profile->units, capacity * sizeof *units);
  if (!units)
    return false;
  profile->units = units;
  profile->capacity = capacity;
  return true;
}

bool
gcov_profile_add (struct gcov_profile *profile, struct gcov_unit *unit)
{
  bool done = false;
  void **slot = NULL;
  if (reserve_unit (profile))
    slot = htab_find_slot (profile->index, unit, INSERT);
  if (slot && !*slot)
    {
      *slot = unit;
      profile->units[profile->unit_count++] = unit;
      return true;
    }
  if (slot)
    done = gcov_unit_merge (*slot, unit, &profile->is_saturated);
  gcov_unit_free (unit);
  return done;
}

bool
gcov_profile_merge (struct gcov_profile *profile,
		    const struct gcov_profile *source)
{
  profile->is_saturated |= source->is_saturated;
  for (size_t i = 0; i < source->unit_count; i++)
    {
      struct gcov_unit *copy = gcov_unit_copy (source->units[i]);
      if (!copy || !gcov_profile_add (profile, copy))
	return false;
    }
  return true;
}

bool
gcov_profile_scale (struct gcov_profile *profile, uint64_t weight)
{
  bool done = true;
  for (size_t i = 0; i < profile->unit_count; i++)
    done = gcov_unit_scale (profile->units[i], weight, &profile->is_saturated)
	   && done;
  return done;
}

static int
compare_unit_places (const void *element1, const void *element2)
{
  return gcov_unit_compare (*(const struct gcov_unit *const *) element1,
			    *(const struct gcov_unit *const *) element2);
}

const struct gcov_unit **
gcov_profile_order (const struct gcov_profile *profile)
{
  const struct gcov_unit **order
    = calloc (profile->unit_count + 1, sizeof *order);
  if (!order)
    return NULL;
  for (size_t i = 0; i < profile->unit_count; i++)
    order[i] = profile->units[i];
  qsort (order, profile->unit_count, sizeof *order, compare_unit_places);
  return order;
}
