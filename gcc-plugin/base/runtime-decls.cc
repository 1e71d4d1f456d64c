/* Trees for the symbols of the run-time library that instrumented code uses.
   SPDX-License-Identifier: GPL-3.0-or-later

   The names of the symbols come from heapprof/abi.h.  The C++ front end would
   set assembler names and make symbol-table nodes itself; those of Fortran and
   other languages do not, so this file does it.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "arguments.h"
#include "runtime-decls.h"

enum runtime_tree
{
  TREE_SHADOW_BASE,
  TREE_HISTOGRAM_BASE,
  TREE_HISTOGRAM_MASK,
  TREE_ACCESS_RANGE,
  TREE_ACCESS_TEXT,
  TREE_ACCESS_STRIDE,
  TREE_ACCESS_GRID,
  TREE_INIT,
  TREE_COUNTER_TYPE,
  TREE_COUNTER_POINTER_TYPE,
  N_RUNTIME_TREES
};

static tree runtime_trees[N_RUNTIME_TREES];

static const ggc_root_tab runtime_roots[]
  = { { runtime_trees, N_RUNTIME_TREES, sizeof runtime_trees[0],
	gt_ggc_mx_tree_node, gt_pch_nx_tree_node },
      LAST_GGC_ROOT_TAB };

void
runtime_decls_register_roots (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
		     const_cast<ggc_root_tab *> (runtime_roots));
}

tree
runtime_external_decl (tree_code code, const char *name, tree type)
{
  tree identifier = get_identifier (name);
  tree decl = build_decl (BUILTINS_LOCATION, code, identifier, type);

  DECL_EXTERNAL (decl) = 1;
  TREE_PUBLIC (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  TREE_USED (decl) = 1;
  DECL_VISIBILITY (decl) = VISIBILITY_DEFAULT;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  SET_DECL_ASSEMBLER_NAME (decl, identifier);
  return decl;
}

static tree
build_volatile_variable (const char *name, tree type)
{
  tree decl
    = runtime_external_decl (VAR_DECL, name,
			     build_qualified_type (type, TYPE_QUAL_VOLATILE));

  TREE_STATIC (decl) = 0;
  TREE_THIS_VOLATILE (decl) = 1;
  TREE_SIDE_EFFECTS (decl) = 1;
  varpool_node::get_create (decl);
  return decl;
}

/* Build a declaration of a function of the run-time library that calls nothing
   in this unit and does not throw.  Otherwise a call would end its block in
   functions that use setjmp or handle exceptions.  The function writes memory,
   so it is not pure.  */
static tree
build_external_function (const char *name, tree type)
{
  tree decl = runtime_external_decl (FUNCTION_DECL, name, type);

  TREE_NOTHROW (decl) = 1;
  DECL_ATTRIBUTES (decl)
    = tree_cons (get_identifier ("leaf"), NULL_TREE, DECL_ATTRIBUTES (decl));
  cgraph_node::get_create (decl);
  return decl;
}

/* Build a declaration of a function that counts accesses.  EFFECTS is its "fn
   spec".  It promises that a call does not write the program's memory, what it
   reads, and that no address escapes.  Without it, callers would be optimized
   less, and the accesses they make would depend on how their callees are
   counted.  */
static tree
build_counting_function (const char *name, tree type, const char *effects)
{
  tree value = build_string (strlen (effects), effects);
  tree attribute = tree_cons (get_identifier ("fn spec"),
			      build_tree_list (NULL_TREE, value), NULL_TREE);

  return build_external_function (name,
				  build_type_attribute_variant (type,
								attribute));
}

/* The function does not read what its first argument points to.  */
static const char reads_nothing[] = ".cx ";

/* It reads what its first two arguments point to.  */
static const char reads_texts[] = ".cR R ";

tree
shadow_base_decl (void)
{
  tree *decl = &runtime_trees[TREE_SHADOW_BASE];

  if (!*decl)
    *decl = build_volatile_variable (HEAPPROF_SYMBOL_WINDOW_BASE, sizetype);
  return *decl;
}

tree
histogram_base_decl (void)
{
  tree *decl = &runtime_trees[TREE_HISTOGRAM_BASE];

  if (!*decl)
    *decl = build_volatile_variable (HEAPPROF_SYMBOL_HISTOGRAM_BASE, sizetype);
  return *decl;
}

