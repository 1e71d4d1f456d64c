/* Promotion of calls through pointers whose targets are known from contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   In a context, the frame outside that of a function is the call that called
   it, even if the profile does not record the callees of calls.  Where contexts
   of several classes come to a function through pointers, such a call

     p = pointer (8)

   gets a direct call next to it (speculative-call.h), which can call a clone of
   make.  GCC may remove it again, so contexts that come through it may also
   come to the original, which is then ambiguous.  */

#include "gcc-compat.h"
#include "context-promote.h"
#include "speculative-call.h"

/* The maximum number of direct calls for a call through a pointer.  */
static const unsigned most_targets = 2;

/* Give CALL, through a pointer, a direct call of TARGET.  */
static void
promote (cgraph_edge *call, cgraph_node *target)
{
  call_facts facts = *call_facts_get (call);

  for (cgraph_edge *made = speculative_call_first (call); made;
       made = made->next_speculative_call_target ())
    if (context_graph_versions (context_graph_callee (made))
	== context_graph_versions (target))
      return;
  if (speculative_call_count (call) >= most_targets)
    return;
  cgraph_edge *direct
    = speculative_call_add (call, target, call->count.apply_scale (4, 10));
  if (!call_facts_get (direct))
    {
      call_facts *copy = call_facts_new (direct, facts.n_ids);
      memcpy (copy->ids, facts.ids, facts.n_ids * sizeof *facts.ids);
      context_graph_add_call (direct, copy);
    }
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
