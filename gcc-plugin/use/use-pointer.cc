/* Direct calls of allocation functions beside calls through pointers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Some programs call the C library's allocation functions through variables,
   so that users can replace them.  There,

     p = allocate (40);		becomes

     if (allocate == malloc)
       p = malloc (40);
     else
       p = allocate (40);

   and the direct call can get a hint.  The profile does not tell which
   allocation function was called.  Its type does: another one with the same
   type only makes the comparison fail.

   This happens before GCC builds SSA form, so both calls may set p.  Values
   without a variable have SSA names already; they get a variable.  */

#include "gcc-compat.h"
#include "hint-placeholder.h"
#include "use-pointer.h"

/* True if TYPE is an unsigned integer as wide as size_t.  */
static bool
size_p (tree type)
{
  return (INTEGRAL_TYPE_P (type) && TYPE_UNSIGNED (type)
	  && TYPE_PRECISION (type) == TYPE_PRECISION (size_type_node));
}

/* True if TYPE is that of a string.  */
static bool
string_p (tree type)
{
  return (POINTER_TYPE_P (type)
	  && TYPE_MAIN_VARIANT (TREE_TYPE (type)) == char_type_node);
}

/* Return the allocation function with parameters of the types FIRST and, unless
   NULL, SECOND; END_BUILTINS if there is none.  */
static built_in_function
allocator_of_types (tree first, tree second)
{
  if (!second)
    return (size_p (first)     ? BUILT_IN_MALLOC
	    : string_p (first) ? BUILT_IN_STRDUP
			       : END_BUILTINS);
  if (!size_p (second))
    return END_BUILTINS;
  return (size_p (first)	   ? BUILT_IN_CALLOC
	  : string_p (first)	   ? BUILT_IN_STRNDUP
	  : POINTER_TYPE_P (first) ? BUILT_IN_REALLOC
				   : END_BUILTINS);
}

tree
use_pointer_allocator (const gcall *call)
{
  tree type = gimple_call_fntype (call);
  tree parameters = type ? TYPE_ARG_TYPES (type) : NULL_TREE;
  tree types[2] = {};
  unsigned n = 0;

  if (gimple_call_internal_p (call) || gimple_call_fndecl (call) || !parameters
      || !POINTER_TYPE_P (TREE_TYPE (type)))
    return NULL_TREE;
  for (; parameters && parameters != void_list_node;
       parameters = TREE_CHAIN (parameters))
    {
      if (n == 2)
	return NULL_TREE;
      types[n++] = TREE_VALUE (parameters);
    }
  /* Without void_list_node at the end, there are more arguments.  */
  if (!parameters || !n || gimple_call_num_args (call) != n)
    return NULL_TREE;
  const built_in_function found = allocator_of_types (types[0], types[1]);
  tree decl = found == END_BUILTINS ? NULL_TREE : builtin_decl_explicit (found);
  return decl && hint_wanted_p (decl) ? decl : NULL_TREE;
}

/* Append to BLOCK a test whether the pointer that CALL goes through is
   ALLOCATOR.  */
static void
append_test (basic_block block, const gcall *call, tree allocator)
{
  tree pointer = gimple_call_fn (call);
  tree address = create_tmp_reg (TREE_TYPE (pointer), "heapprof_allocator");
  gimple_stmt_iterator gsi = gsi_last_bb (block);
  gimple *statements[]
    = { gimple_build_assign (address, NOP_EXPR,
			     build_fold_addr_expr (allocator)),
	gimple_build_cond (EQ_EXPR, pointer, address, NULL_TREE, NULL_TREE) };

  for (gimple *statement : statements)
    {
      gimple_set_location (statement, gimple_location (call));
      gimple_set_block (statement, gimple_block (call));
      gsi_insert_after (&gsi, statement, GSI_NEW_STMT);
    }
}

/* Let CALL set a new variable, which is copied after CALL to the former
   result.  */
static void
set_variable (gcall *call)
{
  tree result = gimple_call_lhs (call);
  tree variable = create_tmp_reg (TREE_TYPE (result), "heapprof_block");
  gassign *copy = gimple_build_assign (result, variable);
  gimple_stmt_iterator gsi = gsi_for_stmt (call);

  gimple_call_set_lhs (call, variable);
  gimple_set_location (copy, gimple_location (call));
  gimple_set_block (copy, gimple_block (call));
  gsi_insert_after (&gsi, copy, GSI_SAME_STMT);
}

/* Return a call of ALLOCATOR like CALL.  */
static gcall *
build_direct_call (gcall *call, tree allocator)
{
  gcall *direct = as_a<gcall *> (gimple_copy (call));

  gimple_call_set_fndecl (direct, allocator);
  gimple_call_set_fntype (direct, TREE_TYPE (allocator));
  return direct;
}

gcall *
use_pointer_promote (gcall *call, tree allocator)
{
  /* GCC deletes direct calls of malloc whose result is not used.  */
  if (stmt_ends_bb_p (call) || !gimple_call_lhs (call))
    return NULL;
  if (TREE_CODE (gimple_call_lhs (call)) == SSA_NAME)
    set_variable (call);
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gsi_prev (&gsi);
  basic_block test = gimple_bb (call);
  edge otherwise = (gsi_end_p (gsi) ? split_block_after_labels (test)
				    : split_block (test, gsi_stmt (gsi)));
  edge after = split_block (otherwise->dest, call);
  basic_block then = create_empty_bb (test);

  if (current_loops)
    add_bb_to_loop (then, test->loop_father);
  append_test (otherwise->src, call, allocator);
  otherwise->flags = (otherwise->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  make_edge (otherwise->src, then, EDGE_TRUE_VALUE);
  make_single_succ_edge (then, after->dest, EDGE_FALLTHRU);
  gcall *direct = build_direct_call (call, allocator);
  gimple_stmt_iterator end = gsi_start_bb (then);
  gsi_insert_after (&end, direct, GSI_NEW_STMT);
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  return direct;
}
