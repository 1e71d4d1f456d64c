/* Function records of a counter profile: lookup, creation, addition, order.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-tables.h"
#include <stdlib.h>
#include <string.h>

static struct counter_function *
get_function (const struct counter_profile *profile, uint32_t function)
{
  return record_table_get (&profile->functions, function);
}

static bool
is_equal_shape (const struct counter_shape *shape1,
		const struct counter_shape *shape2)
{
  if (shape1->counter_count != shape2->counter_count
      || shape1->bitmap_bytes != shape2->bitmap_bytes
      || shape1->is_pseudo != shape2->is_pseudo)
    return false;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    if (shape1->site_counts[kind] != shape2->site_counts[kind])
      return false;
  return true;
}

/* Return N zeroed objects of SIZE bytes from the arena; not NULL if N is 0.  */
static void *
allocate_zeros (struct counter_profile *profile, size_t n, size_t size)
{
  void *memory = objalloc_alloc (profile->arena, n * size);
  return memory ? memset (memory, 0, n * size) : NULL;
}

/* Allocate the counters, bitmap and sites that the shape of FUNCTION needs.  */
static bool
allocate_counts (struct counter_profile *profile,
		 struct counter_function *function)
{
  const struct counter_shape *shape = &function->shape;
  function->counters = allocate_zeros (profile, shape->counter_count,
				       sizeof *function->counters);
  if (!function->counters)
    return false;
  if (shape->bitmap_bytes > 0)
    {
      function->bitmap = allocate_zeros (profile, shape->bitmap_bytes, 1);
      if (!function->bitmap)
	return false;
    }
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    {
      if (shape->site_counts[kind] == 0)
	continue;
      function->sites[kind] = allocate_zeros (profile, shape->site_counts[kind],
					      sizeof *function->sites[kind]);
      if (!function->sites[kind])
	return false;
    }
  return true;
}

static hashval_t
hash_function (const void *record)
{
  const struct counter_function *function = record;
  const struct counter_shape *shape = &function->shape;
  const uint64_t numbers[]
    = { function->hash, function->name, shape->counter_count,
	shape->bitmap_bytes, shape->is_pseudo };
  hashval_t hash = iterative_hash (numbers, sizeof numbers, 0);
  return iterative_hash (shape->site_counts, sizeof shape->site_counts, hash);
}

static int
equal_function (const void *record1, const void *record2)
{
  const struct counter_function *function1 = record1;
  const struct counter_function *function2 = record2;
  return (function1->name == function2->name
	  && function1->hash == function2->hash
	  && is_equal_shape (&function1->shape, &function2->shape));
}

/* Index the records from FIRST, a number plus 1, on.  */
static bool
index_functions (struct counter_profile *profile, uint32_t first)
{
  if (!profile->function_index)
    profile->function_index
      = htab_try_create (COUNTER_MOST_LISTED, hash_function, equal_function,
			 NULL);
  for (uint32_t next = first; profile->function_index && next != 0;)
    {
      struct counter_function *function = get_function (profile, next - 1);
      void **slot = htab_find_slot (profile->function_index, function, INSERT);
      if (!slot)
	return false;
      *slot = function;
      next = function->next;
    }
  return profile->function_index != NULL;
}

/* Append a record to those of NAME.  */
static struct counter_function *
make_function (struct counter_profile *profile, struct counter_name *name,
	       uint64_t hash, const struct counter_shape *shape)
{
  struct counter_function function
    = { .hash = hash, .name = name->number, .shape = *shape };
  if (!allocate_counts (profile, &function))
    return NULL;
  struct counter_function *record = record_table_add (&profile->functions);
  if (!record)
    return NULL;
  *record = function;
  if (name->first != 0)
    get_function (profile, name->last - 1)->next = profile->functions.count;
  else
    name->first = profile->functions.count;
  name->last = profile->functions.count;
  name->record_count++;
  if (name->record_count <= COUNTER_MOST_LISTED)
    return record;
  bool is_first = name->record_count == COUNTER_MOST_LISTED + 1;
  return index_functions (profile, is_first ? name->first : name->last) ? record
									: NULL;
}

struct counter_function *
counter_profile_find_function (const struct counter_profile *profile,
			       uint32_t name, uint64_t hash,
			       const struct counter_shape *shape)
{
  const struct counter_name *known = counter_names_get (profile, name);
  if (known->record_count > COUNTER_MOST_LISTED && profile->function_index)
    {
      const struct counter_function key
	= { .hash = hash, .name = name, .shape = *shape };
      return htab_find (profile->function_index, &key);
    }
  for (uint32_t next = known->first; next != 0;)
    {
      struct counter_function *function = get_function (profile, next - 1);
      if (function->hash == hash && is_equal_shape (&function->shape, shape))
	return function;
      next = function->next;
    }
  return NULL;
}

struct counter_function *
counter_profile_add_function (struct counter_profile *profile, uint32_t name,
			      uint64_t hash, const struct counter_shape *shape)
{
  struct counter_function *function
    = counter_profile_find_function (profile, name, hash, shape);
  return function ? function
		  : make_function (profile, counter_names_get (profile, name),
				   hash, shape);
}

