/* Merging counter profiles, and notes about the result.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-tables.h"
#include <stdlib.h>

/* Merge the record FUNCTION, whose name has the number NAME in PROFILE.  */
static bool
merge_function (struct counter_profile *profile, uint32_t name,
		const struct counter_function *function, uint64_t weight)
{
  struct counter_function *target
    = counter_profile_add_function (profile, name, function->hash,
				    &function->shape);
  if (!target)
    return false;
  counter_function_add_counters (target, function->counters, weight);
  for (uint32_t i = 0; i < function->shape.bitmap_bytes; i++)
    counter_function_add_bits (target, i, function->bitmap[i]);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
      {
	const struct counter_value_site *site = &function->sites[kind][i];
	if (!counter_profile_add_values (profile, target, kind, i, site->values,
					 site->count, weight))
	  return false;
      }
  return true;
}

/* Merge the names of SOURCE and their records.  */
static bool
merge_names (struct counter_profile *profile,
	     const struct counter_profile *source, uint64_t weight)
{
  uint32_t count = counter_profile_name_count (source);
  for (uint32_t i = 0; i < count; i++)
    {
      bool is_right;
      uint32_t name
	= counter_profile_add_hashed_name (profile,
					   counter_profile_name (source, i),
					   counter_profile_name_bytes (source,
								       i),
					   counter_profile_name_guid (source,
								      i),
					   &is_right);
      if (name == UINT32_MAX)
	return false;
      if (counter_profile_is_vtable (source, i))
	counter_profile_set_vtable (profile, name);
      const struct counter_function *function
	= counter_profile_functions_of (source, i);
      while (function)
	{
	  if (!merge_function (profile, name, function, weight))
	    return false;
	  function = function->next == 0
		       ? NULL
		       : counter_profile_function (source, function->next - 1);
	}
    }
  return true;
}

static uint64_t
weigh (uint64_t n, uint64_t weight)
{
  uint64_t product;
  return __builtin_mul_overflow (n, weight, &product) ? UINT64_MAX : product;
}

static bool
merge_rest (struct counter_profile *profile,
	    const struct counter_profile *source, uint64_t weight)
{
  for (uint32_t i = 0; i < counter_profile_binary_id_count (source); i++)
    {
      size_t n;
      const uint8_t *id = counter_profile_binary_id (source, i, &n);
      if (!counter_profile_add_binary_id (profile, id, n))
	return false;
    }
  for (uint32_t i = 0; i < counter_profile_trace_count (source); i++)
    {
      const struct counter_trace *trace = counter_profile_trace (source, i);
      if (!counter_profile_add_trace (profile, weigh (trace->weight, weight),
				      trace->guids, trace->count))
	return false;
    }
  counter_profile_add_stream (profile, counter_profile_stream (source));
  return true;
}

bool
counter_profile_merge (struct counter_profile *profile,
		       const struct counter_profile *source, uint64_t weight,
		       struct profile_error *err)
{
  bool has_functions = counter_profile_function_count (source) > 0;
  if (!counter_profile_add_flags (profile, counter_profile_flags (source),
				  has_functions, err))
    return false;
  return ((merge_names (profile, source, weight)
	   && merge_rest (profile, source, weight))
	  || profile_error_set_memory (err, NULL));
}

/* ---- Notes.  */

static bool
is_saturated (const struct counter_function *function)
{
  if (function->shape.is_pseudo)
    return false;
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    if (function->counters[i] >= COUNTER_GREATEST)
      return true;
  return false;
}

static int
compare_hashes (const void *element1, const void *element2)
{
  return compare_numbers (*(const uint64_t *) element1,
			  *(const uint64_t *) element2);
}

/* Note what the N sorted HASHES of a name's records show: equal hashes belong
   to records of different shapes; different ones are compared within a
   level.  */
static void
note_hashes (struct counter_notes *notes, const uint64_t *hashes, size_t n)
{
  bool is_mismatch = false;
  bool is_conflict = false;
  uint64_t seen[2]; /* by level */
  bool is_seen[2] = { false, false };
  for (size_t i = 0; i < n; i++)
    {
      bool level = hashes[i] & COUNTER_HASH_CONTEXT_SENSITIVE;
      is_conflict |= i > 0 && hashes[i - 1] == hashes[i];
      is_mismatch |= is_seen[level] && seen[level] != hashes[i];
      seen[level] = hashes[i];
      is_seen[level] = true;
    }
  notes->mismatched_names += is_mismatch;
  notes->conflicting_names += is_conflict;
}

/* Store the hashes of the records of NAME in HASHES.  Return their number.  */
static size_t
collect_hashes (const struct counter_profile *profile, uint32_t name,
		uint64_t *hashes, struct counter_notes *notes)
{
  size_t n = 0;
  const struct counter_function *function
    = counter_profile_functions_of (profile, name);
  while (function)
    {
      notes->saturated |= is_saturated (function);
      hashes[n++] = function->hash;
      function = function->next == 0
		   ? NULL
		   : counter_profile_function (profile, function->next - 1);
    }
  return n;
}

bool
counter_profile_find_notes (const struct counter_profile *profile,
			    struct counter_notes *notes)
{
  *notes = (struct counter_notes){ 0 };
  uint32_t count = counter_profile_name_count (profile);
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (counter_names_get (profile, i)->record_count > most)
      most = counter_names_get (profile, i)->record_count;
  uint64_t *hashes = malloc ((most + (size_t) 1) * sizeof *hashes);
  if (!hashes)
    return false;
  for (uint32_t i = 0; i < count; i++)
    {
      size_t n = collect_hashes (profile, i, hashes, notes);
      qsort (hashes, n, sizeof *hashes, compare_hashes);
      note_hashes (notes, hashes, n);
    }
  free (hashes);
  return true;
}
