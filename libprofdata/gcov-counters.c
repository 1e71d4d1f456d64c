/* gcc's own counters as counters of functions: making and adding them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-counters.h"
#include "function-id.h"
#include "gcov-names.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the functions of a profile are called, by ident.  */
struct callee
{
  uint32_t ident;
  uint64_t guid;
};

struct callee_table
{
  struct callee *callees;
  size_t count;
};

static int
compare_callees (const void *element1, const void *element2)
{
  const struct callee *a = element1;
  const struct callee *b = element2;
  if (a->ident != b->ident)
    return a->ident < b->ident ? -1 : 1;
  return (a->guid > b->guid) - (a->guid < b->guid);
}

static uint64_t
guid_of (const char *name)
{
  return function_guid (name, strlen (name));
}

/* Fill *TABLE with all functions of GCOV, by ident.  */
static bool
make_callees (struct callee_table *table, const struct gcov_profile *gcov)
{
  size_t most = 0;
  for (size_t i = 0; i < gcov->unit_count; i++)
    most += gcov->units[i]->function_count;
  table->callees = calloc (most + 1, sizeof *table->callees);
  if (!table->callees)
    return false;
  for (size_t i = 0; i < gcov->unit_count; i++)
    for (uint32_t j = 0; j < gcov->units[i]->function_count; j++)
      {
	const struct gcov_function *function = &gcov->units[i]->functions[j];
	char *name = gcov_names_indexed (function);
	if (!name)
	  return false;
	table->callees[table->count++] = (struct callee) {
	  function->ident, guid_of (name)
	};
	free (name);
      }
  qsort (table->callees, table->count, sizeof *table->callees,
	 compare_callees);
  return true;
}

/* The GUID of the callee with IDENT; if it is none of the functions, or of
   different ones, that of the name for unknown functions.  */
static uint64_t
find_callee (const struct callee_table *table, int64_t ident)
{
  size_t low = 0;
  size_t high = table->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (table->callees[middle].ident < ident)
	low = middle + 1;
      else
	high = middle;
    }
  size_t end = low;
  while (end < table->count && table->callees[end].ident == ident)
    end++;
  if (end > low
      && table->callees[low].guid == table->callees[end - 1].guid)
    return table->callees[low].guid;
  char name[20];
  snprintf (name, sizeof name, "?%08" PRIx64, (uint64_t) ident);
  return guid_of (name);
}

static uint64_t
take_count (int64_t count)
{
  return count < 0 ? 0 : (uint64_t) count;
}

static bool
add_site (struct counter_profile *into, struct counter_function *record,
	  uint32_t number, const struct gcov_site *site,
	  const struct callee_table *callees)
{
  uint32_t n = site->target_count;
  struct counter_value *values = calloc (n + (size_t) 1, sizeof *values);
  if (!values)
    return false;
  for (uint32_t i = 0; i < n; i++)
    values[i] = (struct counter_value) {
      .value = find_callee (callees, site->targets[i].value),
      .count = take_count (site->targets[i].count)
    };
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
	      const struct callee_table *callees)
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
  uint64_t hash = gcov_counters_hash (function->cfg_checksum,
				      function->lineno_checksum);
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
  struct callee_table callees = { 0 };
  if (!counter_profile_add_flags (into, COUNTER_IR, gcov->unit_count > 0, err))
    return false;
  bool done = make_callees (&callees, gcov);
  for (size_t i = 0; done && i < gcov->unit_count; i++)
    for (uint32_t j = 0; done && j < gcov->units[i]->function_count; j++)
      done = add_function (into, &gcov->units[i]->functions[j], &callees);
  free (callees.callees);
  return done || profile_error_set_memory (err, NULL);
}
