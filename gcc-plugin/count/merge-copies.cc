/* PHIs that only rename a pointer.
   SPDX-License-Identifier: GPL-3.0-or-later

   While loops are analyzed, each value that is used after a loop has a PHI at
   every exit, and where exits meet, a PHI of these:

     p_4 = PHI <p_3>
     p_5 = PHI <p_3>
     p_6 = PHI <p_4, p_5>

   All of them are p_3: accesses through them can share counters.  The compiler
   removes these PHIs later.

   A PHI is a copy of a value if all its arguments are that value, or copies of
   it.  Begin with the assumption that any PHI not yet visited may be a copy of
   whatever the others want, as in a loop each argument may depend on the PHI;
   visit all until nothing changes.  The value's definition dominates its
   copies, so wherever a copy is used, the value is still the same, also in
   loops.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "merge-window.h"

/* The maximum number of visits to all PHIs.  */
static const int max_rounds = 32;

/* By the version of the result of a PHI: the value that it is a copy of, or the
   result itself.  NULL for other names.  */
static vec<tree> values;

/* Return the result of PHI if it is a pointer that may be a copy, else NULL. */
static tree
pointer_result (const gphi *phi)
{
  tree result = gimple_phi_result (phi);

  return (POINTER_TYPE_P (TREE_TYPE (result))
	      && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI (result)
	    ? result
	    : NULL_TREE);
}

/* Return what ARGUMENT, that of a PHI, is a copy of, as far as known, or NULL
   if it is a PHI not yet visited.  */
static tree
argument_value (tree argument)
{
  if (TREE_CODE (argument) != SSA_NAME)
    return argument;
  const gphi *phi = dyn_cast<gphi *> (SSA_NAME_DEF_STMT (argument));
  return (phi && pointer_result (phi) ? values[SSA_NAME_VERSION (argument)]
				      : argument);
}

/* Return the value that PHI, with the result RESULT, is a copy of, as far as
   known.  */
static tree
phi_value (const gphi *phi, tree result)
{
  tree only = NULL_TREE;

  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree value = argument_value (gimple_phi_arg_def (phi, i));
      if (!value || value == result)
	continue;
      if (only && only != value)
	return result;
      only = value;
    }
  return only && TREE_CODE (only) == SSA_NAME ? only : result;
}

/* Visit the PHIs of BLOCK.  Return true if something changed.  */
static bool
visit_phis (basic_block block)
{
  bool changed = false;

  for (gphi_iterator gsi = gsi_start_phis (block); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      tree result = pointer_result (gsi.phi ());
      if (!result)
	continue;
      tree *known = &values[SSA_NAME_VERSION (result)];
      /* Once it is known to be no copy, this does not change.  */
      if (*known == result)
	continue;
      tree value = phi_value (gsi.phi (), result);
      changed |= value != *known;
      *known = value;
    }
  return changed;
}

void
find_copies (function *fun)
{
  auto_vec<int> order;
  bool changed = true;

  values.release ();
  values.safe_grow_cleared (num_ssa_names);
  order.safe_grow_cleared (last_basic_block_for_fn (fun));
  const int n
    = pre_and_rev_post_order_compute_fn (fun, NULL, order.address (), false);
  for (int round = 0; changed && round < max_rounds; round++)
    {
      changed = false;
      for (int i = 0; i < n; i++)
	changed |= visit_phis (BASIC_BLOCK_FOR_FN (fun, order[i]));
    }
  if (changed)
    values.release ();
}

tree
copied_value (tree name)
{
  const unsigned version = SSA_NAME_VERSION (name);

  return (version < values.length () && values[version]
	      && gimple_code (SSA_NAME_DEF_STMT (name)) == GIMPLE_PHI
	    ? values[version]
	    : name);
}

void
forget_copies (void)
{
  values.release ();
}
