/* The functions of a unit, beside what a sample profile has of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "sample-places.h"
#include "sampled-unit.h"

void
sampled_unit_collect (sampled_unit *unit)
{
  cgraph_node *node;

  FOR_EACH_FUNCTION (node)
    {
      const sample_guids guids = sample_places_guids (node->decl);
      unit->declared.add (guids.linkage);
      if (guids.plain)
	unit->declared.add (guids.plain);
      if (!node->has_gimple_body_p () || node->alias || node->clone_of)
	continue;
      if (unit_function **known = unit->by_guid.get (guids.linkage))
	{
	  (*known)->decls.safe_push (node->decl);
	  continue;
	}
      unit_function *function = new unit_function ();
      function->decls.safe_push (node->decl);
      unit->functions.safe_push (function);
      unit->by_guid.put (guids.linkage, function);
      if (guids.plain && !unit->by_guid.get (guids.plain))
	unit->by_guid.put (guids.plain, function);
    }
}

unit_function *
sampled_unit_find (sampled_unit *unit, const sample_profile *profile,
		   uint32_t name)
{
  unit_function **found
    = unit->by_guid.get (sample_places_name_guid (profile, name));

  return found ? *found : NULL;
}

void
sampled_unit_fill (unit_function *function)
{
  if (!function->is_filled)
    for (tree decl : function->decls)
      source_outline_add (&function->source, decl);
  function->is_filled = true;
}

/* ---- Agreement.  */

/* A profile, fitted or not, that is compared with a unit.  */
struct comparison
{
  sampled_unit *unit;
  const sample_profile *profile;
  const stale_fit *fit; /* NULL: as it is */
  const sample_profile *shape;
};

/* Return where the calls of OWN are added up.  */
static call_agreement *
sum_to (const comparison &compared, unit_function *own)
{
  return compared.fit ? &own->after : &own->before;
}

/* Set *THERE to the function of the unit that has LOCATION of COPY, and change
   LOCATION to that there; NULL: none.  */
static void
find_place (const comparison &compared, const sample_function *copy,
	    sample_location *location, unit_function **there)
{
  const sample_profile *profile = compared.profile;
  uint32_t name = copy->name;

  *there = NULL;
  if (compared.fit)
    {
      stale_place place;
      if (!stale_fit_find (compared.fit, name, *location, &place))
	return;
      profile = compared.shape;
      name = place.name;
      *location = place.location;
    }
  *there = sampled_unit_find (compared.unit, profile, name);
  if (*there)
    sampled_unit_fill (*there);
}

/* True if the source of THERE calls NAME of the profile on LINE.  */
static bool
calls_p (const comparison &compared, unit_function *there, uint32_t line,
	 uint32_t name)
{
  const sample_profile *profile = compared.profile;
  stale_place place;

  if (compared.fit && stale_fit_find (compared.fit, name, {}, &place))
    {
      profile = compared.shape;
      name = place.name;
    }
  return source_outline_calls_p (&there->source, line, profile, name,
				 sample_places_name_guid (profile, name));
}

/* True if NAME, called by COPY, tells where its calls are: not if debug
   information says that a part of a function is inlined in it, or if it may be
   called under another name.  */
static bool
telling_p (const comparison &compared, unit_function *own,
	   const sample_function *copy, uint32_t name)
{
  const uint64_t guid = sample_places_name_guid (compared.profile, name);

  return (name != copy->name
	  && (compared.unit->profiled.contains (guid)
	      || source_outline_calls_any_p (&own->source, compared.profile,
					     name, guid)));
}

/* Add COUNT calls of NAME at LOCATION of COPY, which is OWN, to its sum.  */
static void
add_call (const comparison &compared, unit_function *own,
	  const sample_function *copy, sample_location location, uint32_t name,
	  uint64_t count)
{
  call_agreement *sum = sum_to (compared, own);
  unit_function *there;

  if (!telling_p (compared, own, copy, name))
    return;
  sample_count_add (&sum->all, count);
  find_place (compared, copy, &location, &there);
  if (there && calls_p (compared, there, location.line, name))
    sample_count_add (&sum->good, count);
}

static uint64_t
sum_of (const sample_counts &counts)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < counts.count; i++)
    sample_count_add (&sum, counts.counts[i].count);
  return sum;
}

