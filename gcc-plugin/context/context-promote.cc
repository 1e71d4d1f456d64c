/* Promotion of calls through pointers whose targets are known from contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   In a context, the frame outside that of a function is the call that called
   it, even if the profile does not record the callees of calls.  Where contexts
   of several classes come to a function through pointers, such a call

     p = pointer (8)

   gets a direct call next to it,

     p = pointer == make ? make (8) : pointer (8)

   which can call a clone of make.  GCC calls this a speculative edge: its own
   code inserts the comparison, or removes the edge if it calls the original or
   if the call is not hot enough for a comparison.  So contexts that come
   through the edge may also come to the original, which is then ambiguous.  */

#include "gcc-compat.h"
#include "context-promote.h"

/* The maximum number of direct calls for a call through a pointer.  */
static const unsigned most_targets = 2;

/* Move DIRECT, the newest call in its function, before FIRST: GCC expects the
   direct calls for one call through a pointer next to each other.  */
static void
move_before (cgraph_edge *direct, cgraph_edge *first)
{
  cgraph_node *caller = direct->caller;

  caller->callees = direct->next_callee;
  caller->callees->prev_callee = NULL;
  direct->prev_callee = first->prev_callee;
  direct->next_callee = first;
  if (first->prev_callee)
    first->prev_callee->next_callee = direct;
  else
    caller->callees = direct;
  first->prev_callee = direct;
}

/* Give CALL, through a pointer, a direct call of TARGET.  */
static void
promote (cgraph_edge *call, cgraph_node *target)
{
  call_facts facts = *call_facts_get (call);
  unsigned n = call->speculative ? call->num_speculative_call_targets_p () : 0;
  cgraph_edge *first = n ? call->first_speculative_call_target () : NULL;

  for (cgraph_edge *made = first; made;
       made = made->next_speculative_call_target ())
    if (context_graph_versions (context_graph_callee (made))
	== context_graph_versions (target))
      return;
  if (n >= most_targets)
    return;
  cgraph_edge *direct
    = call->make_speculative (target, call->count.apply_scale (4, 10), n);
  if (first)
    move_before (direct, first);
  if (!call_facts_get (direct))
    {
      call_facts *copy = call_facts_new (direct, facts.n_ids);
      memcpy (copy->ids, facts.ids, facts.n_ids * sizeof *facts.ids);
      context_graph_add_call (direct, copy);
    }
  if (ipa_fn_summaries && ipa_fn_summaries->get (call->caller))
    ipa_update_overall_fn_summary (call->caller);
  if (dump_file)
    fprintf (dump_file, "%s may call %s through a pointer\n",
	     call->caller->dump_name (), target->dump_name ());
}

void
context_promote (const context_groups &found)
{
  for (const context_arrival &arrival : found.unknown)
    {
      auto_vec<cgraph_edge *> calls;
      if (arrival.node->get_availability () <= AVAIL_INTERPOSABLE)
	continue;
      context_graph_indirect_calls (arrival.place, &calls);
      for (cgraph_edge *call : calls)
	promote (call, arrival.node);
    }
}
