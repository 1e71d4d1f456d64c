/* A unit of GCC's own counters: comparing, copying, freeing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-unit.h"
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
  *function = (struct gcov_function){ 0 };
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
gcov_function_vector (const struct gcov_function *function, enum gcov_kind kind)
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

int
gcov_unit_compare (const struct gcov_unit *a, const struct gcov_unit *b)
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

/* Return a malloced copy of N elements of SIZE bytes; not NULL even if N is
   0.  */
static void *
copy_array (const void *elements, size_t n, size_t size)
{
  void *copy = calloc (n + 1, size);
  if (copy && n > 0)
    memcpy (copy, elements, n * size);
  return copy;
}

/* Make *VECTOR, a bytewise copy of a vector, own copies of what it points
   at.  */
static bool
copy_vector (struct gcov_vector *vector)
{
  const int64_t *counters = vector->counters;
  const struct gcov_site *sites = vector->sites;
  vector->counters = NULL;
  vector->sites = NULL;
  if (counters)
    {
      vector->counters = copy_array (counters, vector->count, sizeof *counters);
      return vector->counters != NULL;
    }
  if (!sites)
    return true;
  vector->sites = calloc (vector->count + (size_t) 1, sizeof *sites);
  bool done = vector->sites != NULL;
  for (uint32_t i = 0; done && i < vector->count; i++)
    {
      vector->sites[i] = sites[i];
      vector->sites[i].targets
	= copy_array (sites[i].targets, sites[i].target_count,
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
  copy->vectors
    = calloc (source->vector_count + (size_t) 1, sizeof *copy->vectors);
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

struct gcov_unit *
gcov_unit_copy (const struct gcov_unit *unit)
{
  struct gcov_unit *copy = malloc (sizeof *copy);
  if (!copy)
    return NULL;
  *copy = *unit;
  copy->function_count = 0;
  copy->functions
    = calloc (unit->function_count + (size_t) 1, sizeof *copy->functions);
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
