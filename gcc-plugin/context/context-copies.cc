/* Assignment of contexts to the copies of an allocation call.
   SPDX-License-Identifier: GPL-3.0-or-later

   If make was inlined into fast, but not into slow, there are two copies of the
   call of the allocation function:

     fast --> operator new		ids: of the calls in make, fast
     slow --> make --> operator new	ids: of the call in make

   The context of fast begins with both ids and belongs to the first copy: no
   call in fast leads to make any more.  A single copy does not show that,
   because a call through a pointer or from another unit is missing from the
   graph just like a call that was inlined.  So each context is assigned to the
   copies that account for most of its callers.  A copy that would be left
   without contexts keeps all of them: its callers are not understood.  */

#include "gcc-compat.h"
#include "context-copies.h"
#include "context-graph.h"

/* The number of callers that the best copy accounts for, by the hash of the
   complete context.  */
typedef hash_map<int_hash<uint64_t, 0, 1>, unsigned> best_depths;

/* Return a key for CONTEXT of the allocation call that has FACTS.  It is the
   same for each copy of the call.  */
static uint64_t
key_of (const call_facts *facts, const heap_context &context)
{
  return call_facts_context_key (facts->ids, facts->n_ids, context.callers,
				 context.length);
}

/* Return the number of entries of CONTEXT that the call of ALLOCATION accounts
   for.  */
static unsigned
depth_of (const heap_allocation *allocation, const heap_context &context)
{
  cgraph_edge *call = allocation->calls[0];
  context_place place = { &context, 0 };

  return (call_facts_get (call)->n_ids
	  + context_graph_depth (call->caller, place));
}

/* Remove the contexts of ALLOCATION for which another copy accounts for more
   entries, unless that would remove all of them.  */
static void
remove_foreign (heap_allocation *allocation, best_depths *best)
{
  const call_facts *facts = call_facts_get (allocation->calls[0]);
  auto_vec<heap_context> kept;

  for (const heap_context &context : allocation->contexts)
    if (depth_of (allocation, context) == *best->get (key_of (facts, context)))
      kept.safe_push (context);
  if (kept.is_empty ())
    {
      allocation->is_spare = true;
      return;
    }
  allocation->contexts.truncate (0);
  allocation->contexts.safe_splice (kept);
}

void
context_copies_share_out (void)
{
  best_depths best;

  for (const heap_allocation *allocation : context_graph_allocations ())
    for (const heap_context &context : allocation->contexts)
      {
	const call_facts *facts = call_facts_get (allocation->calls[0]);
	unsigned &depth = best.get_or_insert (key_of (facts, context));
	depth = MAX (depth, depth_of (allocation, context));
      }
  for (heap_allocation *allocation : context_graph_allocations ())
    remove_foreign (allocation, &best);
}
