/* GCC's own counters of an older version of a program fitted to a newer one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-fit.h"
#include "block-match.h"
#include "fit-calls.h"
#include "fit-functions.h"
#include "fit-values.h"
#include "flow-fit.h"
#include "gcov-format.h"
#include "gcov-unit.h"
#include <stdlib.h>
#include <string.h>

/* A changed ident of a function, which is the value of calls of it.  */
struct ident_pair
{
  uint32_t before;
  uint32_t after;
};

struct fitting
{
  struct fit_functions functions;
  const struct gcov_fit_before *before;
  const struct gcov_fit_after *after;
  struct ident_pair *idents; /* by BEFORE */
  size_t ident_count;
  struct stale_samples_report *report;
};

static int
compare_idents (const void *element1, const void *element2)
{
  const struct ident_pair *a = element1;
  const struct ident_pair *b = element2;
  return (a->before > b->before) - (a->before < b->before);
}

static bool
list_idents (struct fitting *fitting)
{
  const struct fit_functions *functions = &fitting->functions;
  fitting->idents
    = calloc (functions->after_count + 1, sizeof *fitting->idents);
  if (fitting->idents == NULL)
    return false;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      const struct fit_after *after = &functions->after[i];
      if (after->before == FIT_NO_FUNCTION || after->is_part)
	continue;
      uint32_t ident = functions->before[after->before].counted->ident;
      if (ident != after->notes->ident)
	fitting->idents[fitting->ident_count++]
	  = (struct ident_pair){ ident, after->notes->ident };
    }
  qsort (fitting->idents, fitting->ident_count, sizeof *fitting->idents,
	 compare_idents);
  return true;
}

/* Replace the idents of functions at the calls of FUNCTION.  */
static void
rename_targets (const struct fitting *fitting, struct gcov_function *function)
{
  for (uint32_t i = 0; i < function->vector_count; i++)
    {
      struct gcov_vector *vector = &function->vectors[i];
      if (vector->kind != GCOV_KIND_CALL || vector->sites == NULL)
	continue;
      for (uint32_t k = 0; k < vector->count; k++)
	for (uint32_t t = 0; t < vector->sites[k].target_count; t++)
	  {
	    struct gcov_target *target = &vector->sites[k].targets[t];
	    struct ident_pair key = { (uint32_t) target->value, 0 };
	    const struct ident_pair *found
	      = target->value == key.before
		  ? bsearch (&key, fitting->idents, fitting->ident_count,
			     sizeof key, compare_idents)
		  : NULL;
	    if (found != NULL)
	      target->value = found->after;
	  }
    }
}

/* ---- Functions whose flow graph changed.  */

static int64_t
take_count (int64_t count)
{
  return count < 0 ? 0 : count;
}

/* Return the number of the arc of GRAPH from SOURCE to DESTINATION, of a call
   that may not return if IS_FAKE; UINT32_MAX if there is none.  */
static uint32_t
find_arc (const struct block_graph *graph, uint32_t source,
	  uint32_t destination, bool is_fake)
{
  const struct gcov_adjacency *leaving = &graph->flow->leaving;
  for (uint32_t i = leaving->first[source]; i < leaving->first[source + 1]; i++)
    {
      const struct gcov_arc *arc = &graph->function->arcs[leaving->arcs[i]];
      if (arc->destination == destination
	  && ((arc->flags & GCOV_ARC_FAKE) != 0) == is_fake)
	return leaving->arcs[i];
    }
  return UINT32_MAX;
}

/* Set what BEFORE tells of the function AFTER.  Return the sum of the counts of
   blocks that are still there.  */
static uint64_t
set_known (const struct block_match *match, const struct block_graph *before,
	   const struct block_graph *after, int64_t *blocks, int64_t *arcs)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < after->function->block_count; i++)
    blocks[i] = FLOW_FIT_UNKNOWN;
  for (uint32_t i = 0; i < after->function->arc_count; i++)
    arcs[i] = FLOW_FIT_UNKNOWN;
  for (uint32_t i = 0; i < before->function->block_count; i++)
    if (match->partners[i] != BLOCK_MATCH_NONE)
      {
	blocks[match->partners[i]] = take_count (before->flow->block_counts[i]);
	sum += (uint64_t) blocks[match->partners[i]];
      }
  for (uint32_t i = 0; i < before->function->arc_count; i++)
    {
      const struct gcov_arc *arc = &before->function->arcs[i];
      uint32_t source = match->partners[arc->source];
      uint32_t destination = match->partners[arc->destination];
      if (source == BLOCK_MATCH_NONE || destination == BLOCK_MATCH_NONE)
	continue;
      uint32_t number = find_arc (after, source, destination,
				  (arc->flags & GCOV_ARC_FAKE) != 0);
      if (number != UINT32_MAX)
	arcs[number] = take_count (before->flow->arc_counts[i]);
    }
  return sum;
}

