/* Use of a heap profile: fitting it to source that has changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   Allocations, and calls of functions that are unknown, have the name
   STALE_UNKNOWN_CALLEE in both profile and source.  Functions are known by
   their GUIDs.  */

#include "gcc-compat.h"
#include "stale-heap.h"
#include "use-fit.h"
#include "use-frame.h"
#include "use-known.h"

/* The name of what calls through pointers call.  */
static const char indirect_callee[] = "(indirect)";

/* A function of the profile.  */
struct old_function
{
  uint64_t guid;
  tree decl;	 /* in the unit; NULL: none */
  uint32_t name; /* in the profile of calls */
};

struct fitting
{
  heap_lookup *lookup;
  const vec<fit_function *> *unit;
  auto_vec<uint64_t> guids;   /* by number in the unit */
  auto_vec<uint32_t> names;   /* the same: in the shape */
  auto_vec<old_function> old; /* those that are in the profile of calls */
  sample_profile *profile;    /* calls as in the heap profile */
  sample_profile *shape;      /* calls as in the source */
  uint32_t unknown;	      /* name in the profile of calls */
  uint32_t unknown_written;   /* the same in the shape */
  uint32_t indirect;	      /* what calls through pointers call there */
  bool has_columns;
  bool failed; /* memory is exhausted */
};

/* ---- What the profile has.  */

/* Add the calls of the function GUID, in the file PATH, where it starts in
   START_LINE if it is DECL of the unit.  */
static void
add_old (fitting *fit, uint64_t guid, tree decl, const char *path,
	 unsigned start_line)
{
  const heap_lookup_place place = { guid, 0, start_line, path };
  const heap_lookup_call *calls;
  const size_t n = heap_lookup_find_calls (fit->lookup, &place, &calls);

  if (n == 0)
    return;
  const uint32_t name = sample_profile_add_guid (fit->profile, guid);
  sample_function *function
    = name == SAMPLE_NO_NAME
	? NULL
	: sample_profile_add_function (fit->profile, NULL, 0, name);
  fit->failed |= !function;
  for (size_t i = 0; i < n && !fit->failed; i++)
    {
      const sample_location location
	= { calls[i].line_offset, calls[i].column };
      const uint32_t callee
	= calls[i].callee
	    ? sample_profile_add_guid (fit->profile, calls[i].callee)
	    : fit->unknown;
      fit->has_columns |= calls[i].column != 0;
      fit->failed |= callee == SAMPLE_NO_NAME
		     || !sample_function_add_target (fit->profile, function,
						     location, callee, 1);
    }
  fit->old.safe_push ({ guid, decl, name });
}

/* Add the functions of the profile in the file NAME of the unit that the unit
   does not have.  SEEN are functions that were added before.  */
static void
add_file (fitting *fit, const char *name, known_guids *seen)
{
  auto_vec<uint64_t> functions;
  const uint64_t *guids;
  char *path = use_record_path (name);
  const size_t n = heap_lookup_find_functions (fit->lookup, path, &guids);

  for (size_t i = 0; i < n; i++)
    functions.safe_push (guids[i]);
  for (uint64_t guid : functions)
    if (!seen->add (guid))
      add_old (fit, guid, NULL_TREE, path, 0);
  free (path);
}

/* Add the calls of all functions of the unit and its files.  */
static void
collect_old (fitting *fit)
{
  known_guids seen;
  hash_set<nofree_string_hash> files;

  for (unsigned i = 0; i < fit->unit->length (); i++)
    {
      tree decl = (*fit->unit)[i]->decl;
      if (seen.add (fit->guids[i]))
	continue;
      char *path = use_record_path (DECL_SOURCE_FILE (decl));
      add_old (fit, fit->guids[i], decl, path, DECL_SOURCE_LINE (decl));
      free (path);
    }
  for (const fit_function *function : *fit->unit)
    if (!files.add (DECL_SOURCE_FILE (function->decl)))
      add_file (fit, DECL_SOURCE_FILE (function->decl), &seen);
}

/* ---- What the source has.  */

/* Return the name in the shape of what WRITTEN calls.  */
static uint32_t
written_callee (fitting *fit, const written_call &written)
{
  tree callee = gimple_call_fndecl (written.call);

  if (!callee)
    return fit->indirect;
  const uint64_t guid = use_known_guid (fit->lookup, callee);
  if (written.allocates && !heap_lookup_has_function (fit->lookup, guid))
    return fit->unknown_written;
  return sample_profile_add_guid (fit->shape, guid);
}

