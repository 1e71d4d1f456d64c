/* Passes that keep calls of one function separate where contexts differ.
   SPDX-License-Identifier: GPL-3.0-or-later

     if (x)				  1
       return bar ();			  2
     else
       return bar ();			  3

   GCC merges these two calls into one, whose calling context is either that of
   2 or that of 3.  Two optimizations do this: tail merging, on GIMPLE, and
   cross jumping, on RTL.  Both compare instructions, so calls that may lead to
   an allocation get a mark that compares unequal and generates no code:

     .NOP (N);				  before "pre", which does tail merging;
     bar ();				  removed after it

     (call_insn ... (use (const_int N)))  before cross jumping, in the list of
					  registers used by the call

   N is a hash of the source location of the call, and of the locations of the
   calls through which it was inlined.  Copies of one call, such as in unrolled
   loops, are still merged, and so are all other instructions.  */

#include "gcc-compat-rtl.h"
#include "allocating-calls.h"
#include "call-apart.h"

/* ---- Identification of calls.  */

/* Add the source position of LOCATION to HASH.  */
static void
add_position (inchash::hash *hash, location_t location)
{
  expanded_location where = expand_location (location);

  if (where.file)
    hash->add (where.file, strlen (where.file));
  hash->add_int (where.line);
  hash->add_int (where.column);
}

/* Return a hash of the position of the call with LOCATION, and of the calls of
   the functions that were inlined around it.  */
static unsigned
call_position (location_t location)
{
  inchash::hash hash;

  add_position (&hash, location);
  for (tree block = LOCATION_BLOCK (location);
       block && TREE_CODE (block) == BLOCK; block = BLOCK_SUPERCONTEXT (block))
    if (inlined_function_outer_scope_p (block))
      add_position (&hash, BLOCK_SOURCE_LOCATION (block));
  return hash.end ();
}

/* ---- Tail merging.  */

/* True if STMT is a call that must be kept separate.  Calls that return twice
   are excluded, because they must be first in their block.  */
static bool
kept_apart_p (gimple *stmt)
{
  return (is_gimple_call (stmt) && !gimple_call_internal_p (stmt)
	  && !(gimple_call_flags (stmt)
	       & (ECF_CONST | ECF_PURE | ECF_RETURNS_TWICE))
	  && may_allocate_p (gimple_call_fndecl (stmt)));
}

static void
mark_calls (function *fun)
{
  basic_block bb;

  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (kept_apart_p (gsi_stmt (gsi)))
	{
	  location_t location = gimple_location (gsi_stmt (gsi));
	  tree position
	    = build_int_cst (unsigned_type_node, call_position (location));
	  gcall *mark = gimple_build_call_internal (IFN_NOP, 1, position);
	  gsi_insert_before (&gsi, mark, GSI_SAME_STMT);
	}
}

static void
remove_marks (function *fun)
{
  basic_block bb;

  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);)
      if (gimple_call_internal_p (gsi_stmt (gsi), IFN_NOP))
	gsi_remove (&gsi, true);
      else
	gsi_next (&gsi);
}

/* True while the function being compiled has marks.  */
static bool has_marks;

static const pass_data pass_data_mark_calls = { GIMPLE_PASS,
						"heapprof-apart",
						OPTGROUP_NONE,
						TV_NONE,
						PROP_cfg | PROP_ssa,
						0,
						0,
						0,
						0 };

class pass_mark_calls : public gimple_opt_pass
{
public:
  pass_mark_calls (gcc::context *context)
    : gimple_opt_pass (pass_data_mark_calls, context)
  {}

  bool gate (function *) final override
  {
    return (flag_tree_tail_merge && (flag_tree_pre || flag_code_hoisting)
	    && !seen_error ());
  }

  unsigned int execute (function *fun) final override
  {
    mark_calls (fun);
    has_marks = true;
    return 0;
  }
};

static const pass_data pass_data_remove_marks = { GIMPLE_PASS,
						  "heapprof-unmark",
						  OPTGROUP_NONE,
						  TV_NONE,
						  PROP_cfg | PROP_ssa,
						  0,
						  0,
						  0,
						  0 };

class pass_remove_marks : public gimple_opt_pass
{
public:
  pass_remove_marks (gcc::context *context)
    : gimple_opt_pass (pass_data_remove_marks, context)
  {}

  bool gate (function *) final override { return has_marks; }

  unsigned int execute (function *fun) final override
  {
    remove_marks (fun);
    has_marks = false;
    return 0;
  }
};

/* ---- Cross jumping.  */

/* Mark INSN, a call: add its position to the list of registers that it uses, so
   that it compares unequal to calls at other positions.  */
static void
mark_insn (rtx_insn *insn)
{
  rtx position = gen_int_mode (call_position (INSN_LOCATION (insn)), SImode);

  CALL_INSN_FUNCTION_USAGE (insn)
    = gen_rtx_EXPR_LIST (VOIDmode, gen_rtx_USE (VOIDmode, position),
			 CALL_INSN_FUNCTION_USAGE (insn));
}

static const pass_data pass_data_mark_insns
  = { RTL_PASS, "heapprof-apart-rtl", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0,
      0 };

class pass_mark_insns : public rtl_opt_pass
{
public:
  pass_mark_insns (gcc::context *context)
    : rtl_opt_pass (pass_data_mark_insns, context)
  {}

  bool gate (function *) final override
  {
    return optimize && flag_crossjumping && !seen_error ();
  }

  unsigned int execute (function *) final override
  {
    for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
      if (CALL_P (insn) && !RTL_CONST_OR_PURE_CALL_P (insn)
	  && may_allocate_p (get_call_fndecl (insn)))
	mark_insn (insn);
    return 0;
  }
};

static void
find_allocating_calls (void *, void *)
{
  if (!seen_error ())
    allocating_calls_find ();
}

static void
register_pass_at (const char *plugin_name, opt_pass *pass,
		  const char *reference, pass_positioning_ops position)
{
  register_pass_info info = { pass, reference, 1, position };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void
call_apart_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_END,
		     find_allocating_calls, NULL);
  register_pass_at (plugin_name, new pass_mark_calls (g), "pre",
		    PASS_POS_INSERT_BEFORE);
  register_pass_at (plugin_name, new pass_remove_marks (g), "pre",
		    PASS_POS_INSERT_AFTER);
  register_pass_at (plugin_name, new pass_mark_insns (g), "reload",
		    PASS_POS_INSERT_AFTER);
}
