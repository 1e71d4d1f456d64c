/* Allocation calls that carry a hint: the pass that replaces placeholders by
   calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   After all inlining, it replaces

     p = heapprof.hint.1._Znwm (40)		by
     p = _Znwm12__hot_cold_t (40, 1)

   The hint is passed as an int.  The parameter of the operators is an 8-bit
   enumeration, but callees compiled by some compilers read all 32 bits.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "asm-section.h"
#include "context-token.h"
#include "hint-call.h"
#include "hint-placeholder.h"
#include "use-call.h"
#include "use-dump.h"
#include "use-frame.h"

/* Return the type of the function TYPE with one more argument, an int.  */
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

/* The hinted functions of C that this assembler file calls.  finish_unit
   excludes those that it defines itself.  */
static auto_vec<const hint_allocator *> called_of_c;

/* Return the declaration of ENTRY's hinted function, which PLACEHOLDER stands
   for.  */
static tree
hinted_decl (const hint_allocator *entry, tree placeholder)
{
  if (cgraph_node *node = hint_find_function (entry->hinted))
    return node->decl;
  tree decl = hint_copy_as_external (placeholder, entry->hinted);
  TREE_TYPE (decl) = type_with_hint (TREE_TYPE (placeholder));
  DECL_ARGUMENTS (decl) = NULL_TREE;
  DECL_ATTRIBUTES (decl) = NULL_TREE;
  DECL_VISIBILITY (decl) = VISIBILITY_DEFAULT;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  cgraph_node::get_create (decl);
  return decl;
}

unsigned
hint_call_group (const gcall *call, tree function, tree placeholder)
{
  auto_vec<use_place> places;

  if (hint_find_allocator (placeholder)->is_new
      || hint_of_placeholder (placeholder) != use_hint_value (HINT_HOT))
    return 0;
  use_call_places (call, function, &places);
  return use_frame_group (places[0].function, places[0].location);
}

/* Replace the call of a placeholder at GSI.  */
static void
rewrite_call (gimple_stmt_iterator *gsi)
{
  gcall *call = as_a<gcall *> (gsi_stmt (*gsi));
  tree placeholder = gimple_call_fndecl (call);
  const hint_allocator *entry = hint_find_allocator (placeholder);
  tree decl = hinted_decl (entry, placeholder);
  auto_vec<tree> values;

  if (!entry->is_new && !called_of_c.contains (entry))
    called_of_c.safe_push (entry);

  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    values.safe_push (gimple_call_arg (call, i));
  const int hint = hint_of_placeholder (placeholder);
  const unsigned group
    = hint_call_group (call, current_function_decl, placeholder);
  values.safe_push (hint == HINT_VALUE_BY_TOKEN
		      ? context_token_hint (gsi)
		      : build_int_cst (integer_type_node, hint | group << 8));
  gcall *hinted = gimple_build_call_vec (decl, values);
  gimple_call_set_fntype (hinted, type_with_hint (TREE_TYPE (placeholder)));
  gimple_call_set_lhs (hinted, gimple_call_lhs (call));
  gimple_set_location (hinted, gimple_location (call));
  gimple_call_set_nothrow (hinted, gimple_call_nothrow_p (call));
  gimple_call_set_from_new_or_delete (hinted,
				      gimple_call_from_new_or_delete (call));
  gimple_move_vops (hinted, call);
  gsi_replace (gsi, hinted, true);
}

/* Replace the calls of placeholders in FUN.  Return GCC's TODO flags.  */
static unsigned
rewrite_function (function *fun)
{
  basic_block block;
  unsigned todo = 0;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi));
	tree decl = call ? gimple_call_fndecl (call) : NULL_TREE;
	const int hint = decl ? hint_of_placeholder (decl) : -1;
	if (hint < 0)
	  continue;
	rewrite_call (&gsi);
	if (hint == HINT_VALUE_BY_TOKEN)
	  todo = TODO_update_ssa_only_virtuals;
      }
  return todo;
}

static const pass_data pass_data_hint_calls = { GIMPLE_PASS,
						"heapprof-hint",
						OPTGROUP_OTHER,
						TV_NONE,
						PROP_cfg | PROP_ssa,
						0,
						0,
						0,
						0 };

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
    unsigned todo = context_token_set (fun);
    return todo | rewrite_function (fun);
  }

private:
  use_dump dump = {};
};

/* If no library with these functions is linked, the linker reports a single
   symbol, whose name tells what to add.  A program that defines some of these
   functions itself needs that symbol, too.  */
static void
finish_unit (void *, void *)
{
  if (!asm_out_file || seen_error ())
    return;
  context_token_finish ();
  if (called_of_c.is_empty ())
    return;
  asm_initialiser (HEAPPROF_SYMBOL_HINT_START, false);
  for (const hint_allocator *entry : called_of_c)
    {
      cgraph_node *node = hint_find_function (entry->hinted);
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
