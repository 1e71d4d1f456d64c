/* Merging GCC's own counters.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every rule here is associative and commutative.  Counts are never negative in
   GCC's files, so a negative count is treated as one above the bound.  */

#include "gcov-merge.h"
#include <stdlib.h>
#include <string.h>

/* Return A + B, at most BOUND.  */
static uint64_t
add_bounded (uint64_t a, uint64_t b, uint64_t bound, bool *is_saturated)
{
  if (a <= bound && b <= bound - a)
    return a + b;
  *is_saturated = true;
  return bound;
}

static int64_t
add_counts (int64_t a, int64_t b, bool *is_saturated)
{
  return add_bounded (a, b, INT64_MAX, is_saturated);
}

/* Merge two values of KIND, which has no sites.  */
static int64_t
merge_counters (enum gcov_kind kind, int64_t a, int64_t b, bool *is_saturated)
{
  switch (kind)
    {
    case GCOV_KIND_OR:
    case GCOV_KIND_CONDITIONS:
    case GCOV_KIND_PATHS:
      return a | b;
    case GCOV_KIND_TIME:
      if (a == 0 || b == 0)
	return a | b;
      return a < b ? a : b;
    case GCOV_KIND_AVERAGE:
      return (uint64_t) a + (uint64_t) b;
    default:
      return add_counts (a, b, is_saturated);
    }
}

static bool
are_zero (const int64_t *counters, uint32_t n)
{
  for (uint32_t i = 0; counters && i < n; i++)
    if (counters[i] != 0)
      return false;
  return true;
}

/* Represent a sum of only zeros in its short form.  */
static void
shorten_zeros (struct gcov_vector *vector)
{
  if (!are_zero (vector->counters, vector->count))
    return;
  free (vector->counters);
  vector->counters = NULL;
}

/* A sum of only zeros gets the form for zeros, even if one of the two had the
   other form.  */
static void
merge_plain_vectors (struct gcov_vector *vector, struct gcov_vector *source,
		     bool *is_saturated)
{
  if (!vector->counters)
    {
      vector->counters = source->counters;
      source->counters = NULL;
    }
  for (uint32_t i = 0; source->counters && i < vector->count; i++)
    vector->counters[i] = merge_counters (vector->kind, vector->counters[i],
					  source->counters[i], is_saturated);
  shorten_zeros (vector);
}

static int
compare_values (const void *element1, const void *element2)
{
  const struct gcov_target *a = element1;
  const struct gcov_target *b = element2;
  return (a->value > b->value) - (a->value < b->value);
}

static int
compare_counts (const void *element1, const void *element2)
{
  const struct gcov_target *a = element1;
  const struct gcov_target *b = element2;
  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  return compare_values (element1, element2);
}

static uint64_t
magnitude (int64_t total)
{
  return total < 0 ? -(uint64_t) total : (uint64_t) total;
}

/* Add the targets of SOURCE to those of SITE, each value once.  */
static bool
merge_targets (struct gcov_site *site, const struct gcov_site *source,
	       bool *is_saturated)
{
  size_t n = site->target_count;
  size_t more = source->target_count;
  if (n + more > UINT32_MAX)
    return false;
  struct gcov_target *targets
    = realloc (site->targets, (n + more + 1) * sizeof *targets);
  if (!targets)
    return false;
  site->targets = targets;
  if (more > 0)
    memcpy (targets + n, source->targets, more * sizeof *targets);
  qsort (targets, n + more, sizeof *targets, compare_values);
  size_t kept = 0;
  for (size_t i = 0; i < n + more; i++)
    if (kept > 0 && targets[kept - 1].value == targets[i].value)
      targets[kept - 1].count
	= add_counts (targets[kept - 1].count, targets[i].count, is_saturated);
    else
      targets[kept++] = targets[i];
  qsort (targets, kept, sizeof *targets, compare_counts);
  site->target_count = kept;
  return true;
}

static bool
merge_sites (struct gcov_site *site, const struct gcov_site *source,
	     bool *is_saturated)
{
  bool is_lossy = site->total < 0 || source->total < 0;
  int64_t total
    = add_bounded (magnitude (site->total), magnitude (source->total),
		   INT64_MAX, is_saturated);
  site->total = is_lossy ? -total : total;
  return merge_targets (site, source, is_saturated);
}

/* Add SOURCE, the same function with the same shape, to FUNCTION.  */
static bool
merge_functions (struct gcov_function *function, struct gcov_function *source,
		 bool *is_saturated)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    {
      struct gcov_vector *vector = &function->vectors[i];
      struct gcov_vector *other = &source->vectors[i];
      if (!gcov_kind_has_sites (vector->kind))
	merge_plain_vectors (vector, other, is_saturated);
      for (uint32_t j = 0; vector->sites && j < vector->count; j++)
	if (!merge_sites (&vector->sites[j], &other->sites[j], is_saturated))
	  return false;
    }
  return true;
}

