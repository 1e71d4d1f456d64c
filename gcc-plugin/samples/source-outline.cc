/* Where a function of the unit has code and calls, as sample profiles see it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "function-id.h"
#include "plain-name.h"
#include "sample-places.h"
#include "source-outline.h"
#include "use-frame.h"

/* Return the line of LOCATION in DECL; -1: it has none.  */
static int
line_of (tree decl, location_t location)
{
  return (LOCATION_LOCUS (location) > BUILTINS_LOCATION
	    ? (int) use_line_offset (decl, location)
	    : -1);
}

/* Return a key for the call of GUID in LINE.  */
static uint64_t
call_key (uint64_t guid, uint32_t line)
{
  const uint64_t key = guid ^ ((uint64_t) line + 1) * 0x9e3779b97f4a7c15;

  return key > 1 ? key : 2;
}

/* Return the function that CALL names in its class; NULL if it is not virtual,
   or a destructor.  Only before GCC frees what only front ends need.  */
static tree
method_of (const gcall *call)
{
  tree called = gimple_call_fn (call);

  if (!called || !virtual_method_call_p (called))
    return NULL_TREE;
  tree functions = BINFO_VIRTUALS (TYPE_BINFO (obj_type_ref_class (called)));
  for (HOST_WIDE_INT n = tree_to_shwi (OBJ_TYPE_REF_TOKEN (called));
       functions && n > 0; n--)
    functions = TREE_CHAIN (functions);
  return (functions && !DECL_CXX_DESTRUCTOR_P (TREE_VALUE (functions))
	    ? TREE_VALUE (functions)
	    : NULL_TREE);
}

uint64_t
source_outline_key (const sample_profile *profile, uint32_t name)
{
  const char *text = sample_profile_name (profile, name);
  const uint64_t plain = text ? plain_name_hash (text) : 0;

  return plain > 1 ? plain : sample_places_name_guid (profile, name);
}

void
source_outline_method_keys (tree method, uint64_t keys[2])
{
  keys[0] = plain_name_hash (use_linkage_name (method));
  keys[1] = function_canonical_guid (lang_hooks.dwarf_name (method, 0));
}

/* Note that what has KEY may be called on LINE.  */
static void
add_key (source_outline *outline, uint64_t key, uint32_t line)
{
  if (key < 2)
    return;
  outline->callees.add (key);
  outline->calls.add (call_key (key, line));
}

/* Note what PLACE may call.  */
static void
add_call (source_outline *outline, const source_place &place)
{
  const uint32_t line = place.location.line;

  if (tree callee = gimple_call_fndecl (place.call))
    {
      const sample_guids guids = sample_places_guids (callee);
      add_key (outline, guids.linkage, line);
      add_key (outline, guids.plain, line);
    }
  else if (place.method)
    {
      uint64_t keys[2];
      source_outline_method_keys (place.method, keys);
      for (uint64_t key : keys)
	add_key (outline, key, line);
    }
  else
    outline->indirect.add (line);
}

static void
add_statement (source_outline *outline, tree decl, gimple *statement)
{
  const location_t location = gimple_location (statement);
  const int line = line_of (decl, location);
  gcall *call = dyn_cast<gcall *> (statement);

  if (line < 0)
    return;
  if (call && gimple_call_internal_p (call))
    call = NULL;
  outline->lines.add (line);
  outline->places.safe_push ({ { (uint32_t) line,
				 compat_discriminator (statement, location) },
			       call,
			       call ? method_of (call) : NULL_TREE });
  if (!call)
    return;
  add_call (outline, outline->places.last ());
  /* Code of a call may be where its expression begins.  */
  const int start
    = line_of (decl, get_range_from_loc (line_table, location).m_start);
  if (start >= 0)
    outline->lines.add (start);
  if (!gimple_call_fndecl (call))
    for (int there : { line, start })
      if (there >= 0)
	outline->loads.add (there);
}

void
source_outline_add (source_outline *outline, tree decl)
{
  struct function *fun = DECL_STRUCT_FUNCTION (decl);
  basic_block block;
  edge leaving;
  edge_iterator i;

  /* The code that enters and leaves the function.  */
  outline->lines.add (0);
  const int end = line_of (decl, fun->function_end_locus);
  if (end >= 0)
    outline->lines.add (end);
  FOR_EACH_BB_FN (block, fun)
    {
      for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	if (!is_gimple_debug (gsi_stmt (gsi)))
	  add_statement (outline, decl, gsi_stmt (gsi));
      FOR_EACH_EDGE (leaving, i, block->succs)
	{
	  const int line = line_of (decl, leaving->goto_locus);
	  if (line >= 0)
	    outline->lines.add (line);
	}
    }
}

bool
source_outline_calls_p (source_outline *outline, uint32_t line,
			const sample_profile *profile, uint32_t name,
			uint64_t guid)
{
  return (outline->indirect.contains (line)
	  || outline->calls.contains (call_key (guid, line))
	  || outline->calls
	       .contains (call_key (source_outline_key (profile, name), line)));
}

bool
source_outline_calls_any_p (source_outline *outline,
			    const sample_profile *profile, uint32_t name,
			    uint64_t guid)
{
  return (outline->callees.contains (guid)
	  || outline->callees.contains (source_outline_key (profile, name)));
}
