/* Functions of the program that allocate for their callers.
   SPDX-License-Identifier: GPL-3.0-or-later

   The value that a function returns is followed back through conversions,
   additions and the branches that it comes from.  If all of it is a result of
   allocation functions, of wrappers, of calls that allocate according to the
   profile, constants or the function's own arguments (as in realloc), and some
   of it a result, the function is a wrapper.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "allocation-wrapper.h"
#include "hint-placeholder.h"
#include "use-call.h"

/* Users cannot spell this.  Its value is a wrapper_kind.  */
static const char wrapper_attribute[] = "heapprof wrapper";

bool
allocation_wrapper_named_p (const_tree decl)
{
  if (!arguments.use.wrapper || TREE_CODE (decl) != FUNCTION_DECL)
    return false;
  tree function = DECL_ORIGIN (const_cast<tree> (decl));
  const char *symbol = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function));

  return (!regexec (arguments.use.wrapper, targetm.strip_name_encoding (symbol),
		    0, NULL, 0)
	  || !regexec (arguments.use.wrapper,
		       lang_hooks.decl_printable_name (function, 1), 0, NULL,
		       0));
}

wrapper_kind
allocation_wrapper_kind (const_tree decl)
{
  tree attribute = lookup_attribute (wrapper_attribute, DECL_ATTRIBUTES (decl));

  if (attribute)
    return (wrapper_kind) tree_to_uhwi (TREE_VALUE (TREE_VALUE (attribute)));
  return allocation_wrapper_named_p (decl) ? WRAPPER_NAMED : WRAPPER_NONE;
}

const char *
allocation_wrapper_kind_name (wrapper_kind kind)
{
  static const char *const names[]
    = { "none", "named", "attribute malloc", "returns what it allocates" };

  return names[kind];
}

/* True if CALL allocates the block that it returns.  */
static bool
returns_block_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  if (callee
      && (allocation_function_p (callee) || DECL_IS_MALLOC (callee)
	  || allocation_wrapper_kind (callee) != WRAPPER_NONE))
    return true;
  return use_call_known_p (call);
}

/* Values of a function that are to be followed.  */
struct followed_values
{
  auto_vec<tree> left;
  hash_set<tree> seen;
  bool any_block = false; /* one of them is the result of an allocation */
};

static void
follow (followed_values *values, tree value)
{
  if (!values->seen.add (value))
    values->left.safe_push (value);
}

/* Follow the value that STATEMENT computes.  Return false if it is no block.
 */
static bool
follow_statement (followed_values *values, gimple *statement)
{
  if (gphi *phi = dyn_cast<gphi *> (statement))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	follow (values, gimple_phi_arg_def (phi, i));
      return true;
    }
  if (gcall *call = dyn_cast<gcall *> (statement))
    {
      const int flags = gimple_call_return_flags (call);
      if (returns_block_p (call))
	values->any_block = true;
      else if (flags & ERF_RETURNS_ARG)
	follow (values, gimple_call_arg (call, flags & ERF_RETURN_ARG_MASK));
      else
	return false;
      return true;
    }
  gassign *assignment = dyn_cast<gassign *> (statement);
  if (!assignment)
    /* An argument of the function.  */
    return gimple_nop_p (statement);
  switch (gimple_assign_rhs_code (assignment))
    {
    case SSA_NAME:
    CASE_CONVERT:
    case POINTER_PLUS_EXPR:
      follow (values, gimple_assign_rhs1 (assignment));
      return true;
    case ADDR_EXPR:
      {
	tree base
	  = get_base_address (TREE_OPERAND (gimple_assign_rhs1 (assignment),
					    0));
	if (!base || TREE_CODE (base) != MEM_REF)
	  return false;
	follow (values, TREE_OPERAND (base, 0));
	return true;
      }
    default:
      return false;
    }
}

/* True if all values that are left to follow are blocks or constants.  */
static bool
only_blocks_p (followed_values *values)
{
  while (!values->left.is_empty ())
    {
      tree value = values->left.pop ();
      if (is_gimple_min_invariant (value))
	continue;
      if (TREE_CODE (value) != SSA_NAME
	  || !follow_statement (values, SSA_NAME_DEF_STMT (value)))
	return false;
    }
  return true;
}

/* True if FUN returns what it allocates.  */
static bool
returns_allocation_p (function *fun)
{
  followed_values values;
  edge exit;
  edge_iterator i;

  FOR_EACH_EDGE (exit, i, EXIT_BLOCK_PTR_FOR_FN (fun)->preds)
    {
      gimple_stmt_iterator last = gsi_last_bb (exit->src);
      greturn *end
	= gsi_end_p (last) ? NULL : dyn_cast<greturn *> (gsi_stmt (last));
      if (end && gimple_return_retval (end))
	follow (&values, gimple_return_retval (end));
    }
  return only_blocks_p (&values) && values.any_block;
}

/* Return how NODE, which has a body, is known.  A function that is called only
   once decides no more than its caller.  */
static wrapper_kind
find_kind (cgraph_node *node)
{
  if (allocation_wrapper_named_p (node->decl))
    return WRAPPER_NAMED;
  if (!POINTER_TYPE_P (TREE_TYPE (TREE_TYPE (node->decl)))
      || !(TREE_PUBLIC (node->decl)
	   || (node->callers && node->callers->next_caller)))
    return WRAPPER_NONE;
  /* GCC itself gives the attribute to some functions by their code.  */
  if (returns_allocation_p (DECL_STRUCT_FUNCTION (node->decl)))
    return WRAPPER_RETURNS_BLOCK;
  return DECL_IS_MALLOC (node->decl) ? WRAPPER_ATTRIBUTE : WRAPPER_NONE;
}

/* Remember that the function DECL is a wrapper of KIND.  */
static void
remember (tree decl, wrapper_kind kind)
{
  tree value
    = build_tree_list (NULL_TREE, build_int_cst (integer_type_node, kind));

  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (wrapper_attribute), value,
				      DECL_ATTRIBUTES (decl));
  if (dump_file)
    fprintf (dump_file, "%s is a wrapper: %s\n",
	     lang_hooks.decl_printable_name (decl, 2),
	     allocation_wrapper_kind_name (kind));
}

void
allocation_wrappers_find (void)
{
  bool again = true;
  cgraph_node *node;

  /* A wrapper of a wrapper is found when that one is known.  */
  while (again)
    {
      again = false;
      FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
	{
	  if (lookup_attribute (wrapper_attribute,
				DECL_ATTRIBUTES (node->decl)))
	    continue;
	  const wrapper_kind kind = find_kind (node);
	  if (kind == WRAPPER_NONE)
	    continue;
	  remember (node->decl, kind);
	  again = true;
	}
    }
}
