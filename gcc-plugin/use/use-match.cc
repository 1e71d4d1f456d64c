/* Use of a heap profile: matching its calls with those of the unit.
   SPDX-License-Identifier: GPL-3.0-or-later

   The pass processes each function as written in the source, before any
   inlining, so that every call is still in its own function.  The function's
   record has the lines and columns of calls that allocate or lead to
   allocations; the calls at these places get attributes (use-call.h).

   Compilers disagree about the column of a call.  In C, GCC uses the start of
   the expression, in C++ the parenthesis; Clang uses the start or the name of
   the member; for new, either the keyword or the type.  So both places that GCC
   knows are tried.  After that, if source and profile both have only one
   unmatched call that allocates, or one that does not, on a line, these two are
   matched.

   A profile may be older than the source.  Calls that do not match are
   counted.  */

#include "gcc-compat.h"
#include "allocation-wrapper.h"
#include "arguments.h"
#include "hint-placeholder.h"
#include "profile-message.h"
#include "use-call.h"
#include "use-dump.h"
#include "use-fit.h"
#include "use-frame.h"
#include "use-match.h"
#include "use-pointer.h"
#include "use-remarks.h"
#include "use-shared.h"
#include "use-stale.h"
#include "use-start-line.h"

static heap_lookup *lookup;
static uint32_t schema;
static unsigned functions_of_unit;
/* Functions whose source has changed.  */
static hash_map<tree, source_change> changed;

uint32_t
use_schema (void)
{
  return schema;
}

/* Return the profile's call of FUNCTION at LINE_OFFSET and COLUMN, or NULL.  */
static profiled_call *
find_call (profiled_function *function, unsigned line_offset, unsigned column)
{
  for (profiled_call &call : function->calls)
    if (call.line_offset == line_offset
	&& (call.column == column || !function->has_columns))
      return &call;
  return NULL;
}

/* True if CALLEE is an operator new that the program replaces: the profile has
   calls in it.  */
static bool
replaced_operator_p (tree callee)
{
  static hash_map<nofree_string_hash, bool> known;
  const hint_allocator *operator_new = hint_find_allocator (callee);
  heap_lookup_record record;
  profile_error err;
  bool is_known;

  if (!operator_new || !operator_new->is_new)
    return false;
  bool &replaced = known.get_or_insert (operator_new->name, &is_known);
  if (!is_known)
    replaced = heap_lookup_find (lookup,
				 heap_lookup_guid (operator_new->name,
						   strlen (operator_new->name)),
				 &record, &err)
	       == INDEXED_FOUND;
  return replaced;
}

/* True if CALL may be one for which the profile has MIBs or, if not ALLOCATES,
   one that leads to an allocation.  A function with the attribute malloc, or a
   wrapper that the user named, may be either, because the profile may or may
   not have the frames inside it, and so may a call through a pointer that has
   the type of an allocation function.  */
static bool
may_be_p (const gcall *call, bool allocates)
{
  tree callee = gimple_call_fndecl (call);

  if (!callee)
    return !allocates || use_pointer_allocator (call);
  return (allocates == allocation_function_p (callee)
	  || unhinted_allocation_function_p (callee)
	  || allocation_wrapper_named_p (callee)
	  || replaced_operator_p (callee));
}

/* Give the data of PROFILED, an allocation, to a new direct call next to CALL,
   which goes through a pointer.  Return false if there can be none.  */
static bool
annotate_direct (gcall *call, const profiled_call &profiled)
{
  tree allocator = use_pointer_allocator (call);
  gcall *direct = allocator ? use_pointer_promote (call, allocator) : NULL;

  if (direct)
    use_call_annotate (direct, profiled.id, profiled.mibs, NULL_TREE);
  return direct;
}

/* Return the MIBs of PROFILED that CALL itself gets.  */
static tree
mibs_for (gcall *call, const profiled_call &profiled)
{
  const bool is_wanted
    = (gimple_call_fndecl (call) ? may_be_p (call, true)
				 : profiled.mibs && !profiled.taken
				     && !annotate_direct (call, profiled));

  return is_wanted ? profiled.mibs : NULL_TREE;
}