/* Add the calls of COPY, which is OWN, and the virtual tables that it loads for
   calls.  */
static void
add_copy (const comparison &compared, unit_function *own,
	  const sample_function *copy)
{
  call_agreement *sum = sum_to (compared, own);

  sampled_unit_fill (own);
  for (uint32_t i = 0; i < copy->body_count; i++)
    {
      const sample_body &body = copy->bodies[i];
      for (uint32_t k = 0; k < body.targets.count; k++)
	add_call (compared, own, copy, body.location,
		  body.targets.counts[k].name, body.targets.counts[k].count);
    }
  for (uint32_t i = 0; i < copy->call_site_count; i++)
    {
      const sample_call_site &site = copy->call_sites[i];
      add_call (compared, own, copy, site.location, site.inlinee->name,
		site.inlinee->total);
    }
  for (uint32_t i = 0; i < copy->vtables_count; i++)
    {
      const uint64_t count = sum_of (copy->vtables[i].tables);
      sample_location location = copy->vtables[i].location;
      unit_function *there;
      sample_count_add (&sum->all, count);
      find_place (compared, copy, &location, &there);
      if (there && there->source.loads.contains (location.line))
	sample_count_add (&sum->good, count);
    }
}

/* Add FUNCTION of the profile, and those inlined into it.  */
static void
add_function (const comparison &compared, const sample_function *function)
{
  if (unit_function *own
      = sampled_unit_find (compared.unit, compared.profile, function->name))
    add_copy (compared, own, function);
  for (uint32_t i = 0; i < function->call_site_count; i++)
    add_function (compared, function->call_sites[i].inlinee);
}

static void
compare_all (const comparison &compared)
{
  for (uint32_t i = 0; i < sample_profile_function_count (compared.profile);
       i++)
    add_function (compared, sample_profile_function (compared.profile, i));
}

/* Note that the profile has FUNCTION and those inlined into it.  */
static void
note_profiled (sampled_unit *unit, const sample_profile *profile,
	       const sample_function *function)
{
  unit->profiled.add (sample_places_name_guid (profile, function->name));
  if (unit_function *own = sampled_unit_find (unit, profile, function->name))
    own->has_copies = true;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    note_profiled (unit, profile, function->call_sites[i].inlinee);
}

void
sampled_unit_compare (sampled_unit *unit, const sample_profile *profile)
{
  for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
    note_profiled (unit, profile, sample_profile_function (profile, i));
  compare_all ({ unit, profile, NULL, NULL });
  for (unit_function *function : unit->functions)
    function->is_changed = function->before.good < function->before.all;
}

void
sampled_unit_compare_fitted (sampled_unit *unit, const sample_profile *profile,
			     const stale_fit *fit, const sample_profile *shape)
{
  compare_all ({ unit, profile, fit, shape });
}

/* ---- Functions that are gone.  */

/* Note NAME, called by the changed function OWN on LINE, if it is gone.  */
static void
note_gone (sampled_unit *unit, const sample_profile *profile,
	   unit_function *own, uint32_t line, uint32_t name)
{
  const uint64_t guid = sample_places_name_guid (profile, name);

  /* A call through a pointer may call functions of other units.  */
  if (unit->profiled.contains (guid) && !unit->declared.contains (guid)
      && !source_outline_calls_p (&own->source, line, profile, name, guid))
    unit->gone.add (guid);
}

static void
find_gone (sampled_unit *unit, const sample_profile *profile,
	   const sample_function *function)
{
  unit_function *own = sampled_unit_find (unit, profile, function->name);
  const bool is_changed = own && own->is_changed;

  for (uint32_t i = 0; i < function->body_count && is_changed; i++)
    {
      const sample_body &body = function->bodies[i];
      for (uint32_t k = 0; k < body.targets.count; k++)
	note_gone (unit, profile, own, body.location.line,
		   body.targets.counts[k].name);
    }
  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      const sample_call_site &site = function->call_sites[i];
      if (is_changed)
	note_gone (unit, profile, own, site.location.line, site.inlinee->name);
      find_gone (unit, profile, site.inlinee);
    }
}

void
sampled_unit_find_gone (sampled_unit *unit, const sample_profile *profile)
{
  unit->gone.empty ();
  for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
    find_gone (unit, profile, sample_profile_function (profile, i));
}