tree
histogram_mask_decl (void)
{
  tree *decl = &runtime_trees[TREE_HISTOGRAM_MASK];

  if (!*decl)
    *decl = build_volatile_variable (HEAPPROF_SYMBOL_HISTOGRAM_MASK, sizetype);
  return *decl;
}

tree
access_range_decl (void)
{
  tree *decl = &runtime_trees[TREE_ACCESS_RANGE];

  if (!*decl)
    {
      tree pointer
	= build_pointer_type (build_qualified_type (void_type_node,
						    TYPE_QUAL_CONST));
      tree type = build_function_type_list (void_type_node, pointer, sizetype,
					    NULL_TREE);
      *decl
	= build_counting_function (arguments.histogram
				     ? HEAPPROF_SYMBOL_ACCESS_RANGE_HISTOGRAM
				     : HEAPPROF_SYMBOL_ACCESS_RANGE,
				   type, reads_nothing);
    }
  return *decl;
}

tree
access_text_decl (void)
{
  tree *decl = &runtime_trees[TREE_ACCESS_TEXT];

  if (!*decl)
    {
      tree pointer
	= build_pointer_type (build_qualified_type (void_type_node,
						    TYPE_QUAL_CONST));
      tree type = build_function_type_list (void_type_node, pointer, pointer,
					    sizetype, integer_type_node,
					    unsigned_type_node, NULL_TREE);
      *decl = build_counting_function (HEAPPROF_SYMBOL_ACCESS_TEXT, type,
				       reads_texts);
    }
  return *decl;
}

tree
access_stride_decl (void)
{
  tree *decl = &runtime_trees[TREE_ACCESS_STRIDE];

  if (!*decl)
    {
      tree pointer
	= build_pointer_type (build_qualified_type (void_type_node,
						    TYPE_QUAL_CONST));
      tree type
	= build_function_type_list (void_type_node, pointer, ptrdiff_type_node,
				    sizetype, sizetype, NULL_TREE);
      *decl = build_counting_function (HEAPPROF_SYMBOL_ACCESS_STRIDE, type,
				       reads_nothing);
    }
  return *decl;
}

tree
access_grid_decl (void)
{
  tree *decl = &runtime_trees[TREE_ACCESS_GRID];

  if (!*decl)
    {
      tree pointer
	= build_pointer_type (build_qualified_type (void_type_node,
						    TYPE_QUAL_CONST));
      tree type
	= build_function_type_list (void_type_node, pointer, ptrdiff_type_node,
				    sizetype, sizetype, ptrdiff_type_node,
				    sizetype, NULL_TREE);
      *decl = build_counting_function (HEAPPROF_SYMBOL_ACCESS_GRID, type,
				       reads_nothing);
    }
  return *decl;
}

tree
init_function_decl (void)
{
  tree *decl = &runtime_trees[TREE_INIT];

  if (!*decl)
    {
      *decl = build_external_function (arguments.histogram
					 ? HEAPPROF_SYMBOL_INIT_HISTOGRAM
					 : HEAPPROF_SYMBOL_INIT,
				       build_function_type_list (void_type_node,
								 NULL_TREE));
      declare_weak (*decl);
    }
  return *decl;
}

tree
guard_decl (const char *name)
{
  tree decl = build_volatile_variable (name, char_type_node);

  /* Hidden, so that linking a shared library without a definition fails, as
     linking an executable does.  */
  DECL_VISIBILITY (decl) = VISIBILITY_HIDDEN;
  return decl;
}

tree
counter_type (void)
{
  tree *type = &runtime_trees[TREE_COUNTER_TYPE];

  if (!*type)
    {
      *type = build_distinct_type_copy (sizetype);
      gcc_assert (tree_to_uhwi (TYPE_SIZE_UNIT (*type))
		  == HEAPPROF_COUNTER_BYTES);
      TYPE_ALIAS_SET (*type) = new_alias_set ();
    }
  return *type;
}

tree
counter_pointer_type (void)
{
  tree *type = &runtime_trees[TREE_COUNTER_POINTER_TYPE];

  if (!*type)
    *type = build_pointer_type (counter_type ());
  return *type;
}
