/* The call graph as calling contexts go through it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are lists of ids of stack entries, and calls have such ids, so a
   context that is at a function goes on to the callers whose call has the
   next ids of the context.  Where no call has them, the caller is not known:
   it is in another unit, calls through a pointer, or the profile is stale.
   Unknown callers call the original of a function, never a clone.  Calls of a
   function by itself are not in contexts.

   Functions that call each other in a circle are one place where contexts can
   be told apart: by which call they came into the circle, not by their way in
   it.  */

#ifndef HEAPPROF_CONTEXT_GRAPH_H
#define HEAPPROF_CONTEXT_GRAPH_H

#include "call-facts.h"

/* A function and its clones, which have the same code.  */
struct function_versions
{
  cgraph_node *original;
  vec<cgraph_node *> clones;
  /* The same number for the functions of a circle.  0: in none, or never
     called by anybody known.  */
  int circle;
};

/* A context of which the innermost AT callers are behind us.  */
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
  /* The classes of these, as bits 1 << hint_class.  */
  unsigned classes;
};

/* A context that has come to NODE, from a caller that is not known.  */
struct context_arrival
{
  cgraph_node *node;
  context_place place;
};

/* The calls through which contexts come to a function, in the order of the
   contexts.  If functions call each other in a circle, the calls are those from
   outside of it.  */
struct context_groups
{
  auto_vec<context_group> groups;
  /* The function, and those of its circle that the contexts go through.  */
  auto_vec<cgraph_node *> members;
  hash_map<cgraph_edge *, unsigned> index_of_call;
  /* The contexts whose next caller is not known, and their classes.  */
  auto_vec<context_arrival> unknown;
  unsigned unknown_classes = 0;

  ~context_groups ();
};

/* Begin with the graph as it is.  Until context_graph_finish it follows the
   clones that are made.  */
void context_graph_start (void);
void context_graph_finish (void);

/* CALL, a new copy of a call, has FACTS.  */
void context_graph_add_call (cgraph_edge *call, call_facts *facts);

/* The allocations that the graph has calls of, in the order of the graph.  */
const vec<heap_allocation *> &context_graph_allocations (void);

/* The function that CALL calls, itself or through an alias.  */
cgraph_node *context_graph_callee (cgraph_edge *call);

/* NODE with its clones.  */
function_versions *context_graph_versions (cgraph_node *node);

/* CLONE has been made of NODE.  */
void context_graph_add_clone (cgraph_node *node, cgraph_node *clone);

/* Can PLACE come to NODE?  */
bool context_graph_reaches (cgraph_node *node, context_place place);

/* Fill in FOUND with the calls of NODE through which PLACES come.  */
void context_graph_callers (cgraph_node *node, const vec<context_place> &places,
			    context_groups *found);

/* Fill CALLS with the calls through pointers that PLACE may come from.  */
void context_graph_indirect_calls (context_place place,
				   vec<cgraph_edge *> *calls);

/* How many callers of PLACE, at NODE, are behind or known.  */
unsigned context_graph_depth (cgraph_node *node, context_place place);

/* True if CLASSES has more than one class.  */
static inline bool
classes_disagree_p (unsigned classes)
{
  return (classes & (classes - 1)) != 0;
}

#endif /* HEAPPROF_CONTEXT_GRAPH_H */
