/* Which copy of an allocation call a context comes to.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where make was inlined into fast, but not into slow, there are two copies of
   the call of the allocation function:

     fast --> operator new		ids: of the call in make, of that in
   fast slow --> make --> operator new	ids: of the call in make

   The context of fast begins with the ids of both.  It comes to the first: no
   call in fast leads to make any more.  A call through a pointer, or from
   another unit, is not known either, and so cannot be told from one that was
   inlined by looking at a single copy.  So each context is given to the copies
   that account for most of its callers.  A copy that would be left with none
   keeps all: something calls it that is not understood.  */

#include "gcc-compat.h"
#include "context-copies.h"
#include "context-graph.h"

/* The number of callers that the best copy accounts for, by the hash of the
   whole context.  */
typedef hash_map<int_hash<uint64_t, 0, 1>, unsigned> best_depths;

/* HASH with the N IDS added.  */
static uint64_t
hash_ids (uint64_t hash, const uint64_t *ids, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    {
      hash = (hash ^ ids[i]) * UINT64_C (0x9e3779b97f4a7c15);
      hash ^= hash >> 32;
    }
  return hash;
}

/* A key for CONTEXT of the allocation call that has FACTS, the same for each
   copy of the call.  */
static uint64_t
key_of (const call_facts *facts, const heap_context &context)
{
  uint64_t hash
    = hash_ids (facts->n_ids + context.length, facts->ids, facts->n_ids);

  hash = hash_ids (hash, context.callers, context.length);
  /* 0 and 1 mark what is empty and deleted.  */
  return hash < 2 ? hash + 2 : hash;
}

/* How many entries of CONTEXT the call of ALLOCATION accounts for.  */
static unsigned
depth_of (const heap_allocation *allocation, const heap_context &context)
{
  cgraph_edge *call = allocation->calls[0];
  context_place place = { &context, 0 };

  return (call_facts_get (call)->n_ids
	  + context_graph_depth (call->caller, place));
}

/* Remove the contexts of ALLOCATION of which another copy accounts for more,
   unless that is true for all.  */
static void
remove_foreign (heap_allocation *allocation, best_depths *best)
{
  const call_facts *facts = call_facts_get (allocation->calls[0]);
  auto_vec<heap_context> kept;

  for (const heap_context &context : allocation->contexts)
    if (depth_of (allocation, context) == *best->get (key_of (facts, context)))
      kept.safe_push (context);
  if (kept.is_empty ())
    return;
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