static sample_location
written_location (const fitting *fit, tree decl, const gcall *call)
{
  const location_t location = gimple_location (call);

  return { use_line_offset (decl, location),
	   fit->has_columns ? (unsigned) LOCATION_COLUMN (location) : 0 };
}

static void
add_written (fitting *fit, const fit_function &unit, sample_function *function)
{
  for (const written_call &written : unit.calls)
    {
      if (written.is_region || fit->failed)
	continue;
      const sample_location location
	= written_location (fit, unit.decl, written.call);
      const uint32_t callee = written_callee (fit, written);
      fit->failed |= callee == SAMPLE_NO_NAME
		     || !sample_function_add_target (fit->shape, function,
						     location, callee, 1);
    }
}

/* Number the functions of the unit.  */
static void
collect_names (fitting *fit)
{
  for (const fit_function *function : *fit->unit)
    {
      const uint64_t guid = use_known_guid (fit->lookup, function->decl);
      fit->guids.safe_push (guid);
      fit->names.safe_push (sample_profile_add_guid (fit->shape, guid));
      fit->failed |= fit->names.last () == SAMPLE_NO_NAME;
    }
}

static void
collect_written (fitting *fit)
{
  for (unsigned i = 0; i < fit->unit->length () && !fit->failed; i++)
    {
      sample_function *function
	= sample_profile_add_function (fit->shape, NULL, 0, fit->names[i]);
      fit->failed |= !function;
      if (function)
	add_written (fit, *(*fit->unit)[i], function);
    }
}

/* ---- Records.  */

/* Return the record of UNIT, made if it has none yet.  */
static profiled_function *
need_record (fit_function *unit)
{
  if (!unit->record)
    {
      unit->record = new profiled_function ();
      unit->record->is_renamed = unit->change == SOURCE_SAME;
      unit->record->start_line = DECL_SOURCE_LINE (DECL_ORIGIN (unit->decl));
    }
  return unit->record;
}

/* True if WRITTEN may be a call of the profile with the CALLEES, at the same
   place: not if it calls another function that has frames.  */
static bool
may_call_p (const fitting *fit, const stale_fit *found,
	    const sample_counts &callees, const written_call &written)
{
  tree callee = gimple_call_fndecl (written.call);
  stale_place place;

  if (!callee)
    return true;
  const uint64_t guid = use_known_guid (fit->lookup, callee);
  for (uint32_t i = 0; i < callees.count; i++)
    {
      const uint32_t name = callees.counts[i].name;
      if (name == fit->unknown)
	{
	  if (written.allocates)
	    return true;
	  continue;
	}
      const uint64_t old = sample_profile_name_guid (fit->profile, name);
      if (old == guid
	  || (stale_fit_find (found, name, {}, &place)
	      && sample_profile_name_guid (fit->shape, place.name) == guid))
	return true;
    }
  return !use_known_p (fit->lookup, guid) && !fndecl_built_in_p (callee);
}

/* True if one of the calls at LOCATION in UNIT may have the CALLEES of the
   profile.  */
static bool
any_call_p (const fitting *fit, const stale_fit *found,
	    const fit_function &unit, sample_location location,
	    const sample_counts &callees)
{
  for (const written_call &written : unit.calls)
    {
      const sample_location there
	= written_location (fit, unit.decl, written.call);
      if (!written.is_region && there.line == (location.line & 0xffff)
	  && there.discriminator == location.discriminator
	  && may_call_p (fit, found, callees, written))
	return true;
    }
  return false;
}

/* Add CALL, which had the CALLEES, to the functions of the unit with NAME, at
   LOCATION.  Return false if there are none with such a call.  */
static bool
add_call (const fitting *fit, const stale_fit *found, const profiled_call &call,
	  const sample_counts &callees, uint32_t name, sample_location location,
	  bool is_moved)
{
  bool is_added = false;

  for (unsigned i = 0; i < fit->unit->length (); i++)
    if (fit->names[i] == name
	&& any_call_p (fit, found, *(*fit->unit)[i], location, callees))
      {
	profiled_function *record = need_record ((*fit->unit)[i]);
	profiled_call *added = record->calls.safe_push (call);
	added->line_offset = location.line & 0xffff;
	added->column = location.discriminator;
	added->is_fitted = is_moved;
	record->has_columns |= location.discriminator != 0;
	is_added = true;
      }
  return is_added;
}

/* Let the functions of the unit with NAME continue at LOCATION in a function
   that some of their code was moved to.  */
