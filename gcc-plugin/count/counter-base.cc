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
   or where paths from different regions meet.  A use in a region whose base is
   known needs no load.  Otherwise the base is loaded where that is done least
   often (min-cut.cc): at the use, further up, out of loops, or only on those
   paths to it that have no base yet:

     if (rare)				base_3 = PHI <base_1, base_2>
       {
	 f ();
	 base_2 = __heapprof_window_base;
       }

   The compiler cannot know that base_1 and base_2 are equal, so a counter is
   loaded again after the call.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "counter-emit.h"
#include "merge-graph.h"
#include "min-cut.h"
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

/* True if CALL is a call of a function, not code that the compiler expands in
   place.  A base that is kept in a register across it has to be saved and
   restored somewhere, which costs more than to load it again.  */
static bool
takes_registers_p (const gcall *call)
{
  const unsigned n = gimple_call_num_args (call);

  return (!is_inexpensive_builtin (gimple_call_fndecl (call))
	  && !(n > 0 && tree_fits_uhwi_p (gimple_call_arg (call, n - 1))));
}

/* True if counters may be updated during STATEMENT, a call, or the base may
   change, or should not stay in a register.  */
static bool
begins_region_p (gimple *statement)
{
  const gcall *call = dyn_cast<gcall *> (statement);

  if (!call || gimple_call_internal_p (call) || compat_target_builtin_p (call))
    return false;
  return (!gimple_call_builtin_p (call, BUILT_IN_NORMAL)
	  || !(gimple_call_flags (call) & ECF_LEAF) || enters_library_p (call)
	  || takes_registers_p (call));
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

/* The nodes of a cut for the start and the end of BLOCK.  They have side 1 if
   the base is to be loaded there.  */
static unsigned
node_before (const_basic_block block)
{
  return 2 * block->index + 2;
}

static unsigned
node_behind (const_basic_block block)
{
  return 2 * block->index + 3;
}

/* Add arcs for loads on the edges to BLOCK.  Where edges meet, there may be a
   PHI of bases.  Such a PHI, and loads, cannot be where exceptions and the like
   lead to; then use the base of DOMINATOR, if that is in the same region, as
   IN_REGION tells.  */
static void
add_edge_arcs (min_cut *cut, basic_block block, const_basic_block dominator,
	       bool in_region, gcov_type price)
{
  edge predecessor;
  edge_iterator iterator;

  FOR_EACH_EDGE (predecessor, iterator, block->preds)
    {
      gcov_type cost = min_cut::never;
      if (!(predecessor->flags & EDGE_COMPLEX))
	cost = (profile_frequency (predecessor->count ()) + price
		+ single_succ_p (predecessor->src));
      else if (!single_pred_p (block))
	cut->add_arc (in_region ? node_behind (dominator) : 0,
		      node_before (block), min_cut::never);
      cut->add_arc (node_behind (predecessor->src), node_before (block), cost);
    }
}

/* Add arcs for loads in BLOCK, HERE.  */
static void
add_block_arcs (min_cut *cut, basic_block block, const base_block &here,
		gcov_type price)
{
  const gcov_type cost = profile_frequency (block->count) + price;
  const gcov_type cost_at_end
    = may_end_with_load_p (block) ? cost : min_cut::never;

  if (here.used_first)
    cut->add_arc (node_before (block), 1, cost);
  if (!here.used_last)
    cut->add_arc (here.divided ? 0 : node_before (block), node_behind (block),
		  cost_at_end);
}

/* Return statements that load the base, and the base in *BASE.  The variable is
   volatile, so the compiler does not assume that the value is the same as
   before.  */
static gimple_seq
emit_base (tree *base)
{
  gimple_seq statements = NULL;
  tree value = make_ssa_name (sizetype);

  *base = make_ssa_name (counter_pointer_type ());
  gimple_seq_add_stmt (&statements,
		       gimple_build_assign (value, shadow_base_decl ()));
  gimple_seq_add_stmt (&statements,
		       gimple_build_assign (*base, NOP_EXPR, value));
  return statements;
}

/* Return the base on the edge WHERE, from the block FROM.  */
static tree
base_on_edge (edge where, const base_block &from)
{
  tree base = from.base;

  if (!base)
    gsi_insert_seq_on_edge (where, emit_base (&base));
  return base;
}

/* Add the arguments of PHI, a base.  */
static void
complete_phi (gphi *phi, const vec<base_block> &blocks)
{
  edge predecessor;
  edge_iterator iterator;

  FOR_EACH_EDGE (predecessor, iterator, gimple_bb (phi)->preds)
    add_phi_arg (phi,
		 base_on_edge (predecessor, blocks[predecessor->src->index]),
		 predecessor, UNKNOWN_LOCATION);
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
	    gsi_insert_seq_before (&gsi, emit_base (&loaded), GSI_SAME_STMT);
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
  gimple_seq load = emit_base (&loaded);
  gsi = gsi_last_bb (block);
  if (gsi_end_p (gsi) || !stmt_ends_bb_p (gsi_stmt (gsi)))
    gsi_insert_seq_after (&gsi, load, GSI_NEW_STMT);
  else
    gsi_insert_seq_before (&gsi, load, GSI_SAME_STMT);
  return loaded;
}

/* Add all arcs.  ORDER has the indices of N blocks.  */
static void
set_up_cut (min_cut *cut, const vec<int> &order, int n,
	    const vec<base_block> &blocks)
{
  const gcov_type price
    = profile_frequency (ENTRY_BLOCK_PTR_FOR_FN (cfun)->count) / 16 + 1;

  cut->add_arc (0, node_behind (ENTRY_BLOCK_PTR_FOR_FN (cfun)), min_cut::never);
  for (int i = 0; i < n; i++)
    {
      basic_block block = BASIC_BLOCK_FOR_FN (cfun, order[i]);
      basic_block dominator = get_immediate_dominator (CDI_DOMINATORS, block);
      const base_block &here = blocks[order[i]];
      add_edge_arcs (cut, block, dominator,
		     here.in == blocks[dominator->index].out, price);
      add_block_arcs (cut, block, here, price);
    }
}

/* Return the base that BLOCK, HERE, has when it is entered, or NULL.  It is
   that of its dominator, ABOVE, if they are in one region.  IS_WANTED: there
   must be one.  If it is a PHI without arguments, add that to PHIS.  */
static tree
base_before (basic_block block, const base_block &here, const base_block &above,
	     bool is_wanted, vec<gphi *> *phis)
{
  if (here.in == above.out && above.base)
    return above.base;
  if (!is_wanted)
    return NULL_TREE;
  if (single_pred_p (block))
    return base_on_edge (single_pred_edge (block), above);
  tree base = make_ssa_name (counter_pointer_type ());
  phis->safe_push (create_phi_node (base, block));
  return base;
}

/* List the loads of the base in the dump: for each, how often its block runs
   for 100 calls of FUN.  */
static void
dump_loads (function *fun)
{
  const gcov_type entry
    = MAX (profile_frequency (ENTRY_BLOCK_PTR_FOR_FN (fun)->count), 1);
  basic_block block;

  fprintf (dump_file, "heapprof: base loads:");
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gimple_assign_single_p (gsi_stmt (gsi))
	  && gimple_assign_rhs1 (gsi_stmt (gsi)) == shadow_base_decl ())
	fprintf (dump_file, " %ld",
		 (long) (100 * profile_frequency (block->count) / entry));
  fprintf (dump_file, "\n");
}

