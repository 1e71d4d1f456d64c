/* Decision whether an address can be in the heap.
   SPDX-License-Identifier: GPL-3.0-or-later

   There are two rules.  First, the base of the reference is a declaration, a
   literal, or a pointer whose definition shows where it points, including
   pointers to virtual tables; this works without optimization.  Second,
   points-to analysis, which runs from -O1, knows every variable that the
   pointer may point to.  That analysis represents heap blocks by artificial
   variables, which are not among the declarations of the function or the
   program.  So a pointer that may point to the stack or to a heap block is not
   mistaken for a stack pointer.  */

#include "gcc-compat.h"
#include "heap-access.h"

/* The maximum number of pointer definitions to follow.  */
static const int max_definitions = 16;

/* DECL_PT_UIDs of the declarations that the current function can name; NULL
   until needed.  */
static bitmap known_decls;
static bitmap known_globals;

static access_place
decl_place (const_tree decl)
{
  switch (TREE_CODE (decl))
    {
    case VAR_DECL:
      return is_global_var (decl) ? PLACE_GLOBAL : PLACE_STACK;
    case PARM_DECL:
    case RESULT_DECL:
      return PLACE_STACK;
    default:
      return PLACE_CONSTANT;
    }
}

static void
collect_known_decls (void)
{
  unsigned i;
  tree decl;
  varpool_node *variable;

  known_decls = BITMAP_ALLOC (NULL);
  known_globals = BITMAP_ALLOC (NULL);
  FOR_EACH_LOCAL_DECL (cfun, i, decl)
    bitmap_set_bit (known_decls, DECL_PT_UID (decl));
  for (decl = DECL_ARGUMENTS (current_function_decl); decl;
       decl = DECL_CHAIN (decl))
    bitmap_set_bit (known_decls, DECL_PT_UID (decl));
  decl = DECL_RESULT (current_function_decl);
  if (decl)
    bitmap_set_bit (known_decls, DECL_PT_UID (decl));
  FOR_EACH_VARIABLE (variable)
    {
      bitmap_set_bit (known_decls, DECL_PT_UID (variable->decl));
      bitmap_set_bit (known_globals, DECL_PT_UID (variable->decl));
    }
}

void
access_place_finish (void)
{
  BITMAP_FREE (known_decls);
  BITMAP_FREE (known_globals);
}

/* Return where the SSA name POINTER points according to points-to analysis.  */
static access_place
points_to_place (tree pointer)
{
  const ptr_info_def *info;

  if (!POINTER_TYPE_P (TREE_TYPE (pointer)))
    return PLACE_HEAP;
  info = SSA_NAME_PTR_INFO (pointer);
  if (!info || info->pt.anything || info->pt.nonlocal || info->pt.escaped
      || info->pt.ipa_escaped || !info->pt.vars
      || bitmap_empty_p (info->pt.vars))
    return PLACE_HEAP;
  if (!known_decls)
    collect_known_decls ();
  if (bitmap_intersect_compl_p (info->pt.vars, known_decls))
    return PLACE_HEAP;
  return (bitmap_intersect_p (info->pt.vars, known_globals) ? PLACE_GLOBAL
							    : PLACE_STACK);
}

/* Return the place of the object whose address ADDRESS, an ADDR_EXPR,
   takes.  */
static access_place
address_place (tree address)
{
  return reference_place (TREE_OPERAND (address, 0));
}

/* Return the pointer that DEFINITION computes its result from and that points
   into the same object, or NULL.  */
static tree
defining_pointer (const gimple *definition)
{
  if (!is_gimple_assign (definition))
    return NULL_TREE;
  switch (gimple_assign_rhs_code (definition))
    {
    case SSA_NAME:
    case POINTER_PLUS_EXPR:
    case ADDR_EXPR:
      return gimple_assign_rhs1 (definition);
    CASE_CONVERT:
      {
	tree operand = gimple_assign_rhs1 (definition);
	return POINTER_TYPE_P (TREE_TYPE (operand)) ? operand : NULL_TREE;
      }
    default:
      return NULL_TREE;
    }
}

/* True if DEFINITION loads the pointer to a virtual table from an object.
   These tables are made by the compiler, constant, and never in a heap
   block.  */
static bool
loads_virtual_table_p (const gimple *definition)
{
  if (!gimple_assign_load_p (definition))
    return false;
  tree reference = gimple_assign_rhs1 (definition);
  return (TREE_CODE (reference) == COMPONENT_REF
	  && DECL_VIRTUAL_P (TREE_OPERAND (reference, 1)));
}

access_place
pointer_place (tree pointer)
{
  for (int i = 0; i < max_definitions; i++)
    {
      if (TREE_CODE (pointer) == ADDR_EXPR)
	return address_place (pointer);
      if (TREE_CODE (pointer) != SSA_NAME)
	return CONSTANT_CLASS_P (pointer) ? PLACE_CONSTANT : PLACE_HEAP;

      access_place place = points_to_place (pointer);
      if (place != PLACE_HEAP)
	return place;

      gimple *definition = SSA_NAME_DEF_STMT (pointer);
      if (is_gimple_call (definition) && gimple_alloca_call_p (definition))
	return PLACE_STACK;
      if (loads_virtual_table_p (definition))
	return PLACE_CONSTANT;
      pointer = defining_pointer (definition);
      if (!pointer)
	return PLACE_HEAP;
    }
  return PLACE_HEAP;
}

access_place
reference_place (tree reference)
{
  if (TREE_TYPE (reference) != error_mark_node
      && TYPE_ADDR_SPACE (TREE_TYPE (reference)) != ADDR_SPACE_GENERIC)
    return PLACE_OTHER_ADDRESS_SPACE;

  tree base = get_base_address (reference);
  if (!base)
    return PLACE_CONSTANT;
  if (TYPE_ADDR_SPACE (TREE_TYPE (base)) != ADDR_SPACE_GENERIC)
    return PLACE_OTHER_ADDRESS_SPACE;
  switch (TREE_CODE (base))
    {
    case MEM_REF:
      return pointer_place (TREE_OPERAND (base, 0));
    case TARGET_MEM_REF:
      /* Induction variable optimization may make any of the parts the pointer.
	 Only a base that has pointer type can be used here.  */
      if (POINTER_TYPE_P (TREE_TYPE (TMR_BASE (base)))
	  && !(integer_zerop (TMR_BASE (base))))
	return pointer_place (TMR_BASE (base));
      return PLACE_HEAP;
    default:
      return DECL_P (base) ? decl_place (base) : PLACE_CONSTANT;
    }
}