/* Make VECTOR the counters of FUNCTION's arcs with the counts FITTED.  */
static bool
make_arcs (struct gcov_vector *vector,
	   const struct gcov_notes_function *function, const int64_t *fitted)
{
  uint32_t n = 0;
  *vector = (struct gcov_vector){ .kind = GCOV_KIND_ARCS,
				  .count = function->counter_count };
  vector->counters
    = calloc (function->counter_count + (size_t) 1, sizeof *vector->counters);
  if (vector->counters == NULL)
    return false;
  for (uint32_t i = 0; i < function->arc_count; i++)
    if ((function->arcs[i].flags & GCOV_ARC_ON_TREE) == 0)
      vector->counters[n++] = fitted[i];
  return true;
}

struct changed_function
{
  const struct fit_before *before;
  struct block_graph before_graph;
  struct block_graph after_graph;
  struct block_match match;
  struct gcov_flow shape; /* of the function after */
  int64_t *blocks;	  /* known */
  int64_t *arcs;
  int64_t *fitted;
};

/* Divide the blocks of CHANGED's function before among its match, of the
   function AFTER, which may be a part (IS_PART), and that with OTHER: one is a
   part and the other the rest.  */
static bool
divide_blocks (struct changed_function *changed,
	       const struct gcov_notes_function *other, bool is_part)
{
  struct gcov_flow flow = { 0 };
  struct block_match match = { 0 };
  struct block_graph graph = { other, &flow };
  bool is_done = gcov_flow_solve (&flow, other, NULL)
		 && block_match_find (&match, &changed->before_graph, &graph);
  if (is_done)
    block_match_divide (is_part ? &match : &changed->match,
			is_part ? &changed->match : &match,
			&changed->before_graph);
  block_match_release (&match);
  gcov_flow_free (&flow);
  return is_done;
}

/* Leave CHANGED only the blocks that belong to its function after, and not to
   parts of that before, or to the rest of it.  */
static bool
leave_own_blocks (struct changed_function *changed,
		  const struct fit_functions *functions, bool is_part)
{
  const struct fit_before *before = changed->before;
  if (is_part)
    return divide_blocks (changed, functions->after[before->after].notes, true);
  for (size_t i = before->part; i != FIT_NO_FUNCTION;
       i = functions->after[i].next_part)
    if (!divide_blocks (changed, functions->after[i].notes, false))
      return false;
  return true;
}

static bool
start_changed (struct changed_function *changed,
	       const struct fit_before *before,
	       const struct gcov_notes_function *after)
{
  *changed = (struct changed_function){
    .before = before,
    .before_graph = { before->notes, &before->flow },
    .after_graph = { after, &changed->shape },
  };
  changed->blocks
    = calloc (after->block_count + (size_t) 1, sizeof *changed->blocks);
  changed->arcs = calloc (after->arc_count + (size_t) 1, sizeof *changed->arcs);
  changed->fitted
    = calloc (after->arc_count + (size_t) 1, sizeof *changed->fitted);
  return changed->blocks != NULL && changed->arcs != NULL
	 && changed->fitted != NULL
	 && gcov_flow_solve (&changed->shape, after, NULL)
	 && block_match_find (&changed->match, &changed->before_graph,
			      &changed->after_graph);
}

static void
end_changed (struct changed_function *changed)
{
  block_match_release (&changed->match);
  gcov_flow_free (&changed->shape);
  free (changed->blocks);
  free (changed->arcs);
  free (changed->fitted);
}

/* Give INTO the time when COUNTED first ran.  */
static bool
add_time (struct gcov_function *into, const struct gcov_function *counted)
{
  const struct gcov_vector *time
    = gcov_function_vector (counted, GCOV_KIND_TIME);
  if (time == NULL)
    return true;
  struct gcov_vector *vector = &into->vectors[into->vector_count++];
  *vector = *time;
  vector->counters = NULL;
  if (time->counters == NULL)
    return true;
  vector->counters = calloc (time->count + (size_t) 1, sizeof (int64_t));
  if (vector->counters == NULL)
    return false;
  memcpy (vector->counters, time->counters,
	  time->count * sizeof *time->counters);
  return true;
}