/* Names come from notes, so they are unknown or equal.  If they differ
   nevertheless, the choice does not depend on the order.  */
static void
merge_names (struct gcov_function *function, struct gcov_function *source)
{
  if (!source->name)
    return;
  int order = function->name ? strcmp (source->name, function->name) : -1;
  if (order == 0 && source->file)
    order = function->file ? strcmp (source->file, function->file) : -1;
  if (order >= 0)
    return;
  char *name = function->name;
  char *file = function->file;
  function->name = source->name;
  function->file = source->file;
  source->name = name;
  source->file = file;
}

/* Merge the functions of UNIT and SOURCE, both sorted, into MERGED, which
   becomes the list of UNIT.  */
static bool
merge_lists (struct gcov_unit *unit, struct gcov_unit *source,
	     struct gcov_function *merged, bool *is_saturated)
{
  struct gcov_function *a = unit->functions;
  struct gcov_function *a_end = a ? a + unit->function_count : NULL;
  struct gcov_function *b = source->functions;
  struct gcov_function *b_end = b ? b + source->function_count : NULL;
  uint32_t count = 0;
  bool done = true;
  while (a < a_end || b < b_end)
    {
      int order = a == a_end   ? 1
		  : b == b_end ? -1
			       : gcov_function_compare (a, b);
      struct gcov_function *from = order <= 0 ? a++ : b++;
      merged[count] = *from;
      *from = (struct gcov_function){ 0 };
      if (order == 0)
	{
	  merge_names (&merged[count], b);
	  done = merge_functions (&merged[count], b++, is_saturated) && done;
	}
      count++;
    }
  free (unit->functions);
  unit->functions = merged;
  unit->function_count = count;
  return done;
}

bool
gcov_unit_merge (struct gcov_unit *unit, struct gcov_unit *source,
		 bool *is_saturated)
{
  size_t most = unit->function_count + (size_t) source->function_count;
  struct gcov_function *merged = NULL;
  if (most < UINT32_MAX)
    merged = calloc (most + 1, sizeof *merged);
  if (!merged)
    return false;
  unit->has_summary |= source->has_summary;
  unit->runs = add_bounded (unit->runs, source->runs, UINT32_MAX, is_saturated);
  unit->sum_max
    = add_bounded (unit->sum_max, source->sum_max, UINT32_MAX, is_saturated);
  return merge_lists (unit, source, merged, is_saturated);
}

/* Return A times WEIGHT, at most BOUND.  */
static uint64_t
multiply_bounded (uint64_t a, uint64_t weight, uint64_t bound,
		  bool *is_saturated)
{
  uint64_t product;
  if (!__builtin_mul_overflow (a, weight, &product) && product <= bound)
    return product;
  *is_saturated = true;
  return bound;
}

static void
scale_counters (struct gcov_vector *vector, uint64_t weight, bool *is_saturated)
{
  for (uint32_t i = 0; vector->counters && i < vector->count; i++)
    switch (vector->kind)
      {
      case GCOV_KIND_OR:
      case GCOV_KIND_CONDITIONS:
      case GCOV_KIND_PATHS:
      case GCOV_KIND_TIME:
	break;
      case GCOV_KIND_AVERAGE:
	vector->counters[i] = (uint64_t) vector->counters[i] * weight;
	break;
      default:
	vector->counters[i] = multiply_bounded (vector->counters[i], weight,
						INT64_MAX, is_saturated);
      }
}

/* Adding an empty set sorts the targets as in sums.  */
static bool
scale_sites (struct gcov_vector *vector, uint64_t weight, bool *is_saturated)
{
  static const struct gcov_site none;
  for (uint32_t i = 0; vector->sites && i < vector->count; i++)
    {
      struct gcov_site *site = &vector->sites[i];
      int64_t total = multiply_bounded (magnitude (site->total), weight,
					INT64_MAX, is_saturated);
      site->total = site->total < 0 ? -total : total;
      for (uint32_t j = 0; j < site->target_count; j++)
	site->targets[j].count
	  = multiply_bounded (site->targets[j].count, weight, INT64_MAX,
			      is_saturated);
      if (!merge_targets (site, &none, is_saturated))
	return false;
    }
  return true;
}

bool
gcov_unit_scale (struct gcov_unit *unit, uint64_t weight, bool *is_saturated)
{
  bool done = true;
  unit->runs = multiply_bounded (unit->runs, weight, UINT32_MAX, is_saturated);
  unit->sum_max
    = multiply_bounded (unit->sum_max, weight, UINT32_MAX, is_saturated);
  for (uint32_t i = 0; i < unit->function_count; i++)
    for (uint32_t j = 0; j < unit->functions[i].vector_count; j++)
      {
	struct gcov_vector *vector = &unit->functions[i].vectors[j];
	scale_counters (vector, weight, is_saturated);
	shorten_zeros (vector);
	done = scale_sites (vector, weight, is_saturated) && done;
      }
  return done;
}
