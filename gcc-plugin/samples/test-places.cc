/* The source positions of comparisons that GCC inserts.
   SPDX-License-Identifier: GPL-3.0-or-later

   When a program is linked with LTO, GCC inserts the comparisons for promoted
   virtual calls (virtual-link.cc) without a source position.  Then the map of
   these comparisons (vtable-map.cc) would not belong to the call.  This pass
   runs when GCC has inserted all of them, before it optimizes the code.  */

#include "gcc-compat.h"
#include "test-places.h"

/* True if VALUE is the address of a virtual function.  */
static bool
virtual_function_p (tree value)
{
  gimple *copy
    = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;

  if (copy && (gimple_assign_single_p (copy) || gimple_assign_cast_p (copy)))
    value = gimple_assign_rhs1 (copy);
  return TREE_CODE (value) == ADDR_EXPR
	 && TREE_CODE (TREE_OPERAND (value, 0)) == FUNCTION_DECL
	 && DECL_VIRTUAL_P (TREE_OPERAND (value, 0));
}

/* If BLOCK ends with a comparison of a virtual function, return it.  */
static gcond *
test_of (basic_block block)
{
  gimple *last = compat_last_statement (block);
  gcond *condition = last ? dyn_cast<gcond *> (last) : NULL;

  return condition && gimple_cond_code (condition) == EQ_EXPR
	     && (virtual_function_p (gimple_cond_lhs (condition))
		 || virtual_function_p (gimple_cond_rhs (condition)))
	   ? condition
	   : NULL;
}

/* Return the virtual call in BLOCK, or NULL.  */
static gcall *
virtual_call_in (basic_block block)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
       gsi_next (&gsi))
    if (gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi)))
      if (gimple_call_fn (call)
	  && virtual_method_call_p (gimple_call_fn (call)))
	return call;
  return NULL;
}

/* Return the block that BLOCK, which ends with a comparison, goes to if the
   function is another one.  */
static basic_block
other_block (basic_block block)
{
  edge same, other;

  extract_true_false_edges_from_block (block, &same, &other);
  return other->dest;
}

/* Give the comparison TEST at the end of BLOCK the position of its call: that
   which is made if this and all further comparisons fail.  */
static void
place_test (basic_block block, gcond *test)
{
  basic_block last = block;
  edge way;
  edge_iterator ways;

  FOR_EACH_EDGE (way, ways, block->succs)
    if (single_pred_p (way->dest))
      compat_copy_discriminator (block, way->dest);
  if (gimple_location (test) != UNKNOWN_LOCATION)
    return;
  while (test_of (last) && single_pred_p (other_block (last)))
    last = other_block (last);
  if (gcall *call = virtual_call_in (last))
    gimple_set_location (test, gimple_location (call));
}

static const pass_data pass_data_test_places = {
  GIMPLE_PASS, "heapprof-tests", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0
};

class pass_test_places : public gimple_opt_pass
{
public:
  pass_test_places (gcc::context *context)
    : gimple_opt_pass (pass_data_test_places, context)
  {}

  bool gate (function *) final override { return in_lto_p && !seen_error (); }
  unsigned int execute (function *fun) final override
  {
    basic_block block;

    FOR_EACH_BB_FN (block, fun)
      if (gcond *test = test_of (block))
	place_test (block, test);
    return 0;
  }
};

void
test_places_start (const char *plugin_name)
{
  register_pass_info info = { new pass_test_places (g), "*all_optimizations", 1,
			      PASS_POS_INSERT_BEFORE };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}