/* Make *VECTOR the targets of the calls of CHANGED that are known, of N
   calls.  */
static bool
make_calls (struct gcov_vector *vector, const struct changed_function *changed,
	    uint32_t n, uint64_t *kept)
{
  const struct gcov_vector *calls
    = gcov_function_vector (changed->before->counted, GCOV_KIND_CALL);
  if (calls == NULL || calls->sites == NULL)
    return true;
  if (!fit_calls (vector, calls, &changed->match, &changed->before_graph,
		  &changed->after_graph))
    return false;
  for (; vector->count > n; vector->count--)
    free (vector->sites[vector->count - 1].targets);
  for (uint32_t i = 0; i < vector->count; i++)
    *kept += vector->sites[i].targets != NULL;
  return true;
}

/* Remove all vectors of INTO but the first, of arcs.  */
static void
leave_arcs (struct gcov_function *into)
{
  while (into->vector_count > 1)
    gcov_vector_clear (&into->vectors[--into->vector_count]);
}

/* Give INTO the values at operations of CHANGED that are known; COUNTS is how
   many the function after has.  There are none if they would not be
   accepted.  */
static bool
add_values (struct gcov_function *into, const struct changed_function *changed,
	    bool is_part, const struct gcov_value_counts *counts,
	    uint64_t *kept)
{
  struct fit_values function = { &changed->match, &changed->before_graph,
				 &changed->after_graph, changed->fitted };
  for (int i = FIT_VALUES_FIRST; i < FIT_VALUES_END; i++)
    {
      enum gcov_kind kind = (enum gcov_kind) i;
      uint32_t n = counts->counters[kind];
      const struct gcov_vector *values
	= gcov_function_vector (changed->before->counted, kind);
      if (n == 0)
	continue;
      bool is_same
	= !is_part
	  && fit_values_has_all (changed->before->counted, kind, counts);
      struct gcov_vector *vector = &into->vectors[into->vector_count++];
      *vector = (struct gcov_vector){ .kind = kind };
      if (is_same
	    ? !fit_values_keep (vector, values, &function, kept)
	    : kind == GCOV_KIND_CALL && !make_calls (vector, changed, n, kept))
	return false;
      if (vector->count > 0)
	continue;
      if (fit_values_are_checked (kind))
	{
	  leave_arcs (into);
	  *kept = 0;
	  return true;
	}
      if (!fit_values_make_empty (vector, n))
	return false;
    }
  return add_time (into, changed->before->counted);
}

/* Give INTO what is known of CHANGED: counts of arcs, values, and the time of
   the first run.  GCC (11 and 12) crashes at the second operation of a kind
   that has no values, if there are values of another kind, the time being one.
   So there are none if COUNTS, how many AFTER has, is NULL.  */
static bool
make_vectors (struct fitting *fitting, struct gcov_function *into,
	      const struct changed_function *changed, bool is_part,
	      const struct gcov_value_counts *counts)
{
  uint64_t kept = 0;
  into->vectors = calloc (GCOV_KINDS, sizeof *into->vectors);
  if (into->vectors == NULL
      || !make_arcs (&into->vectors[into->vector_count++],
		     changed->after_graph.function, changed->fitted)
      || (counts != NULL
	  && !add_values (into, changed, is_part, counts, &kept)))
    return false;
  for (int kind = FIT_VALUES_FIRST; kind < FIT_VALUES_END && !is_part; kind++)
    fitting->report->operations
      += fit_values_operations (gcov_function_vector (changed->before->counted,
						      (enum gcov_kind) kind));
  fitting->report->kept += is_part ? 0 : kept;
  rename_targets (fitting, into);
  return true;
}

/* Fill INTO, which is empty, with the counters of BEFORE for AFTER, another
   graph, and a part of it if IS_PART.  COUNTS, which may be NULL, is how many
   values AFTER has.  It has no vectors if no counts fit.  */
static bool
fit_changed (struct fitting *fitting, struct gcov_function *into,
	     const struct fit_before *before,
	     const struct gcov_notes_function *after, bool is_part,
	     const struct gcov_value_counts *counts)
{
  struct changed_function changed;
  enum flow_fit_result result = FLOW_FIT_NO_MEMORY;
  if (start_changed (&changed, before, after)
      && leave_own_blocks (&changed, &fitting->functions, is_part))
    {
      struct flow_known known = { after, changed.blocks, changed.arcs };
      uint64_t sum
	= set_known (&changed.match, &changed.before_graph,
		     &changed.after_graph, changed.blocks, changed.arcs);
      result = flow_fit (&known, changed.fitted);
      if (result == FLOW_FIT_DONE)
	{
	  fitting->report->matched += sum;
	  if (!make_vectors (fitting, into, &changed, is_part, counts))
	    result = FLOW_FIT_NO_MEMORY;
	}
    }
  end_changed (&changed);
  return result != FLOW_FIT_NO_MEMORY;
}

