/* Collection of the memory accesses of a function, statement by statement.
   SPDX-License-Identifier: GPL-3.0-or-later

   GIMPLE statements that access memory:

     1. assignments: *p_1 = x_2; x_2 = *p_1; *p_1 = *q_3 (aggregates),
	*p_1 = {}, *p_1 = "literal"
     2. calls: f (*p_1) passes an aggregate by value, *p_1 = f () stores one
     3. calls that access what their arguments point to (access-calls.cc)
     4. asm with memory operands

   "return *p;" in the source is <retval> = *p_1, case 1.  A clobber, *p_1 =
   {CLOBBER}, ends the life of an object and accesses nothing.  */

#include "gcc-compat.h"
#include "heap-access.h"

static void
collect_assign (function_accesses *accesses, gassign *statement)
{
  if (gimple_clobber_p (statement))
    return;
  if (gimple_assign_single_p (statement))
    record_reference (accesses, statement, ACCESS_LOAD,
		      gimple_assign_rhs1 (statement));
  record_reference (accesses, statement, ACCESS_STORE,
		    gimple_assign_lhs (statement));
}

/* LOAD_LANES and STORE_LANES access an array of vectors.  Count one access for
   each element.  */
static bool
collect_lanes_call (function_accesses *accesses, gcall *call)
{
  tree reference;

  if (gimple_call_internal_p (call, IFN_LOAD_LANES))
    reference = gimple_call_arg (call, 0);
  else if (gimple_call_internal_p (call, IFN_STORE_LANES))
    reference = gimple_call_lhs (call);
  else
    return false;
  if (!memory_operand_p (reference))
    return true;

  bool is_load = gimple_call_internal_p (call, IFN_LOAD_LANES);
  heap_access access = make_access (call, is_load ? ACCESS_LOAD : ACCESS_STORE,
				    ACCESS_SINGLE, NULL_TREE);
  tree type = TREE_TYPE (reference);
  tree element = TREE_TYPE (type);
  access.reference = reference;
  poly_uint64 bytes = tree_to_poly_uint64 (TYPE_SIZE_UNIT (type));
  unsigned HOST_WIDE_INT width = tree_to_uhwi (TYPE_SIZE_UNIT (element));
  access.weight = constant_lower_bound (exact_div (bytes, width));
  record_access (accesses, access);
  return true;
}

static void
collect_call (function_accesses *accesses, gcall *call)
{
  tree lhs = gimple_call_lhs (call);

  if (collect_lanes_call (accesses, call))
    return;
  record_known_call (accesses, call);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    record_reference (accesses, call, ACCESS_LOAD, gimple_call_arg (call, i));

  /* An object that must not be copied is constructed in place by the callee,
     whose own stores count.  */
  if (lhs && !TREE_ADDRESSABLE (TREE_TYPE (lhs)))
    record_reference (accesses, call, ACCESS_STORE, lhs);
}

/* "+m" (*p) is one operand in the source and two in the statement, so an input
   that equals an output counts once.  */
static void
collect_asm (function_accesses *accesses, gasm *statement)
{
  const unsigned n_outputs = gimple_asm_noutputs (statement);

  for (unsigned i = 0; i < n_outputs; i++)
    record_reference (accesses, statement, ACCESS_STORE,
		      TREE_VALUE (gimple_asm_output_op (statement, i)));
  for (unsigned i = 0; i < gimple_asm_ninputs (statement); i++)
    {
      tree input = TREE_VALUE (gimple_asm_input_op (statement, i));
      bool is_output = false;

      for (unsigned j = 0; j < n_outputs && !is_output; j++)
	is_output
	  = operand_equal_p (input,
			     TREE_VALUE (gimple_asm_output_op (statement, j)),
			     0);
      if (!is_output)
	record_reference (accesses, statement, ACCESS_LOAD, input);
    }
}

static void
collect_statement (function_accesses *accesses, gimple *statement)
{
  switch (gimple_code (statement))
    {
    case GIMPLE_ASSIGN:
      collect_assign (accesses, as_a<gassign *> (statement));
      break;
    case GIMPLE_CALL:
      collect_call (accesses, as_a<gcall *> (statement));
      break;
    case GIMPLE_ASM:
      collect_asm (accesses, as_a<gasm *> (statement));
      break;
    default:
      break;
    }
}

/* True if STATEMENT only computes its result.  */
static bool
only_computes_p (gimple *statement)
{
  return (is_gimple_assign (statement)
	  && TREE_CODE (gimple_assign_lhs (statement)) == SSA_NAME
	  && !gimple_has_side_effects (statement)
	  && !stmt_can_throw_internal (cfun, statement));
}

static bool
used_by_dead_only_p (gimple *statement, hash_set<gimple *> *dead)
{
  use_operand_p use;
  imm_use_iterator iterator;

  FOR_EACH_IMM_USE_FAST (use, iterator, gimple_assign_lhs (statement))
    if (!is_gimple_debug (USE_STMT (use)) && !dead->contains (USE_STMT (use)))
      return false;
  return true;
}

/* Add the statements that define the operands of STATEMENT to WORKLIST.  */
static void
push_definitions (gimple *statement, vec<gimple *> *worklist)
{
  tree operand;
  ssa_op_iter iterator;

  FOR_EACH_SSA_TREE_OPERAND (operand, statement, iterator, SSA_OP_USE)
    worklist->safe_push (SSA_NAME_DEF_STMT (operand));
}

/* Add to DEAD the statements of FUN whose results are unused, which the
   compiler is going to delete.  The vectorizer leaves the scalar statements
   that it has replaced to dead code elimination, which may not have run yet
   when counters are inserted.  The loads would never execute but their counters
   would, so such loads must not be counted.

   A statement is dead if all statements that use its result are dead.  Cycles,
   which lead through PHI nodes, count as used.  */
static void
find_dead_statements (function *fun, hash_set<gimple *> *dead)
{
  auto_vec<gimple *> worklist;
  basic_block block;

  if (!optimize)
    return;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      worklist.safe_push (gsi_stmt (gsi));
  while (!worklist.is_empty ())
    {
      gimple *statement = worklist.pop ();
      if (only_computes_p (statement) && used_by_dead_only_p (statement, dead)
	  && !dead->add (statement))
	push_definitions (statement, &worklist);
    }
}

void
collect_accesses (function *fun, function_accesses *accesses)
{
  basic_block block;
  hash_set<gimple *> dead;

  find_dead_statements (fun, &dead);
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb (block);
	 !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
      if (!dead.contains (gsi_stmt (gsi)))
	collect_statement (accesses, gsi_stmt (gsi));
  access_place_finish ();
}
