/* Allocation calls that carry a hint.
   SPDX-License-Identifier: GPL-3.0-or-later

   What the call graph decides about an edge is not visible in the statement
   before all clones and inlined copies have been made.  So an edge is sent to a
   placeholder, a declaration that is like the allocation function's but has
   another name, and the compiler's own code brings that to every copy of the
   statement.  A late pass then makes of

     p = heapprof.hint.1._Znwm (40)		(before)
     p = _Znwm12__hot_cold_t (40, 1)		(after)

   The hint is passed as an int.  The parameter of operators is an enumeration
   of 8 bits, but there are compilers whose callees read all 32.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "arguments.h"
#include "asm-section.h"
#include "hint-call.h"
#include "use-dump.h"

/* The attribute of a placeholder; its value is the hint.  */
static const char hint_attribute[] = "heapprof hint";
static const char placeholder_prefix[] = "heapprof.hint.";

/* Allocation functions and their forms that take a hint.  */
static const struct allocator
{
  const char *name;
  const char *hinted;
  bool is_new;
} allocators[] = {
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
  const char *name = targetm.strip_name_encoding
    (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (const_cast<tree> (decl))));
  if (hint_of_placeholder (decl) >= 0)
    name = strchr (name + strlen (placeholder_prefix), '.') + 1;
  return name;
}

/* The allocation function that DECL is or stands for, or NULL.  A local
   function of the same name is another.  */
static const allocator *
find_allocator (const_tree decl)
{
  if (!TREE_PUBLIC (decl) || TREE_CODE (decl) != FUNCTION_DECL)
    return NULL;
  const char *name = hint_allocator_name (decl);
  for (const allocator &entry : allocators)
    if (!strcmp (name, entry.name))
      return &entry;
  return NULL;
}

bool
allocation_function_p (const_tree decl)
{
  return find_allocator (decl);
}

bool
unhinted_allocation_function_p (const_tree decl)
{
  return DECL_IS_MALLOC (decl) && !find_allocator (decl);
}

bool
hint_wanted_p (const_tree decl)
{
  const allocator *entry = find_allocator (decl);

  if (!entry)
    return false;
  return (arguments.use.hints == HINT_CALLS_ALL
	  || (arguments.use.hints == HINT_CALLS_NEW && entry->is_new));
}

/* A copy of the function DECL that is external and has NAME.  */
static tree
copy_as_external (tree decl, const char *name)
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

/* The node of the symbol NAME if it is a function of this unit, or NULL.  */
static cgraph_node *
find_function (const char *name)
{
  symtab_node *node = symtab_node::get_for_asmname (get_identifier (name));

  return node ? dyn_cast<cgraph_node *> (node) : NULL;
}

/* The placeholder for FUNCTION with the hint VALUE.  */
static cgraph_node *
get_placeholder (cgraph_node *function, int value)
{
  char *name = xasprintf ("%s%d.%s", placeholder_prefix, value,
			  hint_allocator_name (function->decl));
  cgraph_node *node = find_function (name);

  if (!node)
    {
      tree decl = copy_as_external (function->decl, name);
      tree hint = build_tree_list (NULL_TREE,
				   build_int_cst (integer_type_node, value));
      DECL_ATTRIBUTES (decl) = tree_cons (get_identifier (hint_attribute),
					  hint, DECL_ATTRIBUTES (decl));
      node = cgraph_node::get_create (decl);
      /* Or the verifier finds that statements call something else.  */
      node->former_clone_of = function->decl;
    }
  free (name);
  return node;
}

void
hint_call_redirect (cgraph_edge *call, int value)
{
  const allocator *entry = find_allocator (call->callee->decl);

  /* An allocator that is linked with the program by LTO has its function with
     a hint for no one who calls it so far.  */
  if (cgraph_node *hinted = find_function (entry->hinted))
    if (hinted->definition)
      hinted->mark_force_output ();
  call->redirect_callee (get_placeholder (call->callee, value));
}

void
hint_call_relate_placeholders (void)
{
  cgraph_node *node;

  FOR_EACH_FUNCTION (node)
    if (hint_of_placeholder (node->decl) >= 0)
      if (cgraph_node *function
	  = find_function (hint_allocator_name (node->decl)))
	node->former_clone_of = function->decl;
}

