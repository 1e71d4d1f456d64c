/* Allocation functions that have a hinted form, and placeholders for its calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "arguments.h"
#include "hint-placeholder.h"

/* The attribute of a placeholder; its value is the hint.  */
static const char hint_attribute[] = "heapprof hint";
static const char placeholder_prefix[] = "heapprof.hint.";

static const hint_allocator allocators[] = {
  { "_Znwm", "_Znwm12__hot_cold_t", true },
  { "_Znam", "_Znam12__hot_cold_t", true },
  { "_ZnwmRKSt9nothrow_t", "_ZnwmRKSt9nothrow_t12__hot_cold_t", true },
  { "_ZnamRKSt9nothrow_t", "_ZnamRKSt9nothrow_t12__hot_cold_t", true },
  { "_ZnwmSt11align_val_t", "_ZnwmSt11align_val_t12__hot_cold_t", true },
  { "_ZnamSt11align_val_t", "_ZnamSt11align_val_t12__hot_cold_t", true },
  { "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t", true },
  { "_ZnamSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t", true },
  { "malloc", "heapprof_malloc_hinted", false },
  { "calloc", "heapprof_calloc_hinted", false },
  { "realloc", "heapprof_realloc_hinted", false },
  { "aligned_alloc", "heapprof_aligned_alloc_hinted", false },
  { "posix_memalign", "heapprof_posix_memalign_hinted", false },
  { "strdup", "heapprof_strdup_hinted", false },
  { "strndup", "heapprof_strndup_hinted", false },
};

int
hint_of_placeholder (const_tree decl)
{
  tree attribute = lookup_attribute (hint_attribute, DECL_ATTRIBUTES (decl));

  if (!attribute)
    return -1;
  return tree_to_uhwi (TREE_VALUE (TREE_VALUE (attribute)));
}

const char *
hint_allocator_name (const_tree decl)
{
  tree symbol = DECL_ASSEMBLER_NAME (const_cast<tree> (decl));
  const char *name = targetm.strip_name_encoding (IDENTIFIER_POINTER (symbol));
  if (hint_of_placeholder (decl) >= 0)
    name = strchr (name + strlen (placeholder_prefix), '.') + 1;
  return name;
}

/* A local function of the same name is not the allocation function.  */
const hint_allocator *
hint_find_allocator (const_tree decl)
{
  if (!TREE_PUBLIC (decl) || TREE_CODE (decl) != FUNCTION_DECL)
    return NULL;
  const char *name = hint_allocator_name (decl);
  for (const hint_allocator &entry : allocators)
    if (!strcmp (name, entry.name))
      return &entry;
  return NULL;
}

bool
allocation_function_p (const_tree decl)
{
  return hint_find_allocator (decl);
}

bool
unhinted_allocation_function_p (const_tree decl)
{
  return DECL_IS_MALLOC (decl) && !hint_find_allocator (decl);
}

bool
hint_wanted_p (const_tree decl)
{
  const hint_allocator *entry = hint_find_allocator (decl);

  if (!entry)
    return false;
  return (arguments.use.hints == HINT_CALLS_ALL
	  || (arguments.use.hints == HINT_CALLS_NEW && entry->is_new));
}

tree
hint_copy_as_external (tree decl, const char *name)
{
  tree copy = copy_node (decl);
  tree identifier = get_identifier (name);

  DECL_NAME (copy) = identifier;
  DECL_CHAIN (copy) = NULL_TREE;
  copy->decl_with_vis.symtab_node = NULL;
  SET_DECL_RTL (copy, NULL);
  set_decl_built_in_function (copy, NOT_BUILT_IN, 0);
  DECL_ABSTRACT_ORIGIN (copy) = NULL_TREE;
  DECL_INITIAL (copy) = NULL_TREE;
  DECL_STRUCT_FUNCTION (copy) = NULL;
  DECL_ARTIFICIAL (copy) = 1;
  DECL_IGNORED_P (copy) = 1;
  DECL_EXTERNAL (copy) = 1;
  TREE_STATIC (copy) = 0;
  DECL_WEAK (copy) = 0;
  DECL_COMDAT (copy) = 0;
  SET_DECL_ASSEMBLER_NAME (copy, identifier);
  return copy;
}

cgraph_node *
hint_find_function (const char *name)
{
  symtab_node *node = symtab_node::get_for_asmname (get_identifier (name));

  return node ? dyn_cast<cgraph_node *> (node) : NULL;
}

/* Return the placeholder for FUNCTION with the hint VALUE, creating it if
   necessary.  */
static cgraph_node *
get_placeholder (cgraph_node *function, int value)
{
  char *name = xasprintf ("%s%d.%s", placeholder_prefix, value,
			  hint_allocator_name (function->decl));
  cgraph_node *node = hint_find_function (name);

  if (!node)
    {
      tree decl = hint_copy_as_external (function->decl, name);
      tree hint
	= build_tree_list (NULL_TREE, build_int_cst (integer_type_node, value));
      DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (hint_attribute), hint,
					  DECL_ATTRIBUTES (decl));
      node = cgraph_node::get_create (decl);
      /* Otherwise the verifier reports that statements call another
	 function.  */
      node->former_clone_of = function->decl;
    }
  free (name);
  return node;
}

void
hint_redirect_call (cgraph_edge *call, int value)
{
  const hint_allocator *entry = hint_find_allocator (call->callee->decl);

  /* If an allocator is linked into the program by LTO, its hinted function has
     no callers yet and would be removed.  */
  if (cgraph_node *hinted = hint_find_function (entry->hinted))
    if (hinted->definition)
      hinted->mark_force_output ();
  call->redirect_callee (get_placeholder (call->callee, value));
}

void
hint_relate_placeholders (void)
{
  cgraph_node *node;

  FOR_EACH_FUNCTION (node)
    if (hint_of_placeholder (node->decl) >= 0)
      if (cgraph_node *function
	  = hint_find_function (hint_allocator_name (node->decl)))
	node->former_clone_of = function->decl;
}
