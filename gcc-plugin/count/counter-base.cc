/* Loads of the base of the shadow where counters are updated.
   SPDX-License-Identifier: GPL-3.0-or-later

   One load at the start of the function would suffice for the machine, but not
   for the compiler.  It assumes that some calls do not access counters: calls
   of pure functions, and of functions whose accesses it analyzed before they
   were instrumented.  Across such a call it would keep a counter in a register,
   and the updates made by the callee would be lost.  So the base is loaded
   again after a call, in a way that makes the compiler assume a different
   value, and thus different addresses of all counters.

   A call may also change the base: the run-time library counts in another range
   for a short time, beginning and ending when memory is allocated or released.
   This concerns code without optimization, too.

   This divides the function into regions that begin at its entry, after a call,
   or where paths from different regions meet.  Each region loads the base where
   counters are updated.  If one load higher in the dominator tree runs less
   often than the loads below it, it replaces them.  That also moves loads out
   of loops.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "counter-emit.h"
#include "merge-graph.h"
#include "runtime-decls.h"

/* Data of a block.  */
struct base_block
{
  /* The regions at its start and end; 0 if unknown.  */
  unsigned in, out;
  /* Calls in it begin new regions.  */
  bool divided;
  /* The base is used in the region at its start, at its end.  */
  bool used_first, used_last;
  /* The cheapest loads for uses further down in the region at its end: their
     number, and how often they run.  */
  unsigned n_below;
  gcov_type cost_below;
  /* The base must be loaded before the block is left.  */
  bool loads_at_end;
  /* The base, if it is loaded when the block is left.  */
  tree base;
};

tree
make_base (void)
{
  return make_ssa_name (counter_pointer_type (), gimple_build_nop ());
}

/* True if STATEMENT uses NAME.  */
static bool
uses_name_p (gimple *statement, tree name)
{
  tree operand;
  ssa_op_iter iterator;

  FOR_EACH_SSA_TREE_OPERAND (operand, statement, iterator, SSA_OP_USE)
    if (operand == name)
      return true;
  return false;
}

/* True if CALL is a built-in that enters the run-time library, after which the
   base may be a different one.  OpenMP's library allocates in many places.  */
static bool
enters_library_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  if (!gimple_call_builtin_p (call, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE (callee))
    {
    case BUILT_IN_FREE:
    case BUILT_IN_POSIX_MEMALIGN:
    case BUILT_IN_REALLOC:
      return true;
    default:
      return (DECL_IS_MALLOC (callee)
	      || startswith (IDENTIFIER_POINTER (DECL_NAME (callee)), "GOMP_")
	      || startswith (IDENTIFIER_POINTER (DECL_NAME (callee)),
			     "__builtin_GOMP_"));
    }
}

/* True if counters may be updated during STATEMENT, a call, or the base may
   change.  */
static bool
begins_region_p (gimple *statement)
{
  const gcall *call = dyn_cast<gcall *> (statement);

  if (!call || gimple_call_internal_p (call) || compat_target_builtin_p (call))
    return false;
  return (!gimple_call_builtin_p (call, BUILT_IN_NORMAL)
	  || !(gimple_call_flags (call) & ECF_LEAF) || enters_library_p (call));
}

/* Fill in the uses of BASE and the calls of each block.  */
static void
find_uses (function *fun, tree base, vec<base_block> *blocks)
{
  basic_block block;

  FOR_EACH_BB_FN (block, fun)
    {
      base_block *here = &(*blocks)[block->index];
      for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (block);
	   !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
	{
	  if (uses_name_p (gsi_stmt (gsi), base))
	    {
	      here->used_last = true;
	      here->used_first |= !here->divided;
	    }
	  if (begins_region_p (gsi_stmt (gsi)))
	    {
	      here->divided = true;
	      here->used_last = false;
	    }
	}
    }
}

/* Return the region at the start of BLOCK, as far as its predecessors are
   known.  If they differ, it is a new region, identified by the block's
   number.  */
static unsigned
region_of_predecessors (basic_block block, const vec<base_block> &blocks)
{
  unsigned region = 0;
  edge predecessor;
  edge_iterator iterator;

  FOR_EACH_EDGE (predecessor, iterator, block->preds)
    {
      const unsigned out = blocks[predecessor->src->index].out;
      if (out && region && out != region)
	return 2 * block->index;
      if (out)
	region = out;
    }
  return region;
}

/* Number the regions.  ORDER has the indices of N blocks, each after its
   dominator.  */
static void
find_regions (const vec<int> &order, int n, vec<base_block> *blocks)
{
  bool changed = true;

  (*blocks)[ENTRY_BLOCK].out = 1;
  while (changed)
    {
      changed = false;
      for (int i = 0; i < n; i++)
	{
	  basic_block block = BASIC_BLOCK_FOR_FN (cfun, order[i]);
	  base_block *here = &(*blocks)[order[i]];
	  /* Once a region begins here, this does not change.  */
	  if (here->in == 2U * order[i])
	    continue;
	  const unsigned in = region_of_predecessors (block, *blocks);
	  changed |= in != here->in;
	  here->in = in;
	  here->out = here->divided ? 2 * order[i] + 1 : in;
	}
    }
}

