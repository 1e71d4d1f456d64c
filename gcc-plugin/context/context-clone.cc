/* Telling the contexts of allocations apart by cloning functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   An allocation call may have contexts of several classes, here cold ones that
   come through slow and hot ones that come through fast:

     slow --1--> make --2--> operator new	2: cold from 1, hot from 3
     fast --3--> make

   The function with the call is cloned, and the calls through which contexts
   of the other class come are redirected to the clone:

     slow --1--> make.heapprof.1 --2'--> operator new (cold)
     fast --3--> make            --2---> operator new (hot)

   A call that has contexts of both itself has its own function cloned first, so
   this starts as far outside as contexts are still mixed.  What came of it is
   then read off the new graph: a call gets a hint if the contexts that can come
   to it agree.  A clone too few costs a hint; no hint can be wrong by it.

   The original keeps the class of callers that are not known, and is rather
   not cold.  Functions that call each other in a circle, or one that calls
   itself, are one place in a context, however often they do so: they are cloned
   together, and the clones call each other.  */

#include "gcc-compat.h"
#include "context-clone.h"
#include "context-copies.h"
#include "context-graph.h"
#include "context-promote.h"
#include "function-clones.h"
#include "hint-placeholder.h"

/* An allocation whose contexts disagree.  */
struct mixed_allocation
{
  heap_allocation *allocation;
  HOST_WIDE_INT cost;
  uint64_t bytes;
  /* Keeps the order of the graph where the rest is equal.  */
  unsigned index;
};

/* The class that stays with the original of a function with callers FOUND.  */
static hint_class
class_to_keep (const context_groups &found)
{
  unsigned classes = 0;
  bool mixed = false;

  for (const context_group &group : found.groups)
    if (classes_disagree_p (group.classes)
	|| !function_clones_may_redirect_p (group.call))
      mixed = true;
    else
      classes |= group.classes;
  if (found.unknown_classes)
    classes = mixed ? 0 : found.unknown_classes;
  else if (mixed)
    classes = 0;
  if (classes == 1u << HINT_COLD)
    return HINT_COLD;
  /* Hot alone, or with cold.  */
  if ((classes & ~(1u << HINT_COLD)) == 1u << HINT_HOT)
    return HINT_HOT;
  return HINT_NOT_COLD;
}

/* Give the callers in FOUND that have contexts of class HINT alone clones of
   MEMBERS, functions of a circle, of their own.  */
static void
clone_for_class (const vec<cgraph_node *> &members, const context_groups &found,
		 hint_class hint)
{
  auto_vec<cgraph_edge *> calls;

  for (const context_group &group : found.groups)
    if (group.classes == 1u << hint
	&& function_clones_may_redirect_p (group.call))
      calls.safe_push (group.call);
  if (!calls.is_empty ())
    function_clones_make (members, calls);
}

static void separate (cgraph_node *, const vec<context_place> &);

/* Tell PLACES, which come to NODE, apart as far as that can be done in its
   callers.  */
static void
separate_callers (cgraph_node *node, const vec<context_place> &places)
{
  hash_set<cgraph_edge *> done;
  bool again = true;

  while (again)
    {
      context_groups found;
      again = false;
      context_graph_callers (node, places, &found);
      for (const context_group &group : found.groups)
	if (classes_disagree_p (group.classes) && !done.add (group.call))
	  {
	    separate (group.call->caller, group.places);
	    again = true;
	    break;
	  }
    }
}

/* Clone NODE for the callers in FOUND that have those of PLACES that are of
   class HINT, and what is on the way of these in its circle.  */
static void
separate_class (cgraph_node *node, const vec<context_place> &places,
		const context_groups &found, hint_class hint)
{
  auto_vec<context_place> places_of_class;
  context_groups of_class;

  for (context_place place : places)
    if (place.context->hint == hint)
      places_of_class.safe_push (place);
  context_graph_callers (node, places_of_class, &of_class);
  if (!of_class.members.is_empty ()
      && !function_clones_obstacle (of_class.members))
    clone_for_class (of_class.members, found, hint);
}

/* Know more of the callers of NODE that PLACES come from, where the unknown
   ones are of several classes.  */
static void
know_callers (cgraph_node *node, const vec<context_place> &places)
{
  context_groups found;

  context_graph_callers (node, places, &found);
  if (classes_disagree_p (found.unknown_classes))
    context_promote (found);
}

/* Clone NODE, and callers of it, so that each class in PLACES, which come to
   NODE, has its own function.  */
static void
separate (cgraph_node *node, const vec<context_place> &places)
{
  static const hint_class classes[] = { HINT_COLD, HINT_HOT, HINT_NOT_COLD };
  auto_vec<cgraph_node *, 1> only_node;

  only_node.quick_push (node);
  if (function_clones_obstacle (only_node))
    return;
  know_callers (node, places);
  separate_callers (node, places);
  context_groups found;
  context_graph_callers (node, places, &found);
  hint_class kept = class_to_keep (found);
  for (hint_class hint : classes)
    if (hint != kept)
      separate_class (node, places, found, hint);
}