/* Keep the greater of each pair of counters: hot is greater than warm.  */
static void
add_pseudo_counters (struct counter_function *function, const char *bytes)
{
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    {
      uint64_t counter;
      memcpy (&counter, bytes + i * sizeof counter, sizeof counter);
      if (counter > function->counters[i])
	function->counters[i] = counter;
    }
}

/* Two counters at any address, processed together.  */
typedef uint64_t counter_pair
  __attribute__ ((vector_size (16), aligned (8), may_alias));

/* Counters below this cannot overflow when added.  */
#define SMALL_BITS 62

/* Add the N counters at BYTES to COUNTERS if all of them and all sums so far
   are small.  Otherwise return false and change nothing.  */
static bool
add_small_counters (uint64_t *counters, const char *bytes, size_t n)
{
  counter_pair seen = { 0, 0 };
  size_t i = 0;
  for (; i + 2 <= n; i += 2)
    {
      counter_pair addend;
      memcpy (&addend, bytes + i * sizeof *counters, sizeof addend);
      counter_pair *sum = (counter_pair *) (counters + i);
      seen |= addend | *sum;
      *sum += addend;
    }
  uint64_t last = 0;
  if (i < n)
    memcpy (&last, bytes + i * sizeof *counters, sizeof last);
  uint64_t all = seen[0] | seen[1] | last | (i < n ? counters[i] : 0);
  if (all >> SMALL_BITS == 0)
    {
      if (i < n)
	counters[i] += last;
      return true;
    }
  while (i-- > 0)
    {
      memcpy (&last, bytes + i * sizeof *counters, sizeof last);
      counters[i] -= last;
    }
  return false;
}

void
counter_function_add_counters (struct counter_function *function,
			       const void *counters, uint64_t weight)
{
  const char *bytes = counters;
  if (function->shape.is_pseudo)
    {
      add_pseudo_counters (function, bytes);
      return;
    }
  if (weight == 1
      && add_small_counters (function->counters, bytes,
			     function->shape.counter_count))
    return;
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    {
      uint64_t counter;
      memcpy (&counter, bytes + i * sizeof counter, sizeof counter);
      counter = saturating_multiply (counter, weight);
      uint64_t sum = saturating_add (function->counters[i], counter);
      function->counters[i] = sum > COUNTER_GREATEST ? COUNTER_GREATEST : sum;
    }
}

struct counter_function *
counter_profile_first_function (const struct counter_profile *profile,
				uint32_t name)
{
  uint32_t first = counter_names_get (profile, name)->first;
  return first != 0 ? get_function (profile, first - 1) : NULL;
}

uint32_t
counter_profile_function_count (const struct counter_profile *profile)
{
  return profile->functions.count;
}

const struct counter_function *
counter_profile_function (const struct counter_profile *profile,
			  uint32_t function)
{
  return get_function (profile, function);
}

const struct counter_function *
counter_profile_functions_of (const struct counter_profile *profile,
			      uint32_t name)
{
  return counter_profile_first_function (profile, name);
}

bool
counter_function_has_counts (const struct counter_function *function)
{
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    if (function->counters[i] != 0)
      return true;
  for (uint32_t i = 0; i < function->shape.bitmap_bytes; i++)
    if (function->bitmap[i] != 0)
      return true;
  return false;
}

/* ---- Order.  */

static int
compare_names (const struct counter_name *name1,
	       const struct counter_name *name2)
{
  size_t n = name1->n < name2->n ? name1->n : name2->n;
  int order = memcmp (name1->text, name2->text, n);
  return order != 0 ? order : (name1->n > name2->n) - (name1->n < name2->n);
}

static uint64_t
sum_counters (const struct counter_function *function)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    sum = saturating_add (sum, function->counters[i]);
  return sum;
}

static int
compare_shapes (const struct counter_shape *shape1,
		const struct counter_shape *shape2)
{
  int order = compare_numbers (shape1->counter_count, shape2->counter_count);
  if (order == 0)
    order = compare_numbers (shape1->bitmap_bytes, shape2->bitmap_bytes);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS && order == 0; kind++)
    order
      = compare_numbers (shape1->site_counts[kind], shape2->site_counts[kind]);
  if (order == 0)
    order = shape1->is_pseudo - shape2->is_pseudo;
  return order;
}

static int
compare_functions (const void *element1, const void *element2, void *data)
{
  const struct counter_profile *profile = data;
  const struct counter_function *function1
    = get_function (profile, *(const uint32_t *) element1);
  const struct counter_function *function2
    = get_function (profile, *(const uint32_t *) element2);
  if (function1->name != function2->name)
    return compare_names (counter_names_get (profile, function1->name),
			  counter_names_get (profile, function2->name));
  int order = compare_numbers (function1->hash, function2->hash);
  if (order == 0)
    order
      = compare_numbers (sum_counters (function2), sum_counters (function1));
  return order != 0 ? order
		    : compare_shapes (&function1->shape, &function2->shape);
}

uint32_t *
counter_profile_order (const struct counter_profile *profile)
{
  return record_order (profile->functions.count, compare_functions, profile);
}
