/* The call graph as seen by calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are lists of ids of stack entries, and calls have such ids.  So a
   context that has reached a function continues to the callers whose call has
   the next ids of the context.  If no call has them, the caller is unknown: it
   is in another unit, calls through a pointer, or the profile is stale.
   Unknown callers call the original of a function, never a clone.  Contexts
   contain no calls from a function to itself.

   Mutually recursive functions form a circle (a strongly connected component
   of the call graph).  A circle is one place for separating contexts: by the
   call that entered it, not by the calls inside it.  */

#ifndef HEAPPROF_CONTEXT_GRAPH_H
#define HEAPPROF_CONTEXT_GRAPH_H

#include "call-facts.h"

/* A function and its clones, which have the same code.  */
struct function_versions
{
  cgraph_node *original;
  vec<cgraph_node *> clones;
  /* The same number for all functions of a circle.  0 if in none, or without
     known callers.  */
  int circle;
};

/* A context and a position in it: its innermost AT callers have been
   passed.  */
struct context_place
{
  const heap_context *context;
  unsigned at;
};

/* The contexts that come through one call.  */
struct context_group
{
  cgraph_edge *call;
  vec<context_place> places;
  /* Their classes, as bits 1 << hint_class.  */
  unsigned classes;
};

/* A context that reached NODE from an unknown caller.  */
struct context_arrival
{
  cgraph_node *node;
  context_place place;
};

/* The calls through which contexts come to a function, in the order of the
   contexts.  For functions of a circle, the calls from outside the circle.  */
struct context_groups
{
  auto_vec<context_group> groups;
  /* The function, and the functions of its circle that the contexts pass
     through.  */
  auto_vec<cgraph_node *> members;
  hash_map<cgraph_edge *, unsigned> index_of_call;
  /* The contexts whose next caller is unknown, and their classes.  */
  auto_vec<context_arrival> unknown;
  unsigned unknown_classes = 0;

  ~context_groups ();
};

/* Build the graph.  Until context_graph_finish, it follows the clones that are
   made.  */
void context_graph_start (void);
void context_graph_finish (void);

/* Add CALL, a new copy of a call, which has FACTS.  */
void context_graph_add_call (cgraph_edge *call, call_facts *facts);

/* Return the allocations whose calls are in the graph, in its order.  */
const vec<heap_allocation *> &context_graph_allocations (void);

/* Return the function that CALL calls, directly or through an alias.  */
cgraph_node *context_graph_callee (cgraph_edge *call);

/* Return NODE with its clones.  */
function_versions *context_graph_versions (cgraph_node *node);

/* Record that CLONE was made from NODE.  */
void context_graph_add_clone (cgraph_node *node, cgraph_node *clone);

/* True if PLACE can come to NODE.  */
bool context_graph_reaches (cgraph_node *node, context_place place);

/* Fill in FOUND with the calls of NODE through which PLACES come.  */
void context_graph_callers (cgraph_node *node, const vec<context_place> &places,
			    context_groups *found);

/* Add to CALLS the calls through pointers that PLACE may come from.  */
void context_graph_indirect_calls (context_place place,
				   vec<cgraph_edge *> *calls);

/* Return how many callers of the context of PLACE, which is at NODE, have been
   passed or are known.  */
unsigned context_graph_depth (cgraph_node *node, context_place place);

/* True if CLASSES contains more than one class.  */
static inline bool
classes_disagree_p (unsigned classes)
{
  return (classes & (classes - 1)) != 0;
}

#endif /* HEAPPROF_CONTEXT_GRAPH_H */