/* Return the group that PROFILED's hints of hot blocks tell.  */
static unsigned
wanted_group (const profiled_call *profiled)
{
  if (arguments.use.by_limits || arguments.use.groups == GROUPS_NONE
      || (arguments.use.groups == GROUPS_PHASES
	  && profiled->group != HEAP_LOOKUP_GROUP_PHASE))
    return 0;
  return profiled->group;
}

/* Give the statement CALL in the function DECL the profile's data.  A call
   through a pointer may be one of malloc.  */
static void
annotate (gcall *call, tree decl, profiled_call *profiled)
{
  const placement_class token
    = arguments.use.by_limits ? PLACEMENT_UNKNOWN : profiled->token;

  if (token != PLACEMENT_UNKNOWN && !profiled->matched)
    use_remark_token ();
  profiled->matched = true;
  if (profiled->is_fitted)
    use_frame_note_fitted (profiled->id);
  use_frame_remember (decl, gimple_location (call), profiled->id, token,
		      wanted_group (profiled));
  use_call_annotate (call, profiled->id, mibs_for (call, *profiled),
		     gimple_call_fndecl (call) ? NULL_TREE : profiled->callees);
  profiled->taken |= may_be_p (call, true) || !gimple_call_fndecl (call);
}

/* A direct call that is no allocation, and one that allocates in the profile,
   at the same place.  */
struct doubtful_call
{
  gcall *call;
  profiled_call *profiled;
};

static bool
declared_inline_p (const gcall *call)
{
  return DECL_DECLARED_INLINE_P (gimple_call_fndecl (call));
}

/* Match CALL in the function DECL with PROFILED.  If CALL is direct and no
   allocation, but PROFILED is, add them to DOUBTFUL.  */
static void
match (gcall *call, tree decl, profiled_call *profiled,
       vec<doubtful_call> *doubtful)
{
  tree callee = gimple_call_fndecl (call);

  if (!callee || !profiled->mibs || may_be_p (call, true)
      || fndecl_built_in_p (callee))
    {
      annotate (call, decl, profiled);
      return;
    }
  profiled->matched = true;
  if (!profiled->other || declared_inline_p (profiled->other))
    profiled->other = call;
  doubtful->safe_push ({ call, profiled });
}

/* Annotate the calls of DECL in DOUBTFUL.  If there is no allocation at such a
   place, one is a call of a function in a library that ends with a jump to
   malloc: an inline function is less likely.  */
static void
settle_doubtful (const vec<doubtful_call> &doubtful, tree decl)
{
  for (const doubtful_call &one : doubtful)
    {
      profiled_call *profiled = one.profiled;
      annotate (one.call, decl, profiled);
      if (one.call == profiled->other && !profiled->taken)
	use_call_annotate (one.call, profiled->id, profiled->mibs, NULL_TREE);
    }
}

/* Match CALL in the function DECL by its line and column, as `match' does.  An
   allocation may be at the column where the other compiler has the constructor
   call, so do not match an allocation with a call in the profile that does not
   allocate.  */
static bool
match_exactly (gcall *call, tree decl, profiled_function *function,
	       vec<doubtful_call> *doubtful)
{
  for (location_t place :
       { gimple_location (call), use_record_call_start (call) })
    {
      profiled_call *profiled
	= find_call (function, use_record_line_offset (*function, place),
		     LOCATION_COLUMN (place));
      if (profiled && (profiled->mibs || may_be_p (call, false)))
	{
	  match (call, decl, profiled, doubtful);
	  return true;
	}
    }
  return false;
}

/* True if CALL may be matched.  Calls at the place of new that release the
   block when the constructor throws must not be.  */
static bool
matchable_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  return ((!callee || !DECL_IS_OPERATOR_DELETE_P (callee))
	  && gimple_call_fntype (call));
}

/* Return the only one of CALLS in a function that may be PROFILED of FUNCTION
   by its line, or NULL if there is not exactly one.  */
static gcall *
only_call (const vec<gcall *> &calls, const profiled_function &function,
	   const profiled_call &profiled)
{
  gcall *found = NULL;

  for (gcall *call : calls)
    if (use_record_line_offset (function, gimple_location (call))
	  == profiled.line_offset
	&& may_be_p (call, profiled.mibs != NULL_TREE))
      {
	if (found)
	  return NULL;
	found = call;
      }
  return found;
}