void
place_base (function *fun, tree base)
{
  const unsigned n_blocks = last_basic_block_for_fn (fun);
  auto_vec<base_block> blocks;
  auto_vec<int> order;
  auto_vec<gphi *> phis;
  min_cut cut (2 * n_blocks + 2);

  blocks.safe_grow_cleared (n_blocks);
  order.safe_grow_cleared (n_blocks);
  calculate_dominance_info (CDI_DOMINATORS);
  const int n
    = pre_and_rev_post_order_compute_fn (fun, NULL, order.address (), false);
  find_uses (fun, base, &blocks);
  find_regions (order, n, &blocks);
  set_up_cut (&cut, order, n, blocks);
  const bool is_cut = cut.solve ();
  for (int i = 0; i < n; i++)
    {
      basic_block block = BASIC_BLOCK_FOR_FN (fun, order[i]);
      basic_block dominator = get_immediate_dominator (CDI_DOMINATORS, block);
      base_block *here = &blocks[order[i]];
      tree before
	= base_before (block, *here, blocks[dominator->index],
		       is_cut && cut.side (node_before (block)), &phis);
      here->base = load_in_block (block, base, before,
				  is_cut && cut.side (node_behind (block)));
    }
  for (gphi *phi : phis)
    complete_phi (phi, blocks);
  release_ssa_name (base);
  gsi_commit_edge_inserts ();
  if (dump_file && (dump_flags & TDF_DETAILS))
    dump_loads (fun);
}
