/* What a machine-level profile says about the functions of the unit.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions are looked up by name, and local ones by file as well.  GCC does
   not split and inline in the same way once it knows what never runs: a
   function without a record is taken for its source function, of which another
   part or specialized copy may have a record, or which was inlined.  Such a
   function is placed beside the part that was called first, or the function
   into which it was inlined that was called first.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "file-content.h"
#include "function-id.h"
#include "heapprof/mip-format.h"
#include "mip-use-find.h"
#include "profile-message.h"

typedef hash_map<nofree_string_hash, auto_vec<uint32_t> *> index_by_name;

static mip_profile *profile;

/* The functions of the profile by name and by source function; the functions
   with inlined copies by the names of these copies' source functions.  */
static index_by_name by_name, by_origin, by_copy;

/* For each function its position in the order of first calls, from 1; 0 if
   unknown.  */
static vec<uint32_t> places;

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

/* Add function NUMBER to INDEX under NAME, a string of the profile.  */
static void
add_name (index_by_name *index, uint32_t name, uint32_t number)
{
  bool is_there;
  auto_vec<uint32_t> *&list
    = index->get_or_insert (mip_profile_string (profile, name), &is_there);

  if (!is_there)
    list = new auto_vec<uint32_t>;
  if (list->is_empty () || list->last () != number)
    list->safe_push (number);
}

static void
find_names (void)
{
  for (uint32_t i = 0; i < profile->function_count; i++)
    {
      const mip_function *function = &profile->functions[i];
      add_name (&by_name, function->name, i);
      add_name (&by_origin, function->origin, i);
      for (uint32_t j = 0; j < function->copy_count; j++)
	add_name (&by_copy, profile->copies[function->first_copy + j].name, i);
    }
}

bool
mip_use_read (void)
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

/* A function to look up.  */
struct wanted
{
  const char *name;
  const char *file;
  bool is_public;
};

/* True if the function or copy of WANTED's name in FILE, which no other file
   can name if IS_LOCAL, is the same.  */
static bool
same_place_p (const wanted &wanted, bool is_local, uint32_t file)
{
  return (!is_local
	  || !strcmp (mip_profile_string (profile, file), wanted.file));
}

/* Return the record of WANTED, or NULL if there is not exactly one.  The
   linker's optimizers make functions local.  */
static const mip_function *
find_record (const wanted &wanted)
{
  auto_vec<uint32_t> **list = by_name.get (wanted.name);
  const mip_function *found = NULL;

  if (!list)
    return NULL;
  for (uint32_t index : **list)
    {
      const mip_function *function = &profile->functions[index];
      bool is_local = function->flags & HEAPPROF_MIP_LOCAL;
      if ((!in_lto_p && is_local == wanted.is_public)
	  || !same_place_p (wanted, is_local, function->file))
	continue;
      if (found)
	return NULL;
      found = function;
    }
  return found;
}

/* Return the number of WANTED's function in LIST that was called first,
   else of one that was not; -1 if there is none.  */
static int
find_first (const wanted &wanted, const auto_vec<uint32_t> &list)
{
  int best = -1;

  for (uint32_t index : list)
    {
      const mip_function *function = &profile->functions[index];
      if (!same_place_p (wanted, function->flags & HEAPPROF_MIP_LOCAL,
			 function->file))
	continue;
      if (best < 0 || !places[best]
	  || (places[index] && places[index] < places[best]))
	best = index;
    }
  return best;
}

/* True if a copy of WANTED's function in FUNCTION may have run.  */
static bool
copy_may_run_p (const wanted &wanted, const mip_function *function)
{
  for (uint32_t i = 0; i < function->copy_count; i++)
    {
      const mip_copy *copy = &profile->copies[function->first_copy + i];
      bool is_known
	= copy->rule != UINT32_MAX || (copy->flags & HEAPPROF_MIP_COPY_ALWAYS);
      if (!strcmp (mip_profile_string (profile, copy->name), wanted.name)
	  && same_place_p (wanted, copy->flags & HEAPPROF_MIP_COPY_LOCAL,
			   copy->file)
	  && (copy->runs > 0 || (!is_known && function->runs > 0)))
	return true;
    }
  return false;
}

/* Set *FINDING by the functions into which WANTED was inlined.  */
static void
find_copies (const wanted &wanted, mip_use_finding *finding)
{
  auto_vec<uint32_t> **list = by_copy.get (wanted.name);
  uint32_t place = 0;

  if (!list)
    return;
  for (uint32_t index : **list)
    if (copy_may_run_p (wanted, &profile->functions[index]))
      {
	finding->may_run_inlined = true;
	if (places[index] && (!place || places[index] < place))
	  place = places[index];
      }
  if (!finding->place)
    finding->place = place;
}

mip_use_finding
mip_use_find (tree decl)
{
  const char *name
    = targetm
	.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
  const char *file = expand_location (DECL_SOURCE_LOCATION (decl)).file;
  wanted wanted = { name, file ? file : "", TREE_PUBLIC (decl) };
  mip_use_finding result = { find_record (wanted), 0, false, false };
  char *origin
    = xstrndup (name, function_canonical_bytes (name, strlen (name)));

  wanted.name = origin;
  if (!result.record)
    if (auto_vec<uint32_t> **list = by_origin.get (origin))
      {
	int first = find_first (wanted, **list);
	if (first >= 0)
	  result.record = &profile->functions[first];
	result.is_by_origin = first >= 0;
      }
  if (result.record)
    result.place = places[result.record - profile->functions];
  if (!result.place)
    find_copies (wanted, &result);
  free (origin);
  return result;
}
