/* Validation of profiles in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-valid.h"

/* ---- Heap profiles.  */

static bool
frame_is_valid (const struct heap_frame *frame, uint32_t strings)
{
  return (frame->function_name < strings && frame->file < strings
	  && frame->module < strings && frame->build_id < strings
	  && frame->path < strings);
}

bool
heap_profile_is_valid (const struct heap_profile *profile)
{
  if (!profile)
    return true;
  uint32_t strings = heap_profile_string_count (profile);
  uint32_t frames = heap_profile_frame_count (profile);
  uint32_t contexts = heap_profile_context_count (profile);
  if (strings == 0 || frames == 0 || contexts == 0
      || heap_profile_string_bytes (profile, 0) != 0)
    return false;
  for (uint32_t i = 0; i < frames; i++)
    if (!frame_is_valid (heap_profile_frame (profile, i), strings))
      return false;
  const struct context_node *nodes = heap_profile_nodes (profile);
  for (uint32_t i = 0; i < contexts; i++)
    if (nodes[i].frame >= frames || (i > 0 && nodes[i].caller >= i))
      return false;
  return true;
}

/* ---- Counters.  */

/* Return true if the values of SITE are in order, equal ones by descending
   count.  */
static bool
counter_site_is_valid (const struct counter_value_site *site)
{
  if (site->count > site->capacity)
    return false;
  for (uint32_t i = 1; i < site->count; i++)
    {
      const struct counter_value *value = &site->values[i];
      if (value[-1].value > value->value
	  || (value[-1].value == value->value
	      && value[-1].count < value->count))
	return false;
    }
  return true;
}

static bool
counter_function_is_valid (const struct counter_function *function)
{
  for (unsigned int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
      if (!counter_site_is_valid (&function->sites[kind][i]))
	return false;
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    if (counter_is_pseudo (function->counters[i])
	&& !(i == 0 && function->shape.is_pseudo))
      return false;
  return true;
}

bool
counter_profile_is_valid (const struct counter_profile *profile)
{
  if (!profile)
    return true;
  uint32_t names = counter_profile_name_count (profile);
  uint32_t functions = counter_profile_function_count (profile);
  for (uint32_t i = 0; i < functions; i++)
    {
      const struct counter_function *function
	= counter_profile_function (profile, i);
      if (function->name >= names || function->next > functions
	  || !counter_function_is_valid (function))
	return false;
    }
  return true;
}

/* ---- GCC's counters.  */

static bool
gcov_function_is_valid (const struct gcov_function *function)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    {
      const struct gcov_vector *vector = &function->vectors[i];
      if (vector->kind >= GCOV_KINDS
	  || (i > 0 && vector[-1].kind >= vector->kind)
	  || (gcov_kind_has_sites (vector->kind) ? vector->counters != NULL
						 : vector->sites != NULL))
	return false;
    }
  return true;
}

bool
gcov_profile_is_valid (const struct gcov_profile *profile)
{
  if (!profile)
    return true;
  if (profile->unit_count > profile->capacity)
    return false;
  for (size_t i = 0; i < profile->unit_count; i++)
    {
      const struct gcov_unit *unit = profile->units[i];
      for (uint32_t j = 0; j < unit->function_count; j++)
	if ((j > 0
	     && gcov_function_compare (&unit->functions[j - 1],
				       &unit->functions[j])
		  > 0)
	    || !gcov_function_is_valid (&unit->functions[j]))
	  return false;
    }
  return true;
}

/* ---- Samples.  */

static bool
sample_counts_are_valid (const struct sample_counts *counts, uint32_t names)
{
  for (uint32_t i = 0; i < counts->count; i++)
    if (counts->counts[i].name >= names
	|| (i > 0 && counts->counts[i - 1].name >= counts->counts[i].name))
      return false;
  return counts->count <= counts->capacity;
}

static bool
sample_bodies_are_valid (const struct sample_function *function, uint32_t names)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    if (!sample_counts_are_valid (&function->bodies[i].targets, names)
	|| (i > 0
	    && sample_location_compare (function->bodies[i - 1].location,
					function->bodies[i].location)
		 >= 0))
      return false;
  for (uint32_t i = 0; i < function->vtables_count; i++)
    if (!sample_counts_are_valid (&function->vtables[i].tables, names)
	|| (i > 0
	    && sample_location_compare (function->vtables[i - 1].location,
					function->vtables[i].location)
		 >= 0))
      return false;
  return true;
}

/* FUNCTION is inlined into DEPTH others; SAMPLE_DEEPEST bounds the
   recursion.  */
static bool
sample_function_is_valid (const struct sample_function *function,
			  uint32_t depth, uint32_t names)
{
  if (function->depth != depth || depth > SAMPLE_DEEPEST
      || function->name >= names || !sample_bodies_are_valid (function, names))
    return false;
  for (uint32_t i = 0; i < function->caller_count; i++)
    if (function->callers[i].name >= names)
      return false;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      const struct sample_call_site *site = &function->call_sites[i];
      if (i > 0)
	{
	  int order
	    = sample_location_compare (site[-1].location, site->location);
	  if (order > 0
	      || (order == 0 && site[-1].inlinee->name >= site->inlinee->name))
	    return false;
	}
      if (!sample_function_is_valid (site->inlinee, depth + 1, names))
	return false;
    }
  return true;
}

bool
sample_profile_is_valid (const struct sample_profile *profile)
{
  if (!profile)
    return true;
  uint32_t names = sample_profile_name_count (profile);
  for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
    if (!sample_function_is_valid (sample_profile_function (profile, i), 0,
				   names))
      return false;
  return true;
}

/* ---- Complete profiles.  */

bool
profile_is_valid (const struct profile *profile)
{
  return (heap_profile_is_valid (profile->heap)
	  && counter_profile_is_valid (profile->counters)
	  && gcov_profile_is_valid (profile->gcov)
	  && sample_profile_is_valid (profile->samples));
}
