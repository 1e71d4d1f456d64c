/* Optimization with a sample profile: virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   The pass runs over the functions of a unit after their early optimization:
   functions inlined by then have separate data in the profile, too, and direct
   calls made here are seen by the inliner for the whole unit.  GCC's own use of
   samples or counters comes before: counts of blocks, if there are any, can be
   divided, and functions still have the graph that counters were made for. With
   LTO, what a unit cannot decide is left to the link.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "sample-fit.h"
#include "sample-places.h"
#include "sample-use.h"
#include "test-places.h"
#include "use-call.h"
#include "use-frame.h"
#include "virtual-link.h"
#include "virtual-names.h"
#include "virtual-promote.h"
#include "virtual-remarks.h"
#include "virtual-tables.h"
#include "vtable-map.h"

/* Statistics of the unit.  */
static struct
{
  unsigned known; /* virtual calls that are in the profile */
  unsigned promoted;
} unit;

/* ---- The pass.  */

/* Store in *TABLES the profile's tables for CALL, and in *TARGETS the
   functions: those on the line of the call; if there are none, those on the
   line where the expression begins, or on that of the load of the function
   pointer.  */
static void
look_up (gcall *call, tree decl, vec<sample_table> *tables,
	 vec<sample_table> *targets)
{
  tree slot = OBJ_TYPE_REF_EXPR (gimple_call_fn (call));
  location_t own = gimple_location (call);
  location_t load
    = (TREE_CODE (slot) == SSA_NAME ? gimple_location (SSA_NAME_DEF_STMT (slot))
				    : own);

  for (location_t location :
       { own, get_range_from_loc (line_table, own).m_start, load })
    if (LOCATION_LOCUS (location) > BUILTINS_LOCATION)
      {
	if (tables->is_empty ())
	  sample_places_tables (call, decl, location, tables);
	if (targets->is_empty ())
	  sample_places_targets (call, decl, location, targets);
      }
}

/* Store the place of CALL in *PLACE.  Return the memory of a text in it, which
   the caller frees.  */
static char *
find_place (gcall *call, virtual_place *place)
{
  expanded_location at = expand_location (gimple_location (call));
  auto_vec<tree> functions;

  use_call_functions (call, current_function_decl, &functions);
  char *inlined_into = remark_outer_names (functions);
  place->source
    = { use_linkage_name (functions[0]), at.file, at.line, at.column };
  place->inlined_into = inlined_into;
  place->is_fitted = sample_fit_moved_p (functions[0]);
  return inlined_into;
}

/* Leave those of TABLES that were not promoted, of which the profile has ALL,
   and those of TARGETS that no promoted table has, to the link.  CALL, at
   PLACE, got N comparisons.  */
static void
leave_to_link (gcall *call, const virtual_place &place,
	       vec<promoted_table> *tables, const vec<sample_table> &targets,
	       uint64_t all, unsigned n)
{
  auto_vec<promoted_table> promoted;

  for (const promoted_table &table : *tables)
    if (!table.reason)
      promoted.safe_push (table);
  if (all > 0 && promoted.length () == tables->length ())
    return;
  undecided_call *undecided = virtual_link_leave (call, place, *tables, all, n);
  for (const sample_table &target : targets)
    {
      bool is_promoted = false;
      for (const promoted_table &table : promoted)
	is_promoted |= virtual_names_guid (table.target) == target.guid;
      if (!is_promoted)
	undecided_add_target (undecided, target.guid, target.name,
			      target.count);
    }
  tables->truncate (0);
  tables->safe_splice (promoted);
}

/* Promote CALL if it is in the profile.  Return true if anything was
   changed.  */
