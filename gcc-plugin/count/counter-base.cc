/* Load the base of the shadow where counters are updated.
   SPDX-License-Identifier: GPL-3.0-or-later

   One load at the beginning of the function would do for the machine, but not
   for the compiler.  It believes of some calls that they do not touch counters:
   pure functions, and those of which it has seen what they access, before they
   were instrumented.  It would keep a counter in a register meanwhile, and what
   the callee counts there would be lost.  So the base is loaded anew behind a
   call, in a way that the compiler must take for another value, and with it
   the addresses of all counters are others.

   This divides the function into regions that begin at its entry, behind a
   call, or where ways from different regions meet.  In each region the base is
   loaded where counters are updated.  One load higher up in the dominator tree
   takes the place of those that run more often than it would.  That also moves
   loads out of loops.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "counter-emit.h"
#include "merge-graph.h"
#include "runtime-decls.h"

/* What is known about a block.  */
struct base_block
{
  /* The regions of its beginning and end; 0 if they are not known.  */
  unsigned in, out;
  /* Calls in it begin new regions.  */
  bool divided;
  /* The base is used in the region of its beginning, of its end.  */
  bool used_first, used_last;
  /* The cheapest loads for uses further down in the region of its end: their
     number, and how often they run.  */
  unsigned n_below;
  gcov_type cost_below;
  /* The base shall be loaded before the block is left.  */
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

/* True if counters may be updated during STATEMENT, a call.  */
static bool
begins_region_p (gimple *statement)
{
  const gcall *call = dyn_cast<gcall *> (statement);

  /* Without optimization nothing stays in registers.  */
  if (!call || !optimize || gimple_call_internal_p (call)
      || compat_target_builtin_p (call))
    return false;
  return (!gimple_call_builtin_p (call, BUILT_IN_NORMAL)
	  || !(gimple_call_flags (call) & ECF_LEAF));
}

/* Fill in what the statements of each block say.  */
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

/* The region of BLOCK's beginning as far as its predecessors' are known.  If
   they differ that is a new one, for which the block's own number stands.  */
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

/* Number the regions.  ORDER has the numbers of N blocks, in which a block
   comes behind its dominator.  */
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
	  /* Once a region begins here it does so for good.  */
	  if (here->in == 2U * order[i])
	    continue;
	  const unsigned in = region_of_predecessors (block, *blocks);
	  changed |= in != here->in;
	  here->in = in;
	  here->out = here->divided ? 2 * order[i] + 1 : in;
	}
    }
}

/* True if a load may be the last thing that BLOCK does but for leaving.  */
static bool
may_end_with_load_p (basic_block block)
{
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb (block);

  return (gsi_end_p (gsi) || !stmt_ends_bb_p (gsi_stmt (gsi))
	  || !is_gimple_call (gsi_stmt (gsi)));
}

/* Decide whether the base is loaded at the end of BLOCK, given what is best
   further down, and add the result to what is known about its dominator.  PRICE
   is what a load costs besides being run.  */
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

/* Load the base in front of the statement at GSI, or at the end of the block.
   The variable is volatile, so nobody knows that what is loaded is the same as
   before.  */
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

/* Load the base in BLOCK where it has to be and let what uses BASE use that.
   LOADED is the base that is loaded when BLOCK is entered, or NULL.  Return
   that when it is left.  */
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