/* True if FUNCTION has no other unmatched call of the same kind as CALL on its
   line.  */
static bool
alone_p (const profiled_function &function, const profiled_call &call)
{
  for (const profiled_call &other : function.calls)
    if (&other != &call && !other.matched
	&& other.line_offset == call.line_offset && !other.mibs == !call.mibs)
      return false;
  return true;
}

/* Match those of CALLS, whose columns differ from the profile's, that are the
   only one of their kind on a line in both source and profile.  */
static void
match_lines (const vec<gcall *> &calls, tree decl, profiled_function *function)
{
  for (profiled_call &profiled : function->calls)
    if (!profiled.matched && alone_p (*function, profiled))
      if (gcall *call = only_call (calls, *function, profiled))
	annotate (call, decl, &profiled);
}

/* An operator new that fails allocates an exception in the functions that it
   calls.  So mark calls of FUNCTION that do not allocate as matched if one of
   CALLS that allocates is at their place.  No contexts can be separated
   there.  */
static void
match_throwing (const vec<written_call> &calls, profiled_function *function)
{
  for (profiled_call &profiled : function->calls)
    for (const written_call &written : calls)
      {
	location_t place = gimple_location (written.call);
	if (!profiled.mibs && written.allocates
	    && use_record_line_offset (*function, place) == profiled.line_offset
	    && (!function->has_columns
		|| profiled.column == (unsigned) LOCATION_COLUMN (place)))
	  profiled.matched = true;
      }
}

/* Match CALLS of DECL with those of FUNCTION.  */
static void
match_calls (const vec<written_call> &calls, tree decl,
	     profiled_function *function)
{
  auto_vec<gcall *> unmatched;
  auto_vec<doubtful_call> doubtful;

  /* Calls through pointers take only MIBs that no direct call at the same place
     has.  */
  for (bool is_direct : { true, false })
    for (const written_call &written : calls)
      if (!written.is_region && matchable_p (written.call)
	  && is_direct == !!gimple_call_fndecl (written.call)
	  && !match_exactly (written.call, decl, function, &doubtful))
	unmatched.safe_push (written.call);
  match_lines (unmatched, decl, function);
  settle_doubtful (doubtful, decl);
  match_throwing (calls, function);
}

/* True if CALL has a place in the source.  */
static bool
placed_p (const gcall *call)
{
  return LOCATION_LOCUS (gimple_location (call)) > BUILTINS_LOCATION;
}

/* True if CALL begins or ends an OpenMP region.  */
static bool
region_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  return (callee
	  && startswith (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee)),
			 "GOMP_"));
}

/* Add the calls of FUN that may be in its source to CALLS.  */
static void
collect_calls (struct function *fun, vec<written_call> *calls)
{
  basic_block block;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
	if (!gimple_call_internal_p (call)
	    && (placed_p (call) || region_p (call)))
	  calls->safe_push ({ call,
			      gimple_call_fndecl (call)
				&& may_be_p (call, true),
			      !placed_p (call) });
}

/* Identical functions may be called from different contexts, so forbid GCC to
   merge DECL with another function.  */
static void
forbid_merging (tree decl)
{
  if (!lookup_attribute ("no_icf", DECL_ATTRIBUTES (decl)))
    DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("no_icf"), NULL_TREE,
					DECL_ATTRIBUTES (decl));
}

/* Match CALLS of DECL with those of FUNCTION, and count what was found.  */
static void
match_record (const vec<written_call> &calls, tree decl,
	      profiled_function *function)
{
  match_calls (calls, decl, function);
  use_stale_count (lookup, decl, *function, calls);
  forbid_merging (decl);
}

static void
match_function (function *fun)
{
  profiled_function function = {};
  auto_vec<written_call> calls;

  functions_of_unit++;
  if (!use_record_read (lookup, fun->decl, &function))
    return;
  use_name_remember (fun->decl);
  collect_calls (fun, &calls);
  use_start_line_find (lookup, fun->decl, calls, &function);
  source_change change
    = use_compare_function (lookup, fun->decl, function, calls);
  if (change == SOURCE_SAME)
    match_record (calls, fun->decl, &function);
  else
    changed.put (fun->decl, change);
}