/* True if a load may be inserted after all other work of BLOCK.  */
static bool
may_end_with_load_p (basic_block block)
{
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb (block);

  return (gsi_end_p (gsi) || !stmt_ends_bb_p (gsi_stmt (gsi))
	  || !is_gimple_call (gsi_stmt (gsi)));
}

/* Decide whether to load the base at the end of BLOCK, given the best choice
   further down, and add the result to the data of its dominator.  PRICE is the
   cost of a load in addition to its executions.  */
static void
decide_block (basic_block block, gcov_type price, vec<base_block> *blocks)
{
  basic_block dominator = get_immediate_dominator (CDI_DOMINATORS, block);
  base_block *here = &(*blocks)[block->index];
  base_block *above = &(*blocks)[dominator->index];
  const gcov_type cost = profile_frequency (block->count) + price;

  here->loads_at_end = (!here->used_last && here->n_below > 0
			&& (cost < here->cost_below
			    || (cost == here->cost_below && here->n_below > 1))
			&& may_end_with_load_p (block));
  if (here->in != above->out)
    return;
  if (here->used_first || (here->loads_at_end && !here->divided))
    {
      above->n_below++;
      above->cost_below += cost;
    }
  else if (!here->divided)
    {
      above->n_below += here->n_below;
      above->cost_below += here->cost_below;
    }
}

/* Load the base before the statement at GSI, or after it if AT_END.  The
   variable is volatile, so the compiler does not assume that the value is the
   same as before.  */
static tree
emit_base (gimple_stmt_iterator *gsi, bool at_end)
{
  tree value = make_ssa_name (sizetype);
  tree base = make_ssa_name (counter_pointer_type ());
  gimple *load = gimple_build_assign (value, shadow_base_decl ());
  gimple *conversion = gimple_build_assign (base, NOP_EXPR, value);
  if (at_end)
    {
      gsi_insert_after (gsi, load, GSI_NEW_STMT);
      gsi_insert_after (gsi, conversion, GSI_NEW_STMT);
    }
  else
    {
      gsi_insert_before (gsi, load, GSI_SAME_STMT);
      gsi_insert_before (gsi, conversion, GSI_SAME_STMT);
    }
  return base;
}

/* Load the base in BLOCK where necessary and replace uses of BASE by it.
   LOADED is the base that is loaded when BLOCK is entered, or NULL.  Return the
   one that is loaded when BLOCK is left, or NULL.  */
static tree
load_in_block (basic_block block, tree base, tree loaded, bool loads_at_end)
{
  gimple_stmt_iterator gsi;
  use_operand_p use;
  ssa_op_iter iterator;

  for (gsi = gsi_start_nondebug_bb (block); !gsi_end_p (gsi);
       gsi_next_nondebug (&gsi))
    {
      gimple *statement = gsi_stmt (gsi);
      if (uses_name_p (statement, base))
	{
	  if (!loaded)
	    loaded = emit_base (&gsi, false);
	  FOR_EACH_SSA_USE_OPERAND (use, statement, iterator, SSA_OP_USE)
	    if (USE_FROM_PTR (use) == base)
	      SET_USE (use, loaded);
	  update_stmt (statement);
	}
      if (begins_region_p (statement))
	loaded = NULL_TREE;
    }
  if (loaded || !loads_at_end)
    return loaded;
  gsi = gsi_last_bb (block);
  return emit_base (&gsi, gsi_end_p (gsi) || !stmt_ends_bb_p (gsi_stmt (gsi)));
}

void
place_base (function *fun, tree base)
{
  const unsigned n_blocks = last_basic_block_for_fn (fun);
  const gcov_type price
    = profile_frequency (ENTRY_BLOCK_PTR_FOR_FN (fun)->count) / 16 + 1;
  auto_vec<base_block> blocks;
  auto_vec<int> order;

  blocks.safe_grow_cleared (n_blocks);
  order.safe_grow_cleared (n_blocks);
  calculate_dominance_info (CDI_DOMINATORS);
  const int n
    = pre_and_rev_post_order_compute_fn (fun, NULL, order.address (), false);
  find_uses (fun, base, &blocks);
  find_regions (order, n, &blocks);
  for (int i = n - 1; i >= 0; i--)
    decide_block (BASIC_BLOCK_FOR_FN (fun, order[i]), price, &blocks);
  for (int i = 0; i < n; i++)
    {
      basic_block block = BASIC_BLOCK_FOR_FN (fun, order[i]);
      basic_block dominator = get_immediate_dominator (CDI_DOMINATORS, block);
      base_block *here = &blocks[block->index];
      const base_block &above = blocks[dominator->index];
      here->base
	= load_in_block (block, base,
			 here->in == above.out ? above.base : NULL_TREE,
			 here->loads_at_end);
    }
  release_ssa_name (base);
}