static void
add_continued (const fitting *fit, uint32_t name, sample_location location)
{
  for (unsigned i = 0; i < fit->unit->length (); i++)
    {
      fit_function *unit = (*fit->unit)[i];
      for (const written_call &written : unit->calls)
	{
	  const sample_location there
	    = written_location (fit, unit->decl, written.call);
	  if (fit->names[i] == name && !written.is_region
	      && there.line == (location.line & 0xffff)
	      && there.discriminator == location.discriminator)
	    unit->continued.safe_push (gimple_location (written.call));
	}
    }
}

/* Return CALL in OLD, NULL if it is in another function of that name.  */
static const sample_body *
find_old (const fitting *fit, const old_function &old,
	  const profiled_call &call)
{
  const sample_function *function
    = sample_profile_find_function (fit->profile, NULL, 0, old.name);

  return sample_function_find_body (function,
				    { call.line_offset, call.column });
}

/* Find the place of CALL of the function OLD, BODY, in the source, and add it
   there.  Return false if it has none.  Set *IS_MOVED if the place differs.  */
static bool
fit_call (const fitting *fit, const stale_fit *found, const old_function &old,
	  const profiled_call &call, const sample_body *body, bool *is_moved)
{
  stale_place place;

  *is_moved = false;
  if (!stale_fit_find (found, old.name, body->location, &place))
    return false;
  *is_moved
    = (sample_location_compare (place.location, body->location) != 0
       || sample_profile_name_guid (fit->shape, place.name) != old.guid);
  if (!place.has_code
      || !add_call (fit, found, call, body->targets, place.name, place.location,
		    *is_moved))
    return false;
  if (place.is_called)
    add_continued (fit, place.caller_name, place.call);
  return true;
}

/* Fit the record of the function OLD, which is CHANGED of the unit, or NULL if
   it is gone.  */
static void
fit_record (const fitting *fit, const stale_fit *found, const old_function &old,
	    fit_function *changed)
{
  profiled_function record = {};

  if (!use_record_read_guid (fit->lookup, old.guid, old.decl, &record))
    return;
  for (const profiled_call &call : record.calls)
    {
      const sample_body *body = find_old (fit, old, call);
      bool is_moved;
      if (!body || fit_call (fit, found, old, call, body, &is_moved)
	  || !changed)
	continue;
      /* Another function in the same line may have no frame in the profile.  */
      if (changed->change == SOURCE_MISSED || is_moved)
	need_record (changed)->lost.safe_push (call);
      else
	need_record (changed)->calls.safe_push (call);
    }
}

/* Fit the records of all changed functions by FOUND.  */
static void
fit_records (const fitting *fit, const stale_fit *found)
{
  for (const old_function &old : fit->old)
    {
      fit_function *changed = NULL;
      for (fit_function *unit : *fit->unit)
	if (unit->decl == old.decl)
	  changed = unit;
      if (!changed || changed->change != SOURCE_SAME)
	fit_record (fit, found, old, changed);
    }
}

/* Make the two profiles of FIT.  */
static void
start (fitting *fit)
{
  fit->profile = sample_profile_new ();
  fit->shape = sample_profile_new ();
  fit->failed = !fit->profile || !fit->shape;
  if (fit->failed)
    return;
  fit->unknown = sample_profile_add_name (fit->profile, STALE_UNKNOWN_CALLEE,
					  strlen (STALE_UNKNOWN_CALLEE));
  fit->unknown_written
    = sample_profile_add_name (fit->shape, STALE_UNKNOWN_CALLEE,
			       strlen (STALE_UNKNOWN_CALLEE));
  fit->indirect = sample_profile_add_name (fit->shape, indirect_callee,
					   strlen (indirect_callee));
  fit->failed
    = (fit->unknown == SAMPLE_NO_NAME || fit->unknown_written == SAMPLE_NO_NAME
       || fit->indirect == SAMPLE_NO_NAME);
}

void
use_fit_unit (heap_lookup *lookup, const vec<fit_function *> &unit)
{
  fitting fit = {};
  stale_samples_report report = {};

  fit.lookup = lookup;
  fit.unit = &unit;
  start (&fit);
  if (!fit.failed)
    collect_names (&fit);
  if (!fit.failed)
    collect_old (&fit);
  if (!fit.failed)
    collect_written (&fit);
  stale_fit *found
    = fit.failed ? NULL : stale_fit_new (fit.profile, fit.shape, true, &report);
  if (!found)
    fatal_error (UNKNOWN_LOCATION, "heapprof: memory exhausted");
  fit_records (&fit, found);
  stale_fit_free (found);
  stale_samples_report_release (&report);
  sample_profile_free (fit.profile);
  sample_profile_free (fit.shape);
}
