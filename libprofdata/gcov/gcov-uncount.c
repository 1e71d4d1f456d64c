/* Subtracting converted GCC counters from counters of functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-counters.h"
#include <stdlib.h>
#include <string.h>

static bool
is_same_shape (const struct counter_shape *a, const struct counter_shape *b)
{
  return (a->counter_count == b->counter_count
	  && a->bitmap_bytes == b->bitmap_bytes && a->is_pseudo == b->is_pseudo
	  && memcmp (a->site_counts, b->site_counts, sizeof a->site_counts)
	       == 0);
}

/* Return the record of DERIVED that was added to FUNCTION of COUNTERS, NULL if
   there is none.  */
static const struct counter_function *
find_derived (const struct counter_profile *derived,
	      const struct counter_profile *counters,
	      const struct counter_function *function)
{
  const char *text = counter_profile_name (counters, function->name);
  uint64_t guid = counter_profile_name_guid (counters, function->name);
  uint32_t name = counter_profile_find_guid (derived, guid);
  if (name == UINT32_MAX
      || strcmp (counter_profile_name (derived, name), text) != 0)
    return NULL;
  const struct counter_function *record
    = counter_profile_functions_of (derived, name);
  while (record
	 && (record->hash != function->hash
	     || !is_same_shape (&record->shape, &function->shape)))
    record = record->next == 0
	       ? NULL
	       : counter_profile_function (derived, record->next - 1);
  return record;
}

static uint64_t
subtract (uint64_t a, uint64_t b)
{
  return a > b ? a - b : 0;
}

/* Fill REST, which has room for as many values as SITE has, with the values of
   SITE minus those of DERIVED, which may be NULL.  Return their number.  */
static size_t
subtract_site (struct counter_value *rest,
	       const struct counter_value_site *site,
	       const struct counter_value_site *derived)
{
  size_t n = 0;
  uint32_t j = 0;
  for (uint32_t i = 0; i < site->count; i++)
    {
      struct counter_value value = site->values[i];
      while (derived && j < derived->count
	     && derived->values[j].value < value.value)
	j++;
      if (derived && j < derived->count
	  && derived->values[j].value == value.value)
	value.count = subtract (value.count, derived->values[j].count);
      if (value.count > 0)
	rest[n++] = value;
    }
  return n;
}

/* Return the record of INTO for FUNCTION of COUNTERS, which is added if it is
   missing.  */
static struct counter_function *
need_record (struct counter_profile *into,
	     const struct counter_profile *counters,
	     const struct counter_function *function)
{
  uint32_t name
    = counter_profile_add_name (into,
				counter_profile_name (counters, function->name),
				counter_profile_name_bytes (counters,
							    function->name));
  if (name == UINT32_MAX)
    return NULL;
  return counter_profile_add_function (into, name, function->hash,
				       &function->shape);
}

/* Add to INTO the values of FUNCTION minus those of DERIVED.  */
static bool
keep_values (struct counter_profile *into,
	     const struct counter_profile *counters,
	     const struct counter_function *function,
	     const struct counter_function *derived)
{
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
      {
	const struct counter_value_site *site = &function->sites[kind][i];
	struct counter_value *rest
	  = calloc (site->count + (size_t) 1, sizeof *rest);
	if (!rest)
	  return false;
	size_t n = subtract_site (rest, site,
				  derived ? &derived->sites[kind][i] : NULL);
	struct counter_function *record
	  = n > 0 ? need_record (into, counters, function) : NULL;
	bool done = (n == 0
		     || (record
			 && counter_profile_add_values (into, record, kind, i,
							rest, n, 1)));
	free (rest);
	if (!done)
	  return false;
      }
  return true;
}

