/* Calls that may lead to an allocation.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function may allocate if it calls one that may, or one that is unknown: a
   function of another unit, or of another partition with LTO, one that may be
   replaced, or one called through a pointer.  A function without a body may
   allocate unless GCC knows that it does not.

   This is determined once, from callees to callers, because GCC discards edges
   of the call graph as it compiles one function after the other.  */

#include "gcc-compat.h"
#include "allocating-calls.h"

/* DECL_UIDs of the functions that allocate nothing.  */
static hash_set<int_hash<int, -1, -2>> idle_functions;

/* True if CALLEE, a built-in that calls nothing in this unit and does not
   throw, allocates.  */
static bool
builtin_allocates_p (const_tree callee)
{
  if (DECL_IS_MALLOC (callee))
    return true;
  if (!fndecl_built_in_p (callee, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE (callee))
    {
    case BUILT_IN_REALLOC:
    case BUILT_IN_POSIX_MEMALIGN:
      return true;
    default:
      return false;
    }
}

/* True if CALLEE, which has no body, may allocate.  Built-ins such as puts may
   allocate a buffer or call the program's functions.  */
static bool
external_may_allocate_p (const_tree callee)
{
  int flags = flags_from_decl_or_type (callee);

  if (flags & (ECF_CONST | ECF_PURE))
    return false;
  if (DECL_IS_OPERATOR_DELETE_P (callee)
      || startswith (IDENTIFIER_POINTER (DECL_NAME (callee)), "__heapprof_"))
    return false;
  if (fndecl_built_in_p (callee) && (flags & ECF_LEAF) && (flags & ECF_NOTHROW))
    return builtin_allocates_p (callee);
  return true;
}

/* True if NODE may allocate regardless of the functions that it calls by
   name.  */
static bool
unknown_p (cgraph_node *node)
{
  if (!node->definition || node->in_other_partition)
    return external_may_allocate_p (node->decl);
  return (node->indirect_calls
	  || (!node->inlined_to
	      && node->get_availability () <= AVAIL_INTERPOSABLE));
}

/* Add NODE to FOUND and WORKLIST unless it is already in FOUND.  */
static void
add_function (cgraph_node *node, hash_set<cgraph_node *> *found,
	      vec<cgraph_node *> *worklist)
{
  if (!found->add (node))
    worklist->safe_push (node);
}

/* Add the callers and the aliases of NODE.  */
static void
add_callers (cgraph_node *node, hash_set<cgraph_node *> *found,
	     vec<cgraph_node *> *worklist)
{
  ipa_ref *alias;

  for (cgraph_edge *call = node->callers; call; call = call->next_caller)
    add_function (call->caller, found, worklist);
  for (unsigned i = 0; node->iterate_direct_aliases (i, alias); i++)
    if (cgraph_node *name = dyn_cast<cgraph_node *> (alias->referring))
      add_function (name, found, worklist);
}

void
allocating_calls_find (void)
{
  hash_set<cgraph_node *> found;
  auto_vec<cgraph_node *> worklist;
  cgraph_node *node;

  FOR_EACH_FUNCTION (node)
    if (unknown_p (node))
      add_function (node, &found, &worklist);
  while (!worklist.is_empty ())
    add_callers (worklist.pop (), &found, &worklist);
  FOR_EACH_DEFINED_FUNCTION (node)
    if (!node->inlined_to && !node->in_other_partition
	&& !found.contains (node))
      idle_functions.add (DECL_UID (node->decl));
}

bool
may_allocate_p (const_tree callee)
{
  if (!callee)
    return true;
  return (!idle_functions.contains (DECL_UID (callee))
	  && external_may_allocate_p (callee));
}
