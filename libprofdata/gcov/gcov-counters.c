/* Converting GCC's own counters to counters of functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-counters.h"
#include "function-id.h"
#include "gcov-callees.h"
#include "gcov-names.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the GUID of the callee with IDENT; if there is no such function, or
   several different ones, the GUID of the name for unknown functions.  */
static uint64_t
find_callee (const struct gcov_callees *callees, int64_t ident)
{
  const struct gcov_callee *callee = gcov_callees_find (callees, ident);
  if (callee)
    return callee->guid;
  char name[20];
  snprintf (name, sizeof name, "?%08" PRIx64, (uint64_t) ident);
  return function_guid (name, strlen (name));
}

static uint64_t
take_count (int64_t count)
{
  return count < 0 ? 0 : (uint64_t) count;
}

static bool
add_site (struct counter_profile *into, struct counter_function *record,
	  uint32_t number, const struct gcov_site *site,
	  const struct gcov_callees *callees)
{
  uint32_t n = site->target_count;
  struct counter_value *values = calloc (n + (size_t) 1, sizeof *values);
  if (!values)
    return false;
  for (uint32_t i = 0; i < n; i++)
    values[i]
      = (struct counter_value){ .value
				= find_callee (callees, site->targets[i].value),
				.count = take_count (site->targets[i].count) };
  bool done = counter_profile_add_values (into, record, COUNTER_CALL_TARGET,
					  number, values, n, 1);
  free (values);
  return done;
}

/* Add the N COUNTERS, which may be negative, to RECORD.  */
static bool
add_arcs (struct counter_function *record, const int64_t *counters, uint32_t n)
{
  uint64_t *counts = calloc (n + (size_t) 1, sizeof *counts);
  if (!counts)
    return false;
  for (uint32_t i = 0; i < n; i++)
    counts[i] = take_count (counters[i]);
  counter_function_add_counters (record, counts, 1);
  free (counts);
  return true;
}

static bool
add_function (struct counter_profile *into,
	      const struct gcov_function *function,
	      const struct gcov_callees *callees)
{
  const struct gcov_vector *arcs
    = gcov_function_vector (function, GCOV_KIND_ARCS);
  const struct gcov_vector *calls
    = gcov_function_vector (function, GCOV_KIND_CALL);
  if (!arcs || arcs->count == 0)
    return true;
  struct counter_shape shape = { .counter_count = arcs->count };
  if (calls)
    shape.site_counts[COUNTER_CALL_TARGET] = calls->count;
  char *text = gcov_names_indexed (function);
  if (!text)
    return false;
  uint32_t name = counter_profile_add_name (into, text, strlen (text));
  free (text);
  if (name == UINT32_MAX)
    return false;
  uint64_t hash
    = gcov_counters_hash (function->cfg_checksum, function->lineno_checksum);
  struct counter_function *record
    = counter_profile_add_function (into, name, hash, &shape);
  bool done = record != NULL;
  if (done && arcs->counters)
    done = add_arcs (record, arcs->counters, arcs->count);
  for (uint32_t i = 0; done && calls && i < calls->count; i++)
    if (calls->sites[i].target_count > 0)
      done = add_site (into, record, i, &calls->sites[i], callees);
  return done;
}

bool
gcov_counters_add (const struct gcov_profile *gcov,
		   struct counter_profile *into, struct profile_error *err)
{
  struct gcov_callees callees = { 0 };
  if (!counter_profile_add_flags (into, COUNTER_IR, gcov->unit_count > 0, err))
    return false;
  bool done = gcov_callees_make (&callees, gcov);
  for (size_t i = 0; done && i < gcov->unit_count; i++)
    for (uint32_t j = 0; done && j < gcov->units[i]->function_count; j++)
      done = add_function (into, &gcov->units[i]->functions[j], &callees);
  gcov_callees_free (&callees);
  return done || profile_error_set_memory (err, NULL);
}
