/* Sample profile data for the places of a unit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "file-content.h"
#include "function-id.h"
#include "profile-message.h"
#include "sample-binary.h"
#include "sample-places.h"
#include "sample-text.h"
#include "use-call.h"
#include "use-frame.h"

typedef int_hash<uint64_t, 0, 1> guid_hash;

/* The compiler's view of a function in the profile: all copies that have data
   for virtual calls, and the copy that is not inlined anywhere.  */
struct sampled_function
{
  vec<const sample_function *> copies;
  const sample_function *top;
};

static sample_profile *profile;
static hash_map<guid_hash, sampled_function> *functions;
static hash_set<guid_hash> *tables_of_profile;
static auto_vec<uint64_t> guids_of_names; /* by number in the profile */

/* ---- Reading.  */

/* Add the SIZE bytes at DATA, the contents of the file PATH, to the
   profile.  */
static bool
fold (const char *path, const void *data, size_t size, profile_error *err)
{
  size_t start = MIN (size, (size_t) SAMPLE_TEXT_START_BYTES);

  if (sample_binary_has_magic (data, size))
    return sample_binary_fold (profile, path, data, size, err);
  if (sample_text_is_possible (data, start))
    return sample_text_fold (profile, path, data, size, err);
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			    "not a sample profile with virtual tables");
}

static bool
read_profile (const char *path)
{
  profile_error err;
  void *data;
  size_t size;

  profile = sample_profile_new ();
  if (!profile)
    xmalloc_failed (0);
  if (!file_content_read (path, &data, &size, &err))
    return report_profile_error (path, &err);
  bool is_read = fold (path, data, size, &err);
  free (data);
  if (is_read && (sample_profile_flags (profile) & SAMPLE_PROBES))
    is_read = profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
				 "has probe numbers instead of lines");
  return is_read || report_profile_error (path, &err);
}

/* Return the GUID of NAME in FROM, computed.  */
static uint64_t
compute_guid (const sample_profile *from, uint32_t name)
{
  const char *text = sample_profile_name (from, name);

  if (!text)
    return sample_profile_name_guid (from, name);
  if (!strstr (text, "C4") && !strstr (text, "D4") && !strstr (text, "CI4"))
    return function_canonical_guid (text);
  /* Debug information has one name for all variants of a constructor.  */
  char *base = xstrdup (text);
  function_base_variant (base);
  const uint64_t guid = function_canonical_guid (base);
  free (base);
  return guid;
}

uint64_t
sample_places_name_guid (const sample_profile *from, uint32_t name)
{
  return (from == profile && name < guids_of_names.length ()
	    ? guids_of_names[name]
	    : compute_guid (from, name));
}

static uint64_t
guid_of_name (uint32_t name)
{
  return sample_places_name_guid (profile, name);
}

/* True if FUNCTION has data for virtual calls: tables, or targets of calls.  */
static bool
has_calls_p (const sample_function *function)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    if (function->bodies[i].targets.count)
      return true;
  return function->vtables_count > 0;
}

/* Index FUNCTION and the functions inlined into it.  */
static void
index_function (const sample_function *function)
{
  bool existed, has_calls = has_calls_p (function);

  for (uint32_t i = 0; i < function->vtables_count; i++)
    {
      const sample_counts &tables = function->vtables[i].tables;
      for (uint32_t j = 0; j < tables.count; j++)
	tables_of_profile->add (guid_of_name (tables.counts[j].name));
    }
  if (has_calls || function->depth == 0)
    {
      sampled_function &found
	= functions->get_or_insert (guid_of_name (function->name), &existed);
      if (!existed)
	found = { vNULL, NULL };
      if (has_calls)
	found.copies.safe_push (function);
      if (function->depth == 0 && !function->caller_count)
	found.top = function;
    }
  for (uint32_t i = 0; i < function->call_site_count; i++)
    index_function (function->call_sites[i].inlinee);
}

/* Index the profile.  */
static void
make_index (void)
{
  functions = new hash_map<guid_hash, sampled_function>;
  tables_of_profile = new hash_set<guid_hash>;
  for (uint32_t i = 0; i < sample_profile_name_count (profile); i++)
    guids_of_names.safe_push (compute_guid (profile, i));
  for (uint32_t i = 0; i < sample_profile_function_count (profile); i++)
    index_function (sample_profile_function (profile, i));
}

static void
release_index (void)
{
  for (auto entry : *functions)
    entry.second.copies.release ();
  delete functions;
  delete tables_of_profile;
  guids_of_names.truncate (0);
}

bool
sample_places_open (const char *path)
{
  if (!read_profile (path))
    {
      sample_profile_free (profile);
      profile = NULL;
      return false;
    }
  make_index ();
  return true;
}

void
sample_places_close (void)
{
  release_index ();
  sample_profile_free (profile);
  profile = NULL;
}

const sample_profile *
sample_places_profile (void)
{
  return profile;
}

sample_profile *
sample_places_replace (sample_profile *fitted)
{
  sample_profile *before = profile;

  release_index ();
  profile = fitted;
  make_index ();
  return before;
}

bool
sample_places_have_table (uint64_t guid)
{
  return tables_of_profile->contains (guid);
}