/* Add FUNCTION minus DERIVED, which may be NULL, to INTO.  */
static bool
keep_function (struct counter_profile *into,
	       const struct counter_profile *counters,
	       const struct counter_function *function,
	       const struct counter_function *derived)
{
  uint32_t n = function->shape.counter_count;
  uint64_t *rest = calloc (n + (size_t) 1, sizeof *rest);
  if (!rest)
    return false;
  bool is_left = !derived;
  for (uint32_t i = 0; i < n; i++)
    {
      rest[i]
	= subtract (function->counters[i], derived ? derived->counters[i] : 0);
      is_left |= rest[i] != 0;
    }
  struct counter_function *record
    = is_left ? need_record (into, counters, function) : NULL;
  if (record)
    {
      counter_function_add_counters (record, rest, 1);
      for (uint32_t i = 0; i < function->shape.bitmap_bytes; i++)
	counter_function_add_bits (record, i, function->bitmap[i]);
    }
  free (rest);
  return ((record || !is_left)
	  && keep_values (into, counters, function, derived));
}

/* Add everything in COUNTERS except functions to INTO.  */
static bool
keep_rest (struct counter_profile *into, const struct counter_profile *counters)
{
  for (uint32_t i = 0; i < counter_profile_name_count (counters); i++)
    {
      if (!counter_profile_is_vtable (counters, i))
	continue;
      uint32_t name
	= counter_profile_add_name (into, counter_profile_name (counters, i),
				    counter_profile_name_bytes (counters, i));
      if (name == UINT32_MAX)
	return false;
      counter_profile_set_vtable (into, name);
    }
  for (uint32_t i = 0; i < counter_profile_binary_id_count (counters); i++)
    {
      size_t n;
      const uint8_t *id = counter_profile_binary_id (counters, i, &n);
      if (!counter_profile_add_binary_id (into, id, n))
	return false;
    }
  for (uint32_t i = 0; i < counter_profile_trace_count (counters); i++)
    {
      const struct counter_trace *trace = counter_profile_trace (counters, i);
      if (!counter_profile_add_trace (into, trace->weight, trace->guids,
				      trace->count))
	return false;
    }
  counter_profile_add_stream (into, counter_profile_stream (counters));
  return true;
}

/* Return COUNTERS minus the records of GCOV.  */
static struct counter_profile *
take_off (const struct counter_profile *counters,
	  const struct gcov_profile *gcov, struct profile_error *err)
{
  struct counter_profile *derived = counter_profile_new ();
  struct counter_profile *into = counter_profile_new ();
  bool done = ((derived && into) || profile_error_set_memory (err, NULL));
  done = done && gcov_counters_add (gcov, derived, err);
  bool is_kept = done && keep_rest (into, counters);
  for (uint32_t i = 0; is_kept && i < counter_profile_function_count (counters);
       i++)
    {
      const struct counter_function *function
	= counter_profile_function (counters, i);
      is_kept = keep_function (into, counters, function,
			       find_derived (derived, counters, function));
    }
  if (done && !is_kept)
    done = profile_error_set_memory (err, NULL);
  /* The rest must be compatible with GCC's counters, too: otherwise they could
     not be written again.  */
  unsigned int flags = counter_profile_flags (counters);
  bool is_any = counter_profile_function_count (into) > 0;
  done = done && counter_profile_add_flags (derived, flags, is_any, err)
	 && counter_profile_add_flags (into, flags, is_any, err);
  counter_profile_free (derived);
  if (done)
    return into;
  counter_profile_free (into);
  return NULL;
}

/* Return true if COUNTERS is empty.  */
static bool
is_empty (const struct counter_profile *counters)
{
  return (counter_profile_name_count (counters) == 0
	  && counter_profile_binary_id_count (counters) == 0
	  && counter_profile_trace_count (counters) == 0
	  && counter_profile_stream (counters) == 0);
}

bool
gcov_counters_remove (const struct gcov_profile *gcov,
		      struct counter_profile **counters,
		      struct profile_error *err)
{
  struct counter_profile *rest = take_off (*counters, gcov, err);
  if (!rest)
    return false;
  counter_profile_free (*counters);
  *counters = rest;
  if (is_empty (rest))
    {
      counter_profile_free (rest);
      *counters = NULL;
    }
  return true;
}
