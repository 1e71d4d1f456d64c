/* Fitting a sample profile to source that has changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "arguments.h"
#include "function-id.h"
#include "profile-message.h"
#include "sample-fit.h"
#include "sample-places.h"
#include "sampled-unit.h"
#include "use-frame.h"

/* What a call through a pointer calls.  */
static const char indirect_callee[] = "(indirect)";

/* The least share of the calls of a changed function that are found, and that
   are not found without fitting.  */
static const double least_agreement = 0.6;
static const double least_gain = 0.05;

/* Fewer calls than these do not tell.  */
static const uint64_t least_calls = 20;

/* Names in a profile.  */
typedef hash_map<sample_guid_hash, vec<uint32_t>> name_map;

struct fitting
{
  sampled_unit unit;
  sample_profile *old = NULL; /* the part of the profile that matters */
  /* The same functions, as the source has them.  */
  sample_profile *shape = NULL;
  name_map names;      /* all names of OLD, by GUID */
  name_map callees;    /* those that changed functions called, by key */
  uint64_t same = 0;   /* samples of functions that have not changed */
  bool failed = false; /* memory is exhausted */
};

/* Functions of the unit that the profile had at other places.  */
static hash_set<tree> moved;

/* Add NAME to those of KEY in *MAP.  */
static void
add_name (name_map *map, uint64_t key, uint32_t name)
{
  bool existed;
  vec<uint32_t> &names = map->get_or_insert (key, &existed);

  if (!existed)
    names = vNULL;
  if (!names.contains (name))
    names.safe_push (name);
}

static void
release_names (name_map *map)
{
  for (auto entry : *map)
    entry.second.release ();
  map->empty ();
}

/* ---- The part of the profile that matters.  */

/* True if NAME of PROFILE is a function that may be somewhere else now.  */
static bool
changed_p (fitting *fit, const sample_profile *profile, uint32_t name)
{
  const unit_function *own = sampled_unit_find (&fit->unit, profile, name);

  return (own ? own->is_changed
	      : fit->unit.gone.contains (sample_places_name_guid (profile,
								  name)));
}

/* True if FUNCTION of the profile has code of the unit, or of functions that
   are gone.  */
static bool
matters_p (void *closure, const sample_function *function)
{
  fitting *fit = static_cast<fitting *> (closure);
  const sample_profile *profile = sample_places_profile ();

  if (sampled_unit_find (&fit->unit, profile, function->name)
      || changed_p (fit, profile, function->name))
    return true;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    if (matters_p (fit, function->call_sites[i].inlinee))
      return true;
  return false;
}

/* ---- The shape.  */

/* Add the functions that COPY of a changed function called, by plain name.  */
static void
add_callees (fitting *fit, const sample_function *copy)
{
  for (uint32_t i = 0; i < copy->body_count; i++)
    for (uint32_t k = 0; k < copy->bodies[i].targets.count; k++)
      {
	const uint32_t name = copy->bodies[i].targets.counts[k].name;
	add_name (&fit->callees, source_outline_key (fit->old, name), name);
      }
}

/* Add FUNCTION, which has not changed, as it is.  */
static void
add_same (fitting *fit, const sample_function *function)
{
  const uint32_t name
    = sample_profile_copy_name (fit->shape, fit->old, function->name);
  sample_function *same
    = name == SAMPLE_NO_NAME
	? NULL
	: sample_profile_add_function (fit->shape, NULL, 0, name);

  fit->failed |= !same;
  for (uint32_t i = 0; i < function->body_count && !fit->failed; i++)
    {
      const sample_body &body = function->bodies[i];
      sample_count_add (&fit->same, body.count);
      fit->failed
	|= !sample_function_add_body (fit->shape, same, body.location, 1);
      for (uint32_t k = 0; k < body.targets.count && !fit->failed; k++)
	{
	  const uint32_t target
	    = sample_profile_copy_name (fit->shape, fit->old,
					body.targets.counts[k].name);
	  fit->failed
	    |= target == SAMPLE_NO_NAME
	       || !sample_function_add_target (fit->shape, same, body.location,
					       target, 1);
	}
    }
  for (uint32_t i = 0; i < function->vtables_count && !fit->failed; i++)
    fit->failed |= !sample_function_add_body (fit->shape, same,
					      function->vtables[i].location, 1);
  for (uint32_t i = 0; i < function->call_site_count && !fit->failed; i++)
    {
      const sample_call_site &site = function->call_sites[i];
      const uint32_t inlinee
	= sample_profile_copy_name (fit->shape, fit->old, site.inlinee->name);
      fit->failed |= inlinee == SAMPLE_NO_NAME
		     || !sample_function_add_target (fit->shape, same,
						     site.location, inlinee, 1);
    }
}