/* ---- Units.  */

/* Add an entry of KIND to the report: AFTER was BEFORE.  */
static bool
report_move (struct stale_samples_report *report, enum stale_move kind,
	     const struct fit_before *before,
	     const struct gcov_notes_function *after)
{
  size_t n = report->rename_count;
  struct stale_rename *renames
    = realloc (report->renames, (n + 1) * sizeof *renames);
  if (renames == NULL)
    return false;
  report->renames = renames;
  renames[n] = (struct stale_rename){ .kind = kind,
				      .before = strdup (before->name),
				      .after = strdup (after->name) };
  report->rename_count++;
  report->renamed += kind == STALE_RENAMED;
  report->split += kind == STALE_SPLIT;
  return renames[n].before != NULL && renames[n].after != NULL;
}

/* Give INTO, whose vectors have room for all kinds, no values of KIND, for N
   operations.  */
static bool
empty_values (struct gcov_function *into, enum gcov_kind kind, uint32_t n)
{
  uint32_t place = 0;
  while (place < into->vector_count && into->vectors[place].kind < kind)
    place++;
  struct gcov_vector *vector = &into->vectors[place];
  bool is_there = place < into->vector_count && vector->kind == kind;
  uint32_t after = into->vector_count - place;
  if (is_there)
    gcov_vector_clear (vector);
  if (n == 0)
    {
      memmove (vector, vector + 1, (after - 1) * sizeof *vector);
      into->vector_count--;
      return true;
    }
  if (!is_there)
    {
      memmove (vector + 1, vector, after * sizeof *vector);
      into->vector_count++;
    }
  *vector = (struct gcov_vector){ .kind = kind };
  return fit_values_make_empty (vector, n);
}

/* Leave out what FUNCTION, whose flow graph is as before, has more or less of
   than COUNTS says: an operation of it is another one.  GCC rejects the whole
   file for that, or crashes.  */
static bool
leave_out_values (struct fitting *fitting, struct gcov_function *function,
		  const struct gcov_value_counts *counts)
{
  struct gcov_vector *grown
    = realloc (function->vectors, 2 * GCOV_KINDS * sizeof *grown);
  if (grown == NULL)
    return false;
  function->vectors = grown;
  bool is_rejected = false;
  for (int i = FIT_VALUES_FIRST; i < FIT_VALUES_END; i++)
    {
      enum gcov_kind kind = (enum gcov_kind) i;
      uint32_t n = counts->counters[kind];
      if (fit_values_has_all (function, kind, counts))
	continue;
      fitting->report->operations
	+= fit_values_operations (gcov_function_vector (function, kind));
      is_rejected |= n > 0 && fit_values_are_checked (kind);
      if (!empty_values (function, kind, n))
	return false;
    }
  for (int kind = FIT_VALUES_FIRST; kind <= GCOV_KIND_TIME && is_rejected;
       kind++)
    if (gcov_function_vector (function, (enum gcov_kind) kind) != NULL
	&& !empty_values (function, (enum gcov_kind) kind, 0))
      return false;
  return true;
}

/* Fill INTO, which is empty, with the counters of BEFORE for AFTER.  */
static bool
fit_function (struct fitting *fitting, struct gcov_function *into,
	      const struct fit_before *before, const struct fit_after *after)
{
  const struct gcov_notes_function *notes = after->notes;
  bool is_equal = !after->is_part && fit_lists_are_equal (before, notes);
  const struct gcov_fit_after *unit = &fitting->after[after->unit];
  const struct gcov_value_counts *counts
    = fit_values_find (unit->counts, unit->count_count, notes);
  fitting->report->changed += !is_equal && !after->is_part;
  if (is_equal)
    {
      fitting->report->matched += before->counts;
      if (!gcov_function_copy (into, before->counted))
	return false;
      if (counts != NULL && !leave_out_values (fitting, into, counts))
	return false;
      rename_targets (fitting, into);
    }
  else if (before->notes != NULL && before->flow.is_solved
	   && !fit_changed (fitting, into, before, notes, after->is_part,
			    counts))
    return false;
  free (into->name);
  free (into->file);
  into->ident = notes->ident;
  into->lineno_checksum = notes->lineno_checksum;
  into->cfg_checksum = notes->cfg_checksum;
  into->name = strdup (notes->name);
  into->file = strdup (notes->file);
  return into->name != NULL && into->file != NULL
	 && (!(after->is_renamed || after->is_part) || into->vector_count == 0
	     || report_move (fitting->report,
			     after->is_part ? STALE_SPLIT : STALE_RENAMED,
			     before, notes));
}

