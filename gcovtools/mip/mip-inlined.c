/* Detection of inlined copies of the functions in a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-inlined.h"
#include "diagnostics.h"
#include "inlined-copies.h"
#include "range-map.h"

/* State of the search.  */
struct search
{
  const struct mip_profile *profile;
  const struct mip_module *module;
  enum mip_inlined *states;
  struct inlined_copies copies;
  struct range_map code; /* functions by address */
};

/* Return the state that COPY implies.  FUNCTION contains the copy; NULL if it
   is in no function of the profile.  Blocks do not help: copies share code with
   their surroundings.  */
static enum mip_inlined
copy_state (const struct inlined_copy *copy,
	    const struct mip_function *function)
{
  if (copy->kind == COPY_BODY)
    return MIP_INLINED_NONE;
  return copy->kind == COPY_PLACE && function != NULL && function->runs == 0
	   ? MIP_INLINED_DID_NOT_RUN
	   : MIP_INLINED_UNKNOWN;
}

/* Set the states of the functions of the COUNT copies at COPIES, all of the
   same function.  That it was inlined somewhere matters only if no copies are
   visible.  */
static void
take_group (struct search *search, const struct inlined_copy *copies,
	    size_t count)
{
  enum mip_inlined seen = MIP_INLINED_NONE;
  enum mip_inlined said = MIP_INLINED_NONE;
  for (size_t i = 0; i < count; i++)
    {
      uint32_t number = range_map_find (&search->code, copies[i].address);
      enum mip_inlined state
	= copy_state (&copies[i], number != RANGE_MAP_NONE
				    ? &search->profile->functions[number]
				    : NULL);
      enum mip_inlined *which = copies[i].kind == COPY_SAID ? &said : &seen;
      if (state > *which)
	*which = state;
    }
  for (size_t i = 0; i < count; i++)
    {
      uint32_t number = range_map_find (&search->code, copies[i].address);
      if (copies[i].kind == COPY_BODY && number != RANGE_MAP_NONE)
	search->states[number] = seen != MIP_INLINED_NONE ? seen : said;
    }
}

/* Add the code of the module's functions.  */
static bool
map_code (struct search *search)
{
  const struct mip_module *module = search->module;
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      uint32_t number = module->first_function + i;
      const struct mip_function *function = &search->profile->functions[number];
      if (!range_map_add (&search->code, function->entry,
			  function->entry + function->code_bytes, 0, number)
	  || !range_map_add (&search->code, function->cold,
			     function->cold + function->cold_bytes, 0, number))
	return false;
    }
  return range_map_seal (&search->code);
}

/* Find the states of the module's functions.  Functions that the debug
   information of FILE does not describe get MIP_INLINED_NO_DEBUG_INFO.  */
static bool
search_file (struct search *search, struct object_file *file, const char *path)
{
  const struct mip_module *module = search->module;
  const struct inlined_copies *copies = &search->copies;
  bool is_described;
  size_t end;
  if (!map_code (search)
      || !inlined_copies_read (&search->copies, file, &is_described))
    return false;
  if (!is_described)
    {
      diagnostics_note ("%s: no debug information: inlined copies are unknown",
			path);
      return true;
    }
  for (uint32_t i = 0; i < module->function_count; i++)
    search->states[module->first_function + i] = MIP_INLINED_NO_DEBUG_INFO;
  for (size_t i = 0; i < copies->count; i = end)
    {
      for (end = i + 1; end < copies->count; end++)
	if (!inlined_copies_match (&copies->copies[i], &copies->copies[end]))
	  break;
      take_group (search, &copies->copies[i], end - i);
    }
  return true;
}

/* Return true if the map of MODULE lists its copies.  */
static bool
lists_copies (const struct mip_profile *profile,
	      const struct mip_module *module)
{
  for (uint32_t i = 0; i < module->function_count; i++)
    if (profile->functions[module->first_function + i].copy_count > 0)
      return true;
  return false;
}

bool
mip_inlined_find (enum mip_inlined *states, const struct mip_profile *profile,
		  struct object_finder *finder)
{
  bool is_done = true;
  for (size_t i = 0; i < profile->module_count && is_done; i++)
    {
      const struct mip_module *module = &profile->modules[i];
      struct search search
	= { .profile = profile, .module = module, .states = states };
      struct profile_error err;
      if (lists_copies (profile, module))
	continue;
      const char *path = mip_profile_string (profile, module->path);
      struct object_file *file
	= object_finder_find (finder, path, module->build_id,
			      module->build_id_bytes, NULL, &err);
      if (file == NULL)
	{
	  diagnostics_note ("%s: %s: inlined copies are unknown", path,
			    err.cause);
	  continue;
	}
      is_done = search_file (&search, file, path);
      inlined_copies_release (&search.copies);
      range_map_release (&search.code);
      object_file_close (file);
    }
  return is_done;
}