static bool
promote_call (gcall *call)
{
  auto_vec<sample_table> samples, targets;
  auto_vec<promoted_table> tables;
  uint64_t all = 0;

  look_up (call, current_function_decl, &samples, &targets);
  if (samples.is_empty () && targets.is_empty ())
    return false;
  location_t location = gimple_location (call);
  virtual_place place;
  char *inlined_into = find_place (call, &place);
  /* With LTO, the link knows more functions.  */
  auto_vec<sample_table> none;
  unsigned n = virtual_promote (call, samples,
				flag_generate_lto ? none : targets, &tables);
  for (const promoted_table &table : tables)
    sample_count_add (&all, table.count);
  unit.known += all > 0;
  unit.promoted += n > 0;
  if (flag_generate_lto)
    leave_to_link (call, place, &tables, targets, all, n);
  virtual_remark (place, location, tables, all);
  free (inlined_into);
  return n > 0;
}

/* Store the virtual calls of the current function in *CALLS.  */
static void
find_virtual_calls (vec<gcall *> *calls)
{
  basic_block block;

  FOR_EACH_BB_FN (block, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
	if (gimple_call_fn (call)
	    && virtual_method_call_p (gimple_call_fn (call)))
	  calls->safe_push (call);
}

static void
promote_function (cgraph_node *node)
{
  auto_vec<gcall *> calls;
  bool is_changed = false;

  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  find_virtual_calls (&calls);
  for (gcall *call : calls)
    is_changed |= promote_call (call);
  if (is_changed)
    {
      free_dominance_info (CDI_DOMINATORS);
      free_dominance_info (CDI_POST_DOMINATORS);
      update_ssa (TODO_update_ssa_only_virtuals);
      cgraph_edge::rebuild_edges ();
    }
  pop_cfun ();
}

static void
promote_unit (void)
{
  cgraph_node *node;

  virtual_tables_collect ();
  virtual_names_collect ();
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (opt_for_fn (node->decl, optimize) && !node->alias && !node->clone_of)
      promote_function (node);
  virtual_names_release ();
  virtual_tables_release ();
  sample_places_close ();
}

static const pass_data pass_data_declare_tables = {
  SIMPLE_IPA_PASS, "heapprof-tables", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

/* With LTO, GCC now prepares the contents of the symbol table for writing.  */
class pass_declare_tables : public simple_ipa_opt_pass
{
public:
  pass_declare_tables (gcc::context *context)
    : simple_ipa_opt_pass (pass_data_declare_tables, context)
  {}

  bool gate (function *) final override { return !in_lto_p && !seen_error (); }
  unsigned int execute (function *) final override
  {
    virtual_tables_declare ();
    return 0;
  }
};

static const pass_data pass_data_sample_use = {
  SIMPLE_IPA_PASS, "heapprof-sample", OPTGROUP_INLINE, TV_NONE, 0, 0, 0, 0, 0
};

class pass_sample_use : public simple_ipa_opt_pass
{
public:
  pass_sample_use (gcc::context *context)
    : simple_ipa_opt_pass (pass_data_sample_use, context)
  {}

  bool gate (function *) final override { return !in_lto_p && !seen_error (); }
  unsigned int execute (function *) final override
  {
    promote_unit ();
    return 0;
  }
};

static void
finish_unit (void *, void *)
{
  virtual_remarks_close ();
  undecided_finish ();
  if (arguments.verbose && !in_lto_p && !seen_error ())
    inform (UNKNOWN_LOCATION,
	    "heapprof: virtual calls promoted: %u of %u in"
	    " the sample profile",
	    unit.promoted, unit.known);
}

void
sample_use_start (const char *plugin_name)
{
  bool is_link = !strcmp (lang_hooks.name, "GNU GIMPLE");

  vtable_map_start (plugin_name);
  if (!is_link && !sample_places_open (arguments.sample.file))
    return;
  virtual_remarks_open (arguments.sample.remarks);
  virtual_link_start (plugin_name);
  register_callback (plugin_name, PLUGIN_FINISH, finish_unit, NULL);
  if (is_link)
    {
      /* The profile's data are in the objects.  */
      test_places_start (plugin_name);
      return;
    }
  sample_fit_start (plugin_name);
  virtual_tables_start (plugin_name, sample_places_have_table);
  register_pass_info tables = { new pass_declare_tables (g), "*free_lang_data",
				1, PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &tables);
  register_pass_info use
    = { new pass_sample_use (g), "profile", 1, PASS_POS_INSERT_AFTER };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &use);
}
