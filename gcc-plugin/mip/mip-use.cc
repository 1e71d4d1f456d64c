/* Optimization with a machine-level profile: functions that never ran or ran
   first.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are looked up by name, and local ones by file as well, after
   inlining decisions: the remaining functions are those of the final program,
   which the profile describes.  A function that never ran is optimized for size
   and placed with cold ones.  A function with a position in the order of first
   calls gets a section .text.sorted.N, which linkers sort.  A function whose
   source hash differs has changed since and is left alone.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "file-content.h"
#include "heapprof/mip-format.h"
#include "mip-hash.h"
#include "mip-profile.h"
#include "mip-use.h"
#include "profile-message.h"

static mip_profile *profile;

/* The functions of the profile by name, and for each its position in the order
   of first calls, from 1; 0 if unknown.  */
static hash_map<nofree_string_hash, auto_vec<uint32_t> *> *by_name;
static vec<uint32_t> places;

/* Statistics of the unit.  */
static unsigned n_cold;
static unsigned n_ordered;
static unsigned n_changed;
static unsigned n_unknown;

/* Functions in more runs first, then those called earlier on average.  */
static int
compare_places (const void *a, const void *b)
{
  const mip_function *one = &profile->functions[*(const uint32_t *) a];
  const mip_function *other = &profile->functions[*(const uint32_t *) b];

  if (one->runs != other->runs)
    return one->runs > other->runs ? -1 : 1;
  double place = (double) one->order_sum / one->runs;
  double other_place = (double) other->order_sum / other->runs;
  if (place != other_place)
    return place < other_place ? -1 : 1;
  return one < other ? -1 : one > other;
}

/* Assign positions to the functions that have one.  */
static void
find_places (void)
{
  auto_vec<uint32_t> ordered;

  places.safe_grow_cleared (profile->function_count, true);
  for (uint32_t i = 0; i < profile->function_count; i++)
    if (profile->functions[i].runs > 0 && profile->functions[i].order_sum > 0)
      ordered.safe_push (i);
  ordered.qsort (compare_places);
  for (unsigned i = 0; i < ordered.length (); i++)
    places[ordered[i]] = i + 1;
}

static void
find_names (void)
{
  by_name = new hash_map<nofree_string_hash, auto_vec<uint32_t> *>;
  for (uint32_t i = 0; i < profile->function_count; i++)
    {
      const char *name
	= mip_profile_string (profile, profile->functions[i].name);
      bool is_there;
      auto_vec<uint32_t> *&list = by_name->get_or_insert (name, &is_there);
      if (!is_there)
	list = new auto_vec<uint32_t>;
      list->safe_push (i);
    }
}

/* Read the profile.  Report an error and return false on failure.  */
static bool
read_profile (void)
{
  profile_error err;
  void *data;
  size_t size;

  if (file_content_read (arguments.mip_use, &data, &size, &err))
    {
      profile = mip_profile_read (arguments.mip_use, data, size, &err);
      free (data);
    }
  if (!profile)
    return report_profile_error (arguments.mip_use, &err);
  find_places ();
  find_names ();
  return true;
}

/* Return the function of the profile that matches DECL, or NULL if there is not
   exactly one.  */
static const mip_function *
find_function (tree decl)
{
  const char *name
    = targetm
	.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
  auto_vec<uint32_t> **list = by_name->get (name);
  const mip_function *found = NULL;
  const char *file = expand_location (DECL_SOURCE_LOCATION (decl)).file;

  if (!list)
    return NULL;
  for (uint32_t index : **list)
    {
      const mip_function *function = &profile->functions[index];
      bool is_local = function->flags & HEAPPROF_MIP_LOCAL;
      if (is_local != !TREE_PUBLIC (decl)
	  || (is_local
	      && strcmp (mip_profile_string (profile, function->file),
			 file ? file : "")))
	continue;
      if (found)
	return NULL;
      found = function;
    }
  return found;
}

/* Set the section of NODE for the position PLACE, from 1.  */
static void
set_section (cgraph_node *node, uint32_t place)
{
  char name[40];

  sprintf (name, ".text.sorted.%06u", place);
  node->set_section (name);
  n_ordered++;
}

/* Return the source hash of NODE.  A clone made by the preceding passes has no
   body yet, and its declaration does not refer to the original.  */
static uint64_t
find_source_hash (cgraph_node *node)
{
  while (node->clone_of)
    node = node->clone_of;
  return mip_source_hash (node->decl);
}

/* Optimize NODE by its record in the profile.  */
static void
use_function (cgraph_node *node)
{
  tree decl = node->decl;
  const mip_function *function = find_function (decl);

  if (!function)
    {
      n_unknown++;
      return;
    }
  if (!(function->flags & HEAPPROF_MIP_HAS_SOURCE_HASH)
      || function->source_hash != find_source_hash (node))
    {
      n_changed++;
      if (arguments.verbose)
	inform (DECL_SOURCE_LOCATION (decl),
		"heapprof: %qD has changed since it was profiled: left alone",
		decl);
      return;
    }
  if (function->runs == 0)
    {
      node->frequency = NODE_FREQUENCY_UNLIKELY_EXECUTED;
      n_cold++;
    }
  else if (uint32_t place = places[function - profile->functions])
    if (!node->get_section ()
	&& !lookup_attribute ("section", DECL_ATTRIBUTES (decl)))
      set_section (node, place);
}

static void
collect_hashes (void *, void *)
{
  if (!seen_error () && !in_lto_p)
    mip_hash_collect ();
}

static void
use_unit (void *, void *)
{
  cgraph_node *node;

  /* LTO would decide at the link, where the hashes are unknown.  */
  if (seen_error () || in_lto_p || flag_lto || !read_profile ())
    return;
  FOR_EACH_DEFINED_FUNCTION (node)
    if (!node->inlined_to && !node->alias && !node->thunk
	&& node->has_gimple_body_p ())
      use_function (node);
  if (arguments.verbose)
    inform (UNKNOWN_LOCATION,
	    "heapprof: functions that never ran: %u, placed: %u, changed: %u, "
	    "not in the profile: %u",
	    n_cold, n_ordered, n_changed, n_unknown);
}

void
mip_use_start (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START, collect_hashes,
		     NULL);
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END, use_unit, NULL);
}
