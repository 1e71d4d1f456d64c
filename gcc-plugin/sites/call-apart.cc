/* Passes that keep calls of one function apart where contexts differ.
   SPDX-License-Identifier: GPL-3.0-or-later

     if (x)				  1
       return bar ();			  2
     else
       return bar ();			  3

   GCC makes one call of these two, and its calling context is that of 2 or
   of 3. Two of its optimizations do: tail merging, on GIMPLE, and cross
   jumping, on RTL.  Both compare instructions, so calls get something that
   compares unequal and makes no code, if they may lead to an allocation:

     .NOP (N);				  before "pre", where tail merging is
     bar ();				  done; removed behind it

     (call_insn ... (use (const_int N)))  before cross jumping, in the list of
					  what the call uses

   N is a hash of where the call is in the source, and of where the functions
   that it was inlined with are called.  Copies of one call, as unrolled loops
   have them, are merged as ever, and so is everything that is no such call.  */

#include "gcc-compat-rtl.h"
#include "allocating-calls.h"
#include "call-apart.h"

/* ---- What tells calls apart.  */

/* Add to HASH where LOCATION is in the source.  */
static void
add_position (inchash::hash *hash, location_t location)
{
  expanded_location where = expand_location (location);

  if (where.file)
    hash->add (where.file, strlen (where.file));
  hash->add_int (where.line);
  hash->add_int (where.column);
}

/* A hash of where the call with LOCATION is, and where the functions are called
   that were inlined around it.  */
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

/* True if STMT is a call that is to be kept apart.  One that returns twice has
   to be the first of its block.  */
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

/* True while the function that is compiled has marks.  */
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

/* Add what INSN, a call, does not share with calls elsewhere to the registers
   that it uses.  */
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