/* Add FUNCTION of the profile, and those inlined into it, unless they may have
   changed.  */
static void
add_profiled (fitting *fit, const sample_function *function)
{
  if (changed_p (fit, fit->old, function->name))
    add_callees (fit, function);
  else
    add_same (fit, function);
  for (uint32_t i = 0; i < function->call_site_count; i++)
    add_profiled (fit, function->call_sites[i].inlinee);
}

/* Store in *NAMES the names in the shape of the function DECL, as the profile
   has them: those of a constructor differ where it is inlined.  */
static void
shape_names (fitting *fit, tree decl, vec<uint32_t> *names)
{
  const sample_guids guids = sample_places_guids (decl);
  const char *linkage = use_linkage_name (decl);
  vec<uint32_t> *known = fit->names.get (guids.linkage);

  if (!known && guids.plain)
    known = fit->names.get (guids.plain);
  if (known)
    for (uint32_t name : *known)
      names->safe_push (sample_profile_copy_name (fit->shape, fit->old, name));
  else
    names->safe_push (sample_profile_add_name (
      fit->shape, linkage,
      function_canonical_bytes (linkage, strlen (linkage))));
  fit->failed |= names->contains (SAMPLE_NO_NAME);
}

/* Store what the call of PLACE may call in *NAMES: for a virtual call, the
   functions of the profile that have the same plain name.  */
static void
called_names (fitting *fit, const source_place &place, vec<uint32_t> *names)
{
  if (tree callee = gimple_call_fndecl (place.call))
    shape_names (fit, callee, names);
  else if (place.method)
    {
      uint64_t keys[2];
      source_outline_method_keys (place.method, keys);
      for (uint64_t key : keys)
	if (vec<uint32_t> *callees = key > 1 ? fit->callees.get (key) : NULL)
	  for (uint32_t name : *callees)
	    names->safe_push (sample_profile_copy_name (fit->shape, fit->old,
							name));
    }
  if (names->is_empty ())
    names->safe_push (sample_profile_add_name (fit->shape, indirect_callee,
					       strlen (indirect_callee)));
  fit->failed |= names->contains (SAMPLE_NO_NAME);
}

/* Add PLACE to FUNCTION of the shape.  */
static void
add_place (fitting *fit, sample_function *function, const source_place &place)
{
  auto_vec<uint32_t> names;

  fit->failed
    |= !sample_function_add_body (fit->shape, function, place.location, 1);
  if (place.call)
    called_names (fit, place, &names);
  for (uint32_t name : names)
    if (!fit->failed)
      fit->failed |= !sample_function_add_target (fit->shape, function,
						  place.location, name, 1);
}

/* Add FUNCTION as the source has it.  */
static void
add_written (fitting *fit, unit_function *function)
{
  auto_vec<uint32_t> names;

  shape_names (fit, function->decls[0], &names);
  sampled_unit_fill (function);
  for (uint32_t name : names)
    {
      sample_function *added
	= fit->failed ? NULL
		      : sample_profile_add_function (fit->shape, NULL, 0, name);
      fit->failed |= !added;
      for (const source_place &place : function->source.places)
	if (!fit->failed)
	  add_place (fit, added, place);
    }
}

/* Make the two profiles of FIT, in place of earlier ones.  */
static void
make_profiles (fitting *fit)
{
  profile_error err;

  sample_profile_free (fit->old);
  sample_profile_free (fit->shape);
  release_names (&fit->names);
  release_names (&fit->callees);
  fit->same = 0;
  fit->shape = sample_profile_new ();
  fit->old = sample_profile_copy_functions (sample_places_profile (),
					    SAMPLE_DROP_SUFFIXES, matters_p,
					    fit, &err);
  fit->failed = !fit->shape || !fit->old;
  if (fit->failed)
    return;
  for (uint32_t i = 0; i < sample_profile_name_count (fit->old); i++)
    add_name (&fit->names, sample_places_name_guid (fit->old, i), i);
  for (uint32_t i = 0; i < sample_profile_function_count (fit->old); i++)
    add_profiled (fit, sample_profile_function (fit->old, i));
  for (unit_function *function : fit->unit.functions)
    if (!fit->failed && (function->is_changed || !function->has_copies))
      add_written (fit, function);
}

