/* Optimization with a sample profile: virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   The pass runs over the functions of a unit after their early optimization:
   functions inlined by then have separate data in the profile, too, and direct
   calls made here are seen by the inliner for the whole unit.  GCC's own use of
   samples comes before, so the counts of blocks, if there are any, can be
   divided.  With LTO, everything is done when a unit is compiled.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "remark-lines.h"
#include "sample-places.h"
#include "sample-profile.h"
#include "sample-use.h"
#include "use-call.h"
#include "use-frame.h"
#include "virtual-promote.h"
#include "virtual-tables.h"
#include "vtable-map.h"

static remark_lines remarks;

/* Statistics of the unit.  */
static struct
{
  unsigned known; /* virtual calls that are in the profile */
  unsigned promoted;
} unit;

/* ---- Remarks.  */

static char *
table_name (const promoted_table &table)
{
  if (table.name)
    return xstrdup (table.name);
  if (table.table)
    return xstrdup (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (table.table)));
  return xasprintf ("%" PRIx64, table.guid);
}

static void
put_remark (const vec<tree> &functions, expanded_location at,
	    const promoted_table &table, const char *name, uint64_t all)
{
  FILE *out = remarks.out;

  remark_begin (out, { use_linkage_name (functions[0]), at.file, at.line,
		       at.column });
  remark_outer_functions (out, "inlined_into", functions);
  remark_field (out, "table", name);
  remark_field (out, "outcome", table.reason ? "kept" : "promoted");
  if (table.target)
    remark_field (out, "target", use_linkage_name (table.target));
  if (table.reason)
    remark_field (out, "reason", table.reason);
  else
    remark_field (out, "test", table.is_slot_test ? "function" : "table");
  fprintf (out, ",\"count\":%" PRIu64 ",\"total\":%" PRIu64 "}\n", table.count,
	   all);
}

/* Report what became of TABLES at a call in FUNCTIONS, each inlined into the
   next, at LOCATION: in the remarks file and as remarks of the compiler.  */
static void
remark (const vec<tree> &functions, location_t location,
	const vec<promoted_table> &tables)
{
  uint64_t all = 0;

  for (const promoted_table &table : tables)
    sample_count_add (&all, table.count);
  for (const promoted_table &table : tables)
    {
      char *name = table_name (table);
      if (remarks.out)
	put_remark (functions, expand_location (location), table, name, all);
      if (dump_enabled_p ())
	dump_printf_loc (table.reason ? MSG_MISSED_OPTIMIZATION
				      : MSG_OPTIMIZED_LOCATIONS,
			 dump_user_location_t::from_location_t (location),
			 "heapprof: virtual call %s for %s%s%s\n",
			 table.reason ? "kept" : "promoted", name,
			 table.reason ? ": " : "",
			 table.reason ? table.reason : "");
      free (name);
    }
}

/* ---- The pass.  */

/* Store in *TABLES the profile's tables for CALL: those on the line of the
   call; if there are none, those on the line where the expression begins, or on
   that of the load of the function pointer.  */
static void
tables_of_call (gcall *call, tree decl, vec<sample_table> *tables)
{
  tree slot = OBJ_TYPE_REF_EXPR (gimple_call_fn (call));
  location_t own = gimple_location (call);
  location_t load
    = (TREE_CODE (slot) == SSA_NAME ? gimple_location (SSA_NAME_DEF_STMT (slot))
				    : own);

  for (location_t location :
       { own, get_range_from_loc (line_table, own).m_start, load })
    if (tables->is_empty () && LOCATION_LOCUS (location) > BUILTINS_LOCATION)
      sample_places_tables (call, decl, location, tables);
}

/* Promote CALL if it is in the profile.  Return true if anything was
   changed.  */
static bool
promote_call (gcall *call)
{
  auto_vec<sample_table> samples;
  auto_vec<promoted_table> tables;
  auto_vec<tree> functions;
  location_t location = gimple_location (call);

  tables_of_call (call, current_function_decl, &samples);
  if (samples.is_empty ())
    return false;
  use_call_functions (call, current_function_decl, &functions);
  unsigned n = virtual_promote (call, samples, &tables);
  unit.known++;
  unit.promoted += n > 0;
  remark (functions, location, tables);
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
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (opt_for_fn (node->decl, optimize) && !node->alias && !node->clone_of)
      promote_function (node);
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
  remark_lines_close (&remarks);
  if (arguments.verbose && !in_lto_p && !seen_error ())
    inform (UNKNOWN_LOCATION,
	    "heapprof: virtual calls promoted: %u of %u in"
	    " the sample profile",
	    unit.promoted, unit.known);
}

void
sample_use_start (const char *plugin_name)
{
  vtable_map_start (plugin_name);
  /* Objects for LTO have already been promoted.  */
  if (!strcmp (lang_hooks.name, "GNU GIMPLE")
      || !sample_places_open (arguments.sample.file))
    return;
  remark_lines_open (&remarks, arguments.sample.remarks, "virtual calls");
  virtual_tables_start (plugin_name, sample_places_have_table);
  register_pass_info tables = { new pass_declare_tables (g), "*free_lang_data",
				1, PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &tables);
  register_pass_info use
    = { new pass_sample_use (g), "profile", 1, PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &use);
  register_callback (plugin_name, PLUGIN_FINISH, finish_unit, NULL);
}
