/* Accesses that are certain to be to the same heap block.
   SPDX-License-Identifier: GPL-3.0-or-later

   A pointer that the program computes from another pointer points into the same
   object, as GCC itself assumes: p + 8, p + i, &p->a[i].  So does a pointer
   that is one of several such pointers, depending on the path:

     for (q = p; *q; q++)	  q_1 = PHI <p_2, q_3>, q_3 = q_1 + 1
       ...

   All of them are replaced by the pointer that they begin with, the root.  The
   root itself need not point into the block: some programs compute a pointer
   before the start of an array and always add an index to it.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "merge-window.h"

/* The maximum number of pointer definitions to follow, one after the other and
   for one PHI.  */
static const unsigned max_definitions = 64;
static const unsigned max_phis = 32;

/* Return the pointer that POINTER is computed from by its definition, or NULL.
   A PHI has several and is not considered.  */
static tree
source_of (tree pointer)
{
  const gassign *definition = dyn_cast<gassign *> (SSA_NAME_DEF_STMT (pointer));
  tree source;

  if (!definition)
    return NULL_TREE;
  source = gimple_assign_rhs1 (definition);
  switch (gimple_assign_rhs_code (definition))
    {
    case POINTER_PLUS_EXPR:
    case SSA_NAME:
    CASE_CONVERT:
      break;
    case ADDR_EXPR:
      source = get_base_address (TREE_OPERAND (source, 0));
      if (!source || TREE_CODE (source) != MEM_REF)
	return NULL_TREE;
      source = TREE_OPERAND (source, 0);
      break;
    default:
      return NULL_TREE;
    }
  return (TREE_CODE (source) == SSA_NAME && POINTER_TYPE_P (TREE_TYPE (source))
	    ? source
	    : NULL_TREE);
}

/* Follow the definitions of POINTER to the first one that is not in terms of
   one other pointer.  */
static tree
follow_sources (tree pointer)
{
  for (unsigned i = 0; i < max_definitions; i++)
    {
      tree source = source_of (pointer);
      if (!source)
	break;
      pointer = source;
    }
  return pointer;
}

/* True if PHI is in the same loop as FIRST, or in a loop within.  */
static bool
same_loop_p (const gphi *first, const gphi *phi)
{
  const class loop *const loop = gimple_bb (first)->loop_father;

  return (!current_loops || !loop
	  || flow_bb_inside_loop_p (loop, gimple_bb (phi)));
}

/* If FIRST, a PHI of pointers, can only be a pointer computed from one other
   pointer from outside its loop, return that one, else NULL.  */
static tree
source_of_phi (gphi *first)
{
  auto_vec<gphi *, max_phis> phis;
  tree only = NULL_TREE;

  phis.quick_push (first);
  for (unsigned i = 0; i < phis.length (); i++)
    for (unsigned j = 0; j < gimple_phi_num_args (phis[i]); j++)
      {
	tree argument = gimple_phi_arg_def (phis[i], j);
	if (TREE_CODE (argument) != SSA_NAME)
	  return NULL_TREE;
	argument = follow_sources (argument);
	gphi *phi = dyn_cast<gphi *> (SSA_NAME_DEF_STMT (argument));
	if (phi && same_loop_p (first, phi))
	  {
	    if (phis.contains (phi))
	      continue;
	    if (phis.length () == max_phis)
	      return NULL_TREE;
	    phis.quick_push (phi);
	  }
	else if (!only)
	  only = argument;
	else if (only != argument)
	  return NULL_TREE;
      }
  return only;
}

tree
object_root (tree pointer)
{
  for (unsigned i = 0; i < max_definitions; i++)
    {
      pointer = follow_sources (pointer);
      gphi *phi = dyn_cast<gphi *> (SSA_NAME_DEF_STMT (pointer));
      tree source = phi ? source_of_phi (phi) : NULL_TREE;
      if (!source)
	break;
      pointer = source;
    }
  return pointer;
}
