/* Separation of allocation contexts by cloning functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   An allocation call may have contexts of several classes, here cold ones that
   come from slow and hot ones that come from fast:

     slow --1--> make --2--> operator new	2: cold from 1, hot from 3
     fast --3--> make

   The function that contains the call is cloned, and the calls on the contexts
   of the other class are redirected to the clone:

     slow --1--> make.heapprof.1 --2'--> operator new (cold)
     fast --3--> make            --2---> operator new (hot)

   If contexts of both classes come through a call of that function, the caller
   is cloned first, so cloning starts at the outermost function whose contexts
   are mixed.  If the unit would grow too much, only wrappers
   (allocation-wrapper.h) are cloned, for those of their callers whose contexts
   agree.  The result is then read from the new graph: a call gets a hint if all
   contexts that can reach it agree.  A missing clone costs a hint, but never
   makes one wrong.

   The original keeps the class of unknown callers; without any, preferably not
   cold.  The functions of a circle (context-graph.h), or a function that calls
   itself, count as one place in a context, however often they recurse: they are
   cloned together, and the clones call each other.  */

#include "gcc-compat.h"
#include "allocation-wrapper.h"
#include "context-clone.h"
#include "context-copies.h"
#include "context-graph.h"
#include "context-promote.h"
#include "function-clones.h"
#include "hint-placeholder.h"

/* Which functions may be cloned.  */
enum clone_extent
{
  CLONE_ALL,
  CLONE_WRAPPERS
};

/* An allocation whose contexts disagree.  */
struct mixed_allocation
{
  heap_allocation *allocation;
  HOST_WIDE_INT cost;
  uint64_t bytes;
  /* Preserves the order of the graph among equals.  */
  unsigned index;
};

/* Return the class that stays with the original of a function with callers
   FOUND.  */
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
  /* Hot only, or hot and cold.  */
  if ((classes & ~(1u << HINT_COLD)) == 1u << HINT_HOT)
    return HINT_HOT;
  return HINT_NOT_COLD;
}

/* Give the callers in FOUND that have only contexts of class HINT their own
   clones of MEMBERS, functions of a circle.  */
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

static void separate (cgraph_node *, const vec<context_place> &, clone_extent);

/* Separate PLACES, which come to NODE, as far as cloning its callers
   allows.  */
static void
separate_callers (cgraph_node *node, const vec<context_place> &places,
		  clone_extent extent)
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
	    separate (group.call->caller, group.places, extent);
	    again = true;
	    break;
	  }
    }
}

/* Clone NODE, and the functions of its circle on the way, for the callers in
   FOUND through which the PLACES of class HINT come.  */
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

/* If the unknown callers of NODE that PLACES come from have several classes,
   make more of them known by promoting calls.  */
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
separate (cgraph_node *node, const vec<context_place> &places,
	  clone_extent extent)
{
  static const hint_class classes[] = { HINT_COLD, HINT_HOT, HINT_NOT_COLD };
  auto_vec<cgraph_node *, 1> only_node;

  if (extent == CLONE_WRAPPERS
      && allocation_wrapper_kind (node->decl) == WRAPPER_NONE)
    return;
  only_node.quick_push (node);
  if (function_clones_obstacle (only_node))
    return;
  know_callers (node, places);
  separate_callers (node, places, extent);
  context_groups found;
  context_graph_callers (node, places, &found);
  hint_class kept = class_to_keep (found);
  for (hint_class hint : classes)
    if (hint != kept)
      separate_class (node, places, found, hint);
}

/* Add to PLACES, unless NULL, the contexts of ALLOCATION that can come to NODE,
   the caller of one of its calls.  Return their classes.  */
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

/* Return the number of classes in CLASSES.  */
static unsigned
n_classes (unsigned classes)
{
  return popcount_hwi (classes);
}

/* Return the cost in instructions of separating PLACES, of CLASSES, at NODE.
   An estimate: it ignores copies of calls and functions that cannot be
   cloned.  */
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

/* Return the cost of separating the contexts of all calls of ALLOCATION.  */
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

/* Cheapest first; among equals, the one with more bytes first.  */
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

/* Separate the contexts of ALLOCATION by cloning functions of EXTENT.  */
static void
separate_allocation (const heap_allocation *allocation, clone_extent extent)
{
  /* Clones add calls, but the contexts of these agree already.  */
  unsigned n = allocation->calls.length ();

  for (unsigned i = 0; i < n; i++)
    {
      auto_vec<context_place> places;
      cgraph_node *node = allocation->calls[i]->caller;
      if (classes_disagree_p (places_at (node, allocation, &places)))
	separate (node, places, extent);
    }
}

/* Separate the contexts of all allocations, cheapest first, within the growth
   limit.  */
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
      separate_allocation (next.allocation, CLONE_ALL);
    else
      {
	separate_allocation (next.allocation, CLONE_WRAPPERS);
	function_clones_limit ();
	if (dump_file)
	  fprintf (dump_file,
		   "%s:%d:%d: %s: not cloned: the unit would grow too"
		   " much\n",
		   next.allocation->file, next.allocation->line,
		   next.allocation->column, next.allocation->function);
      }
}

/* True if a call's token tells the class of any of PLACES.  */
static bool
any_by_token_p (const vec<context_place> &places)
{
  for (const context_place &place : places)
    if (place.context->by_token)
      return true;
  return false;
}

/* Return the hint for a call that PLACES, with CLASSES, come to; 0 for none. */
static int
hint_for (const vec<context_place> &places, unsigned classes)
{
  if (!classes)
    return 0;
  if (classes_disagree_p (classes))
    return any_by_token_p (places) ? HINT_VALUE_BY_TOKEN : HINT_VALUE_AMBIGUOUS;
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
      auto_vec<context_place> places;
      if (classes_disagree_p (classes))
	classes = places_at (call->caller, allocation, &places);
      int hint = hint_for (places, classes);
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