/* ---- Looking up.  */

static int
compare_tables (const void *one, const void *other)
{
  const sample_table *a = static_cast<const sample_table *> (one);
  const sample_table *b = static_cast<const sample_table *> (other);

  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;
  return (a->guid > b->guid) - (a->guid < b->guid);
}

static void
add_counts (const sample_counts &counts, vec<sample_table> *tables)
{
  for (uint32_t i = 0; i < counts.count; i++)
    {
      uint32_t name = counts.counts[i].name;
      uint64_t guid = guid_of_name (name);
      sample_table *found = NULL;
      for (sample_table &table : *tables)
	if (table.guid == guid)
	  found = &table;
      if (!found)
	found = tables->safe_push ({ guid, sample_profile_name (profile, name),
				     0 });
      sample_count_add (&found->count, counts.counts[i].count);
    }
}

/* Add the tables of FUNCTION at PLACE to *TABLES.  */
static void
add_tables (const sample_function *function, sample_location place,
	    vec<sample_table> *tables)
{
  if (const sample_vtables *exact
      = sample_function_find_vtables (function, place))
    {
      add_counts (exact->tables, tables);
      return;
    }
  for (uint32_t i = 0; i < function->vtables_count; i++)
    if (function->vtables[i].location.line == place.line)
      add_counts (function->vtables[i].tables, tables);
}

/* Add the functions that FUNCTION calls at PLACE to *TARGETS.  */
static void
add_targets (const sample_function *function, sample_location place,
	     vec<sample_table> *targets)
{
  const sample_body *exact = sample_function_find_body (function, place);

  if (exact && exact->targets.count)
    {
      add_counts (exact->targets, targets);
      return;
    }
  for (uint32_t i = 0; i < function->body_count; i++)
    if (function->bodies[i].location.line == place.line)
      add_counts (function->bodies[i].targets, targets);
}

sample_guids
sample_places_guids (tree decl)
{
  tree origin = DECL_ORIGIN (decl);
  sample_guids guids = { use_function_guid (decl), 0 };

  if (!TREE_PUBLIC (origin) && DECL_NAME (origin))
    guids.plain = function_canonical_guid (lang_hooks.dwarf_name (origin, 0));
  return guids;
}

/* Return what the profile has about the function DECL, or NULL.  */
static sampled_function *
find_function (tree decl)
{
  sample_guids guids = sample_places_guids (decl);
  sampled_function *found = functions->get (guids.linkage);

  return found || !guids.plain ? found : functions->get (guids.plain);
}

vec<const sample_function *>
sample_places_copies (tree decl)
{
  sampled_function *found = find_function (decl);

  return found ? found->copies : vec<const sample_function *> ();
}

/* Return the function DECL that is inlined into FUNCTION at PLACE, or NULL.  */
static const sample_function *
find_inlinee (const sample_function *function, sample_location place, tree decl)
{
  const sample_function *found = NULL;
  sample_guids guids = sample_places_guids (decl);

  for (uint32_t i = 0; i < function->call_site_count; i++)
    {
      const sample_call_site &site = function->call_sites[i];
      uint64_t guid = guid_of_name (site.inlinee->name);
      if (site.location.line != place.line
	  || (guid != guids.linkage && guid != guids.plain))
	continue;
      found = site.inlinee;
      if (site.location.discriminator == place.discriminator)
	return found;
    }
  return found;
}

/* Return the copy in the profile that was inlined along PLACES, innermost
   first, or NULL.  */
static const sample_function *
find_copy (const vec<use_place> &places)
{
  const use_place &outermost = places[places.length () - 1];
  sampled_function *known = find_function (outermost.function);
  const sample_function *function = known ? known->top : NULL;

  for (unsigned i = places.length () - 1; function && i > 0; i--)
    {
      const use_place &site = places[i];
      function
	= find_inlinee (function,
			{ use_line_offset (site.function, site.location),
			  compat_location_discriminator (site.location) },
			places[i - 1].function);
    }
  return function;
}

/* Store in *COUNTS, by descending count, what ADD finds for CALL, which is now
   in the function DECL, at LOCATION.  */
static void
look_up (gcall *call, tree decl, location_t location,
	 void (*add) (const sample_function *function, sample_location place,
		      vec<sample_table> *counts),
	 vec<sample_table> *counts)
{
  auto_vec<use_place> places;

  use_call_places (call, decl, &places);
  tree function = places[0].function;
  sample_location place = { use_line_offset (function, location),
			    compat_discriminator (call, location) };
  if (places.length () > 1)
    if (const sample_function *copy = find_copy (places))
      add (copy, place, counts);
  sampled_function *known = find_function (function);
  if (counts->is_empty () && known)
    for (const sample_function *copy : known->copies)
      add (copy, place, counts);
  counts->qsort (compare_tables);
}

void
sample_places_tables (gcall *call, tree decl, location_t location,
		      vec<sample_table> *tables)
{
  look_up (call, decl, location, add_tables, tables);
}

void
sample_places_targets (gcall *call, tree decl, location_t location,
		       vec<sample_table> *targets)
{
  look_up (call, decl, location, add_targets, targets);
}
