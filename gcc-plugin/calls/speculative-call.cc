/* Direct calls next to calls through pointers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "speculative-call.h"

unsigned
speculative_call_count (cgraph_edge *call)
{
  return call->speculative ? call->num_speculative_call_targets_p () : 0;
}

cgraph_edge *
speculative_call_first (cgraph_edge *call)
{
  return speculative_call_count (call) ? call->first_speculative_call_target ()
				       : NULL;
}

/* Return a number that no direct call from FIRST on has.  */
static unsigned
unused_id (cgraph_edge *first)
{
  unsigned id = 0;

  for (cgraph_edge *made = first; made;
       made = made->next_speculative_call_target ())
    id = MAX (id, made->speculative_id + 1u);
  return id;
}

/* Move DIRECT, the newest call in its function, to its place among those from
   FIRST on: GCC expects the direct calls for one call through a pointer next to
   each other, and makes their comparisons in this order.  */
static void
move_to_place (cgraph_edge *direct, cgraph_edge *first)
{
  cgraph_node *caller = direct->caller;
  cgraph_edge *before = first, *after = first->prev_callee;

  while (before && !(direct->count > before->count))
    {
      after = before;
      before = before->next_speculative_call_target ();
    }
  if (after == direct)
    return;
  if (!before)
    before = after->next_callee;
  caller->callees = direct->next_callee;
  caller->callees->prev_callee = NULL;
  direct->prev_callee = after;
  direct->next_callee = before;
  after->next_callee = direct;
  if (before)
    before->prev_callee = direct;
}

cgraph_edge *
speculative_call_add (cgraph_edge *call, cgraph_node *target,
		      profile_count count)
{
  cgraph_edge *first = speculative_call_first (call);
  cgraph_edge *direct
    = call->make_speculative (target, count, unused_id (first));

  if (first)
    move_to_place (direct, first);
  if (ipa_fn_summaries && ipa_fn_summaries->get (call->caller))
    ipa_update_overall_fn_summary (call->caller);
  return direct;
}

void
speculative_calls_sort (cgraph_edge *call)
{
  auto_vec<cgraph_edge *> sorted;
  cgraph_edge *first = speculative_call_first (call);

  if (!first)
    return;
  cgraph_edge *before = first->prev_callee, *after = NULL;
  for (cgraph_edge *made = first; made;
       made = made->next_speculative_call_target ())
    {
      unsigned place = sorted.length ();
      while (place > 0 && made->count > sorted[place - 1]->count)
	place--;
      sorted.safe_insert (place, made);
      after = made->next_callee;
    }
  for (cgraph_edge *made : sorted)
    {
      made->prev_callee = before;
      if (before)
	before->next_callee = made;
      else
	call->caller->callees = made;
      before = made;
    }
  before->next_callee = after;
  if (after)
    after->prev_callee = before;
}
