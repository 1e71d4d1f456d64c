/* Properties of loops that decide whether their accesses can be counted
   elsewhere.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "loop-count.h"

/* True if the built-in FUNCTION returns and frees nothing.  Const and pure
   functions are not listed.  */
static bool
harmless_builtin_p (built_in_function function)
{
  switch (function)
    {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMPCPY:
    case BUILT_IN_MEMSET:
    case BUILT_IN_STRCPY:
    case BUILT_IN_STRNCPY:
    case BUILT_IN_STPCPY:
    case BUILT_IN_STRCAT:
    case BUILT_IN_PREFETCH:
    case BUILT_IN_SINCOS:
    case BUILT_IN_SINCOSF:
    case BUILT_IN_FREXP:
    case BUILT_IN_MODF:
    case BUILT_IN_ASSUME_ALIGNED:
    case BUILT_IN_OBJECT_SIZE:
      return true;
    default:
      return false;
    }
}

/* True if CALL is a built-in mathematical function.  Such a function may set
   errno and is then neither const nor pure.  Every built-in that returns a
   floating-point number returns to its caller.  */
static bool
math_builtin_p (const gcall *call)
{
  return (gimple_call_builtin_p (call, BUILT_IN_NORMAL)
	  && SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_call_fntype (call))));
}

/* True if CALL returns to its caller and has freed nothing.  */
static bool
harmless_call_p (const gcall *call)
{
  if (gimple_call_internal_p (call))
    return (!(gimple_call_flags (call) & (ECF_NORETURN | ECF_RETURNS_TWICE))
	    && gimple_call_internal_fn (call) != IFN_ABNORMAL_DISPATCHER);

  const int flags = gimple_call_flags (call);
  if (flags & (ECF_NORETURN | ECF_RETURNS_TWICE | ECF_LOOPING_CONST_OR_PURE))
    return false;
  if (flags & (ECF_CONST | ECF_PURE))
    return true;
  if (compat_target_builtin_p (call) || math_builtin_p (call))
    return true;
  if (!gimple_call_builtin_p (call, BUILT_IN_NORMAL))
    return false;
  return harmless_builtin_p (DECL_FUNCTION_CODE (gimple_call_fndecl (call)));
}

/* Clear the properties in FACTS that STATEMENT violates.  */
static void
consider_statement (function *fun, gimple *statement, loop_facts *facts)
{
  if (stmt_could_throw_p (fun, statement))
    facts->completes = false;
  if (gimple_has_volatile_ops (statement))
    facts->is_quiet = false;
  switch (gimple_code (statement))
    {
    case GIMPLE_CALL:
      if (!harmless_call_p (as_a<gcall *> (statement)))
	facts->completes = false;
      break;
    case GIMPLE_ASM:
      if (gimple_asm_volatile_p (as_a<gasm *> (statement)))
	facts->is_quiet = false;
      break;
    case GIMPLE_RESX:
    case GIMPLE_EH_DISPATCH:
    case GIMPLE_RETURN:
      facts->completes = false;
      break;
    default:
      break;
    }
}

static loop_facts
block_facts (function *fun, basic_block block)
{
  loop_facts facts = {};
  edge_iterator ei;
  edge e;

  facts.completes = !(block->flags & BB_IRREDUCIBLE_LOOP);
  facts.is_quiet = true;
  facts.for_speed = true;
  FOR_EACH_EDGE (e, ei, block->preds)
    if (e->flags & EDGE_COMPLEX)
      facts.completes = false;
  FOR_EACH_EDGE (e, ei, block->succs)
    if (e->flags & EDGE_COMPLEX)
      facts.completes = false;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (block);
       !gsi_end_p (gsi) && (facts.completes || facts.is_quiet);
       gsi_next_nondebug (&gsi))
    consider_statement (fun, gsi_stmt (gsi), &facts);
  return facts;
}

/* Determine how often the latch of LOOP runs.  */
static void
find_latch_runs (class loop *loop, loop_facts *facts)
{
  tree_niter_desc description;
  edge exit = single_exit (loop);

  if (!exit || !number_of_iterations_exit (loop, exit, &description, false)
      || contains_abnormal_ssa_name_p (description.niter))
    return;

  tree runs = fold_convert (sizetype, description.niter);
  tree none = description.may_be_zero;
  if (TYPE_PRECISION (TREE_TYPE (description.niter)) > TYPE_PRECISION (sizetype)
      || compat_expression_expensive_p (description.niter))
    return;
  if (none && !integer_zerop (none))
    {
      if (contains_abnormal_ssa_name_p (none)
	  || (!COMPARISON_CLASS_P (none) && !integer_nonzerop (none)))
	return;
      runs = fold_build3 (COND_EXPR, sizetype, none, size_zero_node, runs);
    }
  facts->exit = exit;
  facts->latch_runs = runs;
}

void
find_loop_facts (function *fun, vec<loop_facts> *facts)
{
  const loop_facts all = { true, true, true, NULL_TREE, NULL };
  basic_block block;

  facts->safe_grow_cleared (number_of_loops (fun), true);
  for (loop_facts &loop : *facts)
    loop = all;
  FOR_EACH_BB_FN (block, fun)
    {
      if (!bb_loop_depth (block))
	continue;
      const loop_facts here = block_facts (fun, block);
      for (class loop *loop = block->loop_father; loop_depth (loop);
	   loop = loop_outer (loop))
	{
	  (*facts)[loop->num].completes &= here.completes;
	  (*facts)[loop->num].is_quiet &= here.is_quiet;
	}
    }
  for (unsigned i = 1; i < facts->length (); i++)
    {
      class loop *loop = get_loop (fun, i);
      if (!loop)
	continue;
      (*facts)[i].for_speed = optimize_loop_for_speed_p (loop);
      /* A loop that waits may never end, and then the loops around it do not
	 either.  */
      if (!(*facts)[i].is_quiet && !finite_loop_p (loop))
	for (class loop *outer = loop_outer (loop); loop_depth (outer);
	     outer = loop_outer (outer))
	  (*facts)[outer->num].completes = false;
    }
  for (unsigned i = 1; i < facts->length (); i++)
    if ((*facts)[i].completes && (*facts)[i].for_speed && get_loop (fun, i))
      find_latch_runs (get_loop (fun, i), &(*facts)[i]);
}