/* Fill UNIT, whose functions start at NEXT, with the functions of INDEX.  */
static bool
fill_unit (struct fitting *fitting, struct gcov_unit *unit, size_t index,
	   size_t *next)
{
  const struct fit_functions *functions = &fitting->functions;
  for (;
       *next < functions->after_count && functions->after[*next].unit == index;
       ++*next)
    {
      const struct fit_after *after = &functions->after[*next];
      if (after->before == FIT_NO_FUNCTION)
	continue;
      struct gcov_function *into = &unit->functions[unit->function_count++];
      if (!fit_function (fitting, into, &functions->before[after->before],
			 after))
	return false;
      into->position = unit->function_count - 1;
      if (into->vector_count > 0)
	continue;
      gcov_function_clear (into);
      unit->function_count--;
      fitting->report->gone += !after->is_part;
    }
  unit->position_count = unit->function_count;
  return true;
}

/* Return the unit INDEX with its functions, the first of which is at *NEXT.  */
static struct gcov_unit *
make_unit (struct fitting *fitting, size_t index, size_t *next)
{
  const struct gcov_fit_after *after = &fitting->after[index];
  /* A new unit ran as often as any other.  */
  size_t same = after->before == GCOV_FIT_NEW ? 0 : after->before;
  const struct gcov_unit *before = fitting->before[same].unit;
  struct gcov_unit *unit = calloc (1, sizeof *unit);
  if (unit == NULL)
    return NULL;
  *unit = (struct gcov_unit){ .version = after->notes->version,
			      .stamp = after->notes->stamp,
			      .checksum = before->stamp == after->notes->stamp
					    ? before->checksum
					    : 0,
			      .is_big_endian = before->is_big_endian,
			      .has_summary = before->has_summary,
			      .runs = before->runs,
			      .sum_max = before->sum_max };
  unit->path = strdup (after->path);
  unit->functions = calloc (after->notes->function_count + (size_t) 1,
			    sizeof *unit->functions);
  if (unit->path != NULL && unit->functions != NULL
      && fill_unit (fitting, unit, index, next))
    return unit;
  gcov_unit_free (unit);
  return NULL;
}

/* Count what was there before.  */
static void
report_before (struct fitting *fitting)
{
  const struct fit_functions *functions = &fitting->functions;
  struct stale_samples_report *report = fitting->report;
  for (size_t i = 0; i < functions->before_count; i++)
    {
      report->functions++;
      report->counts += functions->before[i].counts;
      report->gone += functions->before[i].after == FIT_NO_FUNCTION;
    }
  for (size_t i = 0; i < functions->after_count; i++)
    {
      const struct fit_after *after = &functions->after[i];
      if (after->before == FIT_NO_FUNCTION || after->is_part)
	continue;
      const struct fit_before *before = &functions->before[after->before];
      if (before->counted->ident == after->notes->ident
	  && before->unit == fitting->after[after->unit].before
	  && fit_lists_are_equal (before, after->notes))
	report->same += before->counts;
    }
}

struct gcov_profile *
gcov_fit (const struct gcov_fit_before *before, size_t n,
	  const struct gcov_fit_after *after, size_t m,
	  struct stale_samples_report *report, struct profile_error *err)
{
  struct fitting fitting
    = { .before = before, .after = after, .report = report };
  size_t next = 0;
  *report = (struct stale_samples_report){ 0 };
  struct gcov_profile *profile = gcov_profile_new ();
  bool is_done = profile != NULL
		 && fit_functions_find (&fitting.functions, before, n, after, m)
		 && list_idents (&fitting);
  if (is_done)
    report_before (&fitting);
  for (size_t i = 0; is_done && i < m; i++)
    {
      struct gcov_unit *unit = make_unit (&fitting, i, &next);
      is_done = unit != NULL && gcov_profile_add (profile, unit);
    }
  fit_lists_release (&fitting.functions);
  free (fitting.idents);
  if (is_done)
    return profile;
  gcov_profile_free (profile);
  profile_error_set_memory (err, NULL);
  return NULL;
}