/* Fill in PLACES with the contexts of ALLOCATION that can come to NODE, the
   caller of one of its calls.  Return their classes.  */
static unsigned
places_at (cgraph_node *node, const heap_allocation *allocation,
	   vec<context_place> *places)
{
  unsigned classes = 0;

  for (const heap_context &context : allocation->contexts)
    {
      context_place place = { &context, 0 };
      if (!context_graph_reaches (node, place))
	continue;
      if (places)
	places->safe_push (place);
      classes |= 1u << context.hint;
    }
  return classes;
}

/* The number of classes in CLASSES.  */
static unsigned
n_classes (unsigned classes)
{
  return popcount_hwi (classes);
}

/* What telling apart PLACES, of CLASSES, at NODE costs, in instructions; about,
   since copies of calls and refusals are left out.  */
static HOST_WIDE_INT
cost_of (cgraph_node *node, const vec<context_place> &places, unsigned classes)
{
  if (!classes_disagree_p (classes) || !function_clones_possible_p (node))
    return 0;
  context_groups found;
  context_graph_callers (node, places, &found);
  HOST_WIDE_INT cost
    = function_clones_size (found.members) * (n_classes (classes) - 1);
  for (const context_group &group : found.groups)
    cost += cost_of (group.call->caller, group.places, group.classes);
  return cost;
}

/* The same for all calls of ALLOCATION.  */
static HOST_WIDE_INT
cost_of_allocation (const heap_allocation *allocation)
{
  HOST_WIDE_INT cost = 0;

  for (cgraph_edge *call : allocation->calls)
    {
      auto_vec<context_place> places;
      unsigned classes = places_at (call->caller, allocation, &places);
      cost += cost_of (call->caller, places, classes);
    }
  return cost;
}

/* The cheapest first, of equal ones that with more bytes.  */
static int
compare_mixed (const void *a, const void *b)
{
  const mixed_allocation *x = (const mixed_allocation *) a;
  const mixed_allocation *y = (const mixed_allocation *) b;

  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Tell the contexts of ALLOCATION apart.  */
static void
separate_allocation (const heap_allocation *allocation)
{
  /* Clones add calls, whose contexts agree then.  */
  unsigned n = allocation->calls.length ();

  for (unsigned i = 0; i < n; i++)
    {
      auto_vec<context_place> places;
      cgraph_node *node = allocation->calls[i]->caller;
      if (classes_disagree_p (places_at (node, allocation, &places)))
	separate (node, places);
    }
}

/* Tell the contexts of all allocations apart for which there is room.  */
static void
separate_all (void)
{
  auto_vec<mixed_allocation> mixed;

  for (heap_allocation *allocation : context_graph_allocations ())
    if (classes_disagree_p (heap_allocation_classes (allocation)))
      {
	mixed_allocation added
	  = { allocation, cost_of_allocation (allocation), 0, mixed.length () };
	for (const heap_context &context : allocation->contexts)
	  added.bytes += context.bytes;
	mixed.safe_push (added);
      }
  mixed.qsort (compare_mixed);
  for (const mixed_allocation &next : mixed)
    if (next.cost <= function_clones_growth_left ())
      separate_allocation (next.allocation);
    else if (dump_file)
      fprintf (dump_file,
	       "%s:%d:%d: %s: not cloned: the unit would grow too"
	       " much\n",
	       next.allocation->file, next.allocation->line,
	       next.allocation->column, next.allocation->function);
}

/* The hint for a call whose contexts have CLASSES; 0 is none.  */
static int
hint_for (unsigned classes)
{
  if (!classes)
    return 0;
  if (classes_disagree_p (classes))
    return HINT_VALUE_AMBIGUOUS;
  return use_hint_value (static_cast<hint_class> (exact_log2 (classes)));
}

/* Give the calls of ALLOCATION their hints.  */
static void
hint_allocation (const heap_allocation *allocation)
{
  unsigned all_classes = heap_allocation_classes (allocation);

  for (cgraph_edge *call : allocation->calls)
    {
      unsigned classes = all_classes;
      if (classes_disagree_p (classes))
	classes = places_at (call->caller, allocation, NULL);
      int hint = hint_for (classes);
      if (dump_file)
	fprintf (dump_file, "%s:%d:%d: %s: hint %d in %s\n", allocation->file,
		 allocation->line, allocation->column, allocation->function,
		 hint, call->caller->dump_name ());
      if (hint)
	hint_redirect_call (call, hint);
    }
}

void
context_clone (void)
{
  function_clones_start ();
  context_copies_share_out ();
  separate_all ();
  for (heap_allocation *allocation : context_graph_allocations ())
    hint_allocation (allocation);
  function_clones_finish ();
}
