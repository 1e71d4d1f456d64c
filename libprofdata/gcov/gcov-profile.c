/* gcc's own counters in memory: making, finding, copying, releasing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-profile.h"
#include "gcov-merge.h"
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

void
gcov_vector_clear (struct gcov_vector *vector)
{
  for (uint32_t i = 0; vector->sites && i < vector->count; i++)
    free (vector->sites[i].targets);
  free (vector->sites);
  free (vector->counters);
  vector->sites = NULL;
  vector->counters = NULL;
}

void
gcov_function_clear (struct gcov_function *function)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    gcov_vector_clear (&function->vectors[i]);
  free (function->vectors);
  free (function->name);
  free (function->file);
  *function = (struct gcov_function) { 0 };
}

void
gcov_unit_free (struct gcov_unit *unit)
{
  if (!unit)
    return;
  for (uint32_t i = 0; i < unit->function_count; i++)
    gcov_function_clear (&unit->functions[i]);
  free (unit->functions);
  free (unit->path);
  free (unit);
}

const struct gcov_vector *
gcov_function_vector (const struct gcov_function *function,
		      enum gcov_kind kind)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    if (function->vectors[i].kind == kind)
      return &function->vectors[i];
  return NULL;
}

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int
compare_units (const struct gcov_unit *a, const struct gcov_unit *b)
{
  int order = strcmp (a->path, b->path);
  if (order == 0)
    order = compare_numbers (a->version, b->version);
  if (order == 0)
    order = compare_numbers (a->is_big_endian, b->is_big_endian);
  if (order == 0)
    order = compare_numbers (a->stamp, b->stamp);
  if (order == 0)
    order = compare_numbers (a->checksum, b->checksum);
  if (order == 0)
    order = compare_numbers (a->position_count, b->position_count);
  return order;
}

int
gcov_function_compare (const struct gcov_function *a,
		       const struct gcov_function *b)
{
  int order = compare_numbers (a->position, b->position);
  if (order == 0)
    order = compare_numbers (a->ident, b->ident);
  if (order == 0)
    order = compare_numbers (a->lineno_checksum, b->lineno_checksum);
  if (order == 0)
    order = compare_numbers (a->cfg_checksum, b->cfg_checksum);
  if (order == 0)
    order = compare_numbers (a->vector_count, b->vector_count);
  for (uint32_t i = 0; order == 0 && i < a->vector_count; i++)
    {
      order = compare_numbers (a->vectors[i].kind, b->vectors[i].kind);
      if (order == 0)
	order = compare_numbers (a->vectors[i].count, b->vectors[i].count);
    }
  return order;
}

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
  return compare_units (element1, element2) == 0;
}

struct gcov_profile *
gcov_profile_new (void)
{
  struct gcov_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    return NULL;
  profile->index = htab_create_alloc (16, hash_unit, equal_units, NULL,
				      calloc, free);
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

/* Make room for one unit more.  */
static bool
reserve_unit (struct gcov_profile *profile)
{
  if (profile->unit_count < profile->capacity)
    return true;
  size_t capacity = profile->capacity + profile->capacity / 2 + 8;
  struct gcov_unit **units = realloc (profile->units,
				      capacity * sizeof *units);
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

char *
gcov_copy_text (const char *text, size_t n)
{
  char *copy = malloc (n + 1);
  if (!copy)
    return NULL;
  memcpy (copy, text, n);
  copy[n] = '\0';
  return copy;
}

static bool
copy_string (char **copy, const char *text)
{
  *copy = text ? gcov_copy_text (text, strlen (text)) : NULL;
  return *copy || !text;
}

/* A malloced copy of N elements of SIZE bytes; not NULL even if N is 0.  */
static void *
copy_array (const void *elements, size_t n, size_t size)
{
  void *copy = calloc (n + 1, size);
  if (copy && n > 0)
    memcpy (copy, elements, n * size);
  return copy;
}

/* Make *VECTOR, a copy of a vector's bytes, own what it points at.  */
static bool
copy_vector (struct gcov_vector *vector)
{
  const int64_t *counters = vector->counters;
  const struct gcov_site *sites = vector->sites;
  vector->counters = NULL;
  vector->sites = NULL;
  if (counters)
    {
      vector->counters = copy_array (counters, vector->count,
				     sizeof *counters);
      return vector->counters != NULL;
    }
  if (!sites)
    return true;
  vector->sites = calloc (vector->count + (size_t) 1, sizeof *sites);
  bool done = vector->sites != NULL;
  for (uint32_t i = 0; done && i < vector->count; i++)
    {
      vector->sites[i] = sites[i];
      vector->sites[i].targets = copy_array (sites[i].targets,
					     sites[i].target_count,
					     sizeof *sites[i].targets);
      done = vector->sites[i].targets != NULL;
    }
  return done;
}

bool
gcov_function_copy (struct gcov_function *copy,
		    const struct gcov_function *source)
{
  *copy = *source;
  copy->vector_count = 0;
  copy->vectors = calloc (source->vector_count + (size_t) 1,
			  sizeof *copy->vectors);
  bool done = copy_string (&copy->name, source->name);
  done = copy_string (&copy->file, source->file) && done && copy->vectors;
  for (uint32_t i = 0; done && i < source->vector_count; i++)
    {
      copy->vectors[i] = source->vectors[i];
      copy->vector_count++;
      done = copy_vector (&copy->vectors[i]);
    }
  return done;
}

/* A copy of UNIT, to be released by the caller; NULL if memory cannot be
   had.  */
static struct gcov_unit *
copy_unit (const struct gcov_unit *unit)
{
  struct gcov_unit *copy = malloc (sizeof *copy);
  if (!copy)
    return NULL;
  *copy = *unit;
  copy->function_count = 0;
  copy->functions = calloc (unit->function_count + (size_t) 1,
			    sizeof *copy->functions);
  bool done = copy_string (&copy->path, unit->path) && copy->functions;
  for (uint32_t i = 0; done && i < unit->function_count; i++)
    {
      copy->function_count++;
      done = gcov_function_copy (&copy->functions[i], &unit->functions[i]);
    }
  if (done)
    return copy;
  gcov_unit_free (copy);
  return NULL;
}

bool
gcov_profile_merge (struct gcov_profile *profile,
		    const struct gcov_profile *source)
{
  profile->is_saturated |= source->is_saturated;
  for (size_t i = 0; i < source->unit_count; i++)
    {
      struct gcov_unit *copy = copy_unit (source->units[i]);
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
    done = gcov_unit_scale (profile->units[i], weight,
			    &profile->is_saturated) && done;
  return done;
}

static int
compare_unit_places (const void *element1, const void *element2)
{
  return compare_units (*(const struct gcov_unit *const *) element1,
			*(const struct gcov_unit *const *) element2);
}

const struct gcov_unit **
gcov_profile_order (const struct gcov_profile *profile)
{
  const struct gcov_unit **order = calloc (profile->unit_count + 1,
					   sizeof *order);
  if (!order)
    return NULL;
  for (size_t i = 0; i < profile->unit_count; i++)
    order[i] = profile->units[i];
  qsort (order, profile->unit_count, sizeof *order, compare_unit_places);
  return order;
}
