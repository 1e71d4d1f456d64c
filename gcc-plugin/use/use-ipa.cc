/* The pass that decides on the hints of allocations.
   SPDX-License-Identifier: GPL-3.0-or-later

   It is a regular IPA pass that runs before identical functions are merged,
   because merging combines functions that differ only in their contexts.
   Without LTO it does all its work at once.  With LTO, the compilation of a
   unit writes the heap profile data of calls to the object, and the link
   decides for the whole program.  No function bodies are needed for that, so
   decisions do not depend on how the program is partitioned.  */

#include "gcc-compat.h"
#include "allocation-wrapper.h"
#include "arguments.h"
#include "call-facts.h"
#include "context-clone.h"
#include "context-graph.h"
#include "hint-placeholder.h"
#include "remark-lines.h"
#include "use-frame.h"
#include "use-ipa.h"
#include "use-remarks.h"
#include "use-stream.h"

/* Set the source place in ALLOCATION to that of CALL, which is now in the
   function DECL.  */
static void
set_place (heap_allocation *allocation, const gcall *call, tree decl)
{
  expanded_location at = expand_location (gimple_location (call));
  const char *file = at.file ? at.file : "";
  auto_vec<tree> functions;

  use_call_functions (call, decl, &functions);
  char *inlined_into = remark_outer_names (functions);
  const char *name = use_linkage_name (functions[0]);
  allocation->function = call_facts_text (name, strlen (name));
  allocation->inlined_into
    = call_facts_text (inlined_into, strlen (inlined_into));
  allocation->file = call_facts_text (file, strlen (file));
  allocation->line = at.line;
  allocation->column = at.column;
  free (inlined_into);
}

/* Make CALL, with FACTS, in the function DECL an allocation with the contexts
   in USE.  */
static void
add_allocation (call_facts *facts, const use_call &use, tree decl,
		const gcall *call)
{
  heap_allocation *allocation = call_facts_add_allocation (facts);

  set_place (allocation, call, decl);
  allocation->is_fitted = use_frame_fitted_p (use.ids[0]);
  for (const use_context &from : use.contexts)
    {
      heap_context *context
	= call_facts_add_context (allocation, from.callers.length ());
      for (unsigned i = 0; i < context->length; i++)
	context->callers[i] = from.callers[i];
      context->hint = from.hint == HINT_NONE ? HINT_NOT_COLD : from.hint;
      context->by_token = from.by_token;
      context->count = from.count;
      context->bytes = from.bytes;
    }
}

/* Add facts of CALL, whose frames are IDS.  */
static call_facts *
add_facts (cgraph_edge *call, const vec<uint64_t> &ids)
{
  call_facts *facts = call_facts_new (call, ids.length ());

  for (unsigned i = 0; i < facts->n_ids; i++)
    facts->ids[i] = ids[i];
  return facts;
}

/* A unit may have two declarations of an allocation function, GCC's and its
   own, but a placeholder stands for one.  Let CALL call the same one as other
   calls.  */
static void
use_one_declaration (cgraph_edge *call)
{
  cgraph_node *node
    = hint_find_function (hint_allocator_name (call->callee->decl));

  if (!node || node == call->callee)
    return;
  gimple_call_set_fndecl (call->call_stmt, node->decl);
  call->redirect_callee (node);
}

/* Collect the profile data of CALL.  */
static void
collect_call (cgraph_edge *call)
{
  use_call use;
  tree callee = call->callee ? call->callee->decl : NULL_TREE;

  if (!call->call_stmt
      || !use_call_read (call->call_stmt, call->caller->decl, &use))
    return;
  call_facts_start ();
  call_facts *facts = add_facts (call, use.ids);
  if (use.contexts.is_empty ())
    return;
  if (callee && hint_wanted_p (callee))
    {
      use_one_declaration (call);
      add_allocation (facts, use, call->caller->decl, call->call_stmt);
    }
  else if (callee && allocation_function_p (callee))
    use_remark_unwanted (call, use);
  else
    use_remark_unseen (call, use);
}

/* True if CALL is of a function that was part of its caller when the profile
   was made.  */
static bool
former_part_p (cgraph_edge *call)
{
  auto_vec<use_place> places;

  if (!use_frame_any_none_p ())
    return false;
  use_call_places (call->call_stmt, call->caller->decl, &places);
  return use_frame_none_p (places[0].function, places[0].location);
}

/* Collect the callers of CALL if GCC made it, to continue in a part that it
   split off a function, or if the function was part of its caller.  Contexts go
   through it, but have no frame for it.  */
static void
collect_continuation (cgraph_edge *call)
{
  auto_vec<uint64_t> ids;

  if (!call->call_stmt || !(call->callee->split_part || former_part_p (call)))
    return;
  use_call_callers (call->call_stmt, call->caller->decl, &ids);
  add_facts (call, ids);
}

/* Collect the profile data of the calls in this unit.  */
static void
collect_calls (void)
{
  cgraph_node *node;

  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    {
      for (cgraph_edge *call = node->callees; call; call = call->next_callee)
	collect_call (call);
      for (cgraph_edge *call = node->indirect_calls; call;
	   call = call->next_callee)
	collect_call (call);
    }
  if (!call_facts_of_unit)
    return;
  allocation_wrappers_find ();
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    for (cgraph_edge *call = node->callees; call; call = call->next_callee)
      collect_continuation (call);
}

/* Give all allocations their hints.  */
static void
decide (void)
{
  context_graph_start ();
  context_clone ();
  for (const heap_allocation *allocation : context_graph_allocations ())
    use_remark_allocation (allocation);
  context_graph_finish ();
}

/* Prepare the current function for the comparisons that GCC inserts for its
   promoted calls.  They make dominance information invalid.  GCC frees it after
   that, but not at -O0, where it promotes no calls itself.  */
static unsigned int
free_dominance (cgraph_node *)
{
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  return 0;
}

static const pass_data pass_data_use
  = { IPA_PASS, "heapprof", OPTGROUP_OTHER, TV_NONE, 0, 0, 0, 0, 0 };

class pass_use : public ipa_opt_pass_d
{
public:
  pass_use (gcc::context *context)
    : ipa_opt_pass_d (pass_data_use, context, collect_calls, use_stream_write,
		      use_stream_read, NULL, hint_relate_placeholders, NULL, 0,
		      free_dominance, NULL)
  {}

  /* At the link, the objects determine whether there is a profile.  */
  bool gate (function *) final override
  {
    return (in_lto_p || arguments.use.file) && !seen_error ();
  }
  unsigned int execute (function *) final override
  {
    if (call_facts_of_unit)
      decide ();
    call_facts_finish ();
    return 0;
  }
};

void
use_ipa_register (const char *plugin_name)
{
  register_pass_info info
    = { new pass_use (g), "icf", 1, PASS_POS_INSERT_BEFORE };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}