/* ---- Changed source.  */

/* Match the calls of UNIT, a function with a fitted record.  */
static void
match_fitted (fit_function *unit)
{
  push_cfun (DECL_STRUCT_FUNCTION (unit->decl));
  use_name_remember (unit->decl);
  match_record (unit->calls, unit->decl, unit->record);
  for (location_t location : unit->continued)
    use_frame_remember_none (unit->decl, location);
  /* There may be new calls.  */
  cgraph_edge::rebuild_edges ();
  pop_cfun ();
}

/* Match the functions of the unit whose source has changed.  */
static void
match_changed (void)
{
  auto_vec<fit_function *> unit;
  cgraph_node *node;

  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->alias && !node->clone_of)
      {
	fit_function *function = new fit_function ();
	function->decl = node->decl;
	if (source_change *change = changed.get (node->decl))
	  function->change = *change;
	collect_calls (DECL_STRUCT_FUNCTION (node->decl), &function->calls);
	unit.safe_push (function);
      }
  use_fit_unit (lookup, unit);
  for (fit_function *function : unit)
    {
      if (function->record)
	match_fitted (function);
      delete function;
    }
  changed.empty ();
}

static const pass_data pass_data_match = {
  GIMPLE_PASS, "heapprof-match", OPTGROUP_OTHER, TV_NONE, PROP_cfg, 0, 0, 0, 0
};

class pass_match : public gimple_opt_pass
{
public:
  pass_match (gcc::context *context)
    : gimple_opt_pass (pass_data_match, context)
  {}

  bool gate (function *) final override { return !seen_error (); }
  unsigned int execute (function *fun) final override
  {
    match_function (fun);
    if (dump_file)
      use_dump_function (dump_file, &dump, fun);
    return 0;
  }

private:
  use_dump dump = {};
};

static const pass_data pass_data_fit
  = { SIMPLE_IPA_PASS, "heapprof-fit", OPTGROUP_OTHER, TV_NONE, 0, 0, 0, 0, 0 };

/* All functions of the unit are known now, and none is inlined yet.  */
class pass_fit : public simple_ipa_opt_pass
{
public:
  pass_fit (gcc::context *context)
    : simple_ipa_opt_pass (pass_data_fit, context)
  {}

  bool gate (function *) final override { return !in_lto_p && !seen_error (); }
  unsigned int execute (function *) final override
  {
    if (!changed.is_empty ()
	|| (functions_of_unit > 0 && use_compare_any_gone_p (lookup)))
      match_changed ();
    return 0;
  }
};

static void
finish_unit (void *, void *)
{
  if (in_lto_p || seen_error ())
    return;
  use_stale_report (functions_of_unit);
}

/* LLVM's minimum lifetime of cold contexts, 200 seconds, is never reached in a
   run of a minute.  A block that lives through half of a run is not
   short-lived, whatever the length of the run.  */
static void
set_cold_lifetime (void)
{
  double run_ms = heap_lookup_mean_run_ns (lookup) / 1e6;

  if (run_ms > 0 && run_ms < 400000)
    use_set_cold_lifetime (run_ms / 2);
}

void
use_match_start (const char *plugin_name)
{
  profile_error err;

  profile_soften_mismatch ();
  use_shared_register_roots (plugin_name);
  /* Objects for LTO have already been matched.  */
  if (!strcmp (lang_hooks.name, "GNU GIMPLE"))
    return;
  lookup = heap_lookup_open (arguments.use.file, &err);
  if (!lookup)
    {
      use_record_warn (UNKNOWN_LOCATION, "", &err);
      return;
    }
  schema = (heap_lookup_schema (lookup)
	    | (uint32_t) heap_lookup_has_classes (lookup) << USE_CLASS_TAG);
  set_cold_lifetime ();
  register_pass_info info
    = { new pass_match (g), "*build_cgraph_edges", 1, PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  register_pass_info fit
    = { new pass_fit (g), "*free_lang_data", 1, PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &fit);
  register_callback (plugin_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}