/* ---- The fitted profile.  */

/* Debug information has wrong lines in places, and one plain name for several
   local functions.  So leave only those functions marked as changed in which
   more calls, and most of all, are where the source has them when they are
   fitted.  Return true if there are any.  */
static bool
choose_changed (fitting *fit)
{
  stale_samples_report ignored = {};
  stale_fit *found
    = stale_fit_new (fit->old, fit->shape, SAMPLE_NO_NAME, &ignored);
  bool any = false;

  fit->failed |= !found;
  if (found)
    sampled_unit_compare_fitted (&fit->unit, fit->old, found, fit->shape);
  for (unit_function *function : fit->unit.functions)
    {
      const call_agreement &after = function->after;
      const double gain = (double) after.good - (double) function->before.good;
      function->is_changed
	&= (after.all >= least_calls && gain > least_gain * after.all
	    && after.good >= least_agreement * after.all);
      any |= function->is_changed;
    }
  stale_fit_free (found);
  stale_samples_report_release (&ignored);
  return any;
}

/* Note which functions have data in the profile that is open now, and had none
   there.  */
static void
note_moved (fitting *fit)
{
  for (unit_function *function : fit->unit.functions)
    if (function->is_changed
	|| (!function->has_copies
	    && !sample_places_copies (function->decls[0]).is_empty ()))
      for (tree decl : function->decls)
	moved.add (decl);
}

static void
report_fit (const fitting *fit, const stale_samples_report &report)
{
  unsigned changed = 0;

  for (const unit_function *function : fit->unit.functions)
    changed += moved.contains (function->decls[0]);
  warning (OPT_Wcoverage_mismatch,
	   "%s: functions whose source has changed since the profile was"
	   " made: %u; samples found: %" PRIu64 " of %" PRIu64,
	   arguments.sample.file, changed, report.matched - fit->same,
	   report.counts - fit->same);
}

/* Fit the profile by the two of FIT.  */
static void
fit_profile (fitting *fit)
{
  stale_samples_report report;
  profile_error err;
  sample_profile *fitted
    = stale_samples_fit (fit->old, fit->shape, &report, &err);

  if (fitted)
    {
      sample_profile_free (sample_places_replace (fitted));
      note_moved (fit);
      report_fit (fit, report);
    }
  else
    report_profile_error (arguments.sample.file, &err);
  stale_samples_report_release (&report);
}

static void
fit_unit (void)
{
  fitting fit;
  const sample_profile *profile = sample_places_profile ();
  bool any = false;

  sampled_unit_collect (&fit.unit);
  sampled_unit_compare (&fit.unit, profile);
  for (const unit_function *function : fit.unit.functions)
    any |= function->is_changed;
  if (any)
    {
      sampled_unit_find_gone (&fit.unit, profile);
      make_profiles (&fit);
      any = !fit.failed && choose_changed (&fit);
    }
  if (any)
    {
      sampled_unit_find_gone (&fit.unit, profile);
      make_profiles (&fit);
    }
  if (fit.failed)
    fatal_error (UNKNOWN_LOCATION, "heapprof: memory exhausted");
  if (any)
    fit_profile (&fit);
  release_names (&fit.names);
  release_names (&fit.callees);
  sample_profile_free (fit.old);
  sample_profile_free (fit.shape);
}

static const pass_data pass_data_sample_fit = {
  SIMPLE_IPA_PASS, "heapprof-sample-fit", OPTGROUP_OTHER, TV_NONE, 0, 0, 0, 0, 0
};

/* All functions of the unit are known now, and none is inlined yet.  */
class pass_sample_fit : public simple_ipa_opt_pass
{
public:
  pass_sample_fit (gcc::context *context)
    : simple_ipa_opt_pass (pass_data_sample_fit, context)
  {}

  bool gate (function *) final override { return !in_lto_p && !seen_error (); }
  unsigned int execute (function *) final override
  {
    fit_unit ();
    return 0;
  }
};

void
sample_fit_start (const char *plugin_name)
{
  register_pass_info fit
    = { new pass_sample_fit (g), "*free_lang_data", 1, PASS_POS_INSERT_BEFORE };
  profile_soften_mismatch ();
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &fit);
}

bool
sample_fit_moved_p (tree decl)
{
  return moved.contains (decl);
}
