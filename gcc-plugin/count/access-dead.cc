/* Find loads that will not happen because nobody uses what they load.
   SPDX-License-Identifier: GPL-3.0-or-later

   The vectorizer leaves the scalar statements that it has replaced, for dead
   code elimination to remove.  Where the counters go in, that has not always
   run yet.  The loads would never execute but their counters would, so they
   must not get any.

   A statement is dead if all statements that use its result are.  Cycles,
   which lead through PHI nodes, count as used.  */

#include "gcc-compat.h"
#include "access.h"

/* True if STATEMENT does nothing but compute its result.  */
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

/* Add the statements that define what STATEMENT uses to WORKLIST.  */
static void
push_definitions (gimple *statement, vec<gimple *> *worklist)
{
  tree operand;
  ssa_op_iter iterator;

  FOR_EACH_SSA_TREE_OPERAND (operand, statement, iterator, SSA_OP_USE)
    worklist->safe_push (SSA_NAME_DEF_STMT (operand));
}

void
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