/* The type of the function TYPE with one more argument, an int.  */
static tree
type_with_hint (tree type)
{
  auto_vec<tree> values;

  for (tree list = TYPE_ARG_TYPES (type); list && list != void_list_node;
       list = TREE_CHAIN (list))
    values.safe_push (TREE_VALUE (list));
  values.safe_push (integer_type_node);
  return build_function_type_array (TREE_TYPE (type), values.length (),
				    values.address ());
}

/* The functions of C with a hint that this assembler file calls and does not
   define.  */
static auto_vec<const allocator *> called_of_c;

/* The declaration of ENTRY's function with a hint, which PLACEHOLDER stands
   for.  */
static tree
hinted_decl (const allocator *entry, tree placeholder)
{
  if (cgraph_node *node = find_function (entry->hinted))
    return node->decl;
  tree decl = copy_as_external (placeholder, entry->hinted);
  TREE_TYPE (decl) = type_with_hint (TREE_TYPE (placeholder));
  DECL_ARGUMENTS (decl) = NULL_TREE;
  DECL_ATTRIBUTES (decl) = NULL_TREE;
  DECL_VISIBILITY (decl) = VISIBILITY_DEFAULT;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  cgraph_node::get_create (decl);
  return decl;
}

/* Replace the call of a placeholder at GSI.  */
static void
rewrite_call (gimple_stmt_iterator *gsi)
{
  gcall *call = as_a<gcall *> (gsi_stmt (*gsi));
  tree placeholder = gimple_call_fndecl (call);
  const allocator *entry = find_allocator (placeholder);
  tree decl = hinted_decl (entry, placeholder);
  auto_vec<tree> values;

  if (!entry->is_new && !called_of_c.contains (entry))
    called_of_c.safe_push (entry);

  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    values.safe_push (gimple_call_arg (call, i));
  values.safe_push (build_int_cst (integer_type_node,
				      hint_of_placeholder (placeholder)));
  gcall *hinted = gimple_build_call_vec (decl, values);
  gimple_call_set_fntype (hinted, type_with_hint (TREE_TYPE (placeholder)));
  gimple_call_set_lhs (hinted, gimple_call_lhs (call));
  gimple_set_location (hinted, gimple_location (call));
  gimple_call_set_nothrow (hinted, gimple_call_nothrow_p (call));
  gimple_call_set_from_new_or_delete
    (hinted, gimple_call_from_new_or_delete (call));
  gimple_move_vops (hinted, call);
  gsi_replace (gsi, hinted, true);
}

/* Replace the calls of placeholders in FUN.  */
static void
rewrite_function (function *fun)
{
  basic_block block;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi));
	tree decl = call ? gimple_call_fndecl (call) : NULL_TREE;
	if (decl && hint_of_placeholder (decl) >= 0)
	  rewrite_call (&gsi);
      }
}

static const pass_data pass_data_hint_calls = {
  GIMPLE_PASS,
  "heapprof-hint",
  OPTGROUP_OTHER,
  TV_NONE,
  PROP_cfg | PROP_ssa,
  0, 0, 0, 0
};

class pass_hint_calls : public gimple_opt_pass
{
public:
  pass_hint_calls (gcc::context *context)
    : gimple_opt_pass (pass_data_hint_calls, context)
  {}

  bool gate (function *) final override { return !seen_error (); }
  unsigned int execute (function *fun) final override
  {
    if (dump_file)
      use_dump_function (dump_file, &dump, fun);
    rewrite_function (fun);
    return 0;
  }

private:
  use_dump dump = {};
};

/* Without a library that has these functions, the linker shall name one symbol,
   which says what to add.  A program that has some of them itself has that
   symbol, too.  */
static void
finish_unit (void *, void *)
{
  if (!asm_out_file || seen_error () || called_of_c.is_empty ())
    return;
  asm_initialiser (HEAPPROF_SYMBOL_HINT_START, false);
  for (const allocator *entry : called_of_c)
    {
      cgraph_node *node = find_function (entry->hinted);
      if (!node || !node->definition)
	fprintf (asm_out_file, "\t.weak\t%s\n", entry->hinted);
    }
}

void
hint_call_register (const char *plugin_name)
{
  register_pass_info info = { new pass_hint_calls (g), "adjust_alignment", 1,
			      PASS_POS_INSERT_BEFORE };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  register_callback (plugin_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
}
