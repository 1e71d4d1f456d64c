/* Why the contexts of an allocation could not be separated.
   SPDX-License-Identifier: GPL-3.0-or-later

   The functions on the way out of the allocation are searched for the first one
   at which the contexts disagree and that could not be cloned, or whose callers
   are unknown.  */

#include "gcc-compat.h"
#include "context-graph.h"
#include "context-reason.h"
#include "function-clones.h"

/* Functions that were visited.  */
typedef hash_set<cgraph_node *> visited_functions;

static const char *
obstacle_of (cgraph_node *node)
{
  auto_vec<cgraph_node *, 1> only_node;

  only_node.quick_push (node);
  const char *obstacle = function_clones_obstacle (only_node);
  if (!obstacle)
    return NULL;
  char *text = concat ("a function on the way ", obstacle, NULL);
  const char *reason = call_facts_text (text, strlen (text));
  free (text);
  return reason;
}

/* True if the profile has no more callers for one of PLACES, so that it may
   come through any call.  */
static bool
any_at_end_p (const vec<context_place> &places)
{
  for (const context_place &place : places)
    if (place.at == place.context->length)
      return true;
  return false;
}

/* Return why PLACES, whose contexts disagree, still come to NODE; NULL if
   nothing prevents separating them.  */
static const char *
reason_at (cgraph_node *node, const vec<context_place> &places,
	   visited_functions *visited)
{
  if (visited->add (node))
    return NULL;
  if (const char *obstacle = obstacle_of (node))
    return obstacle;
  context_groups found;
  context_graph_callers (node, places, &found);
  for (const context_group &group : found.groups)
    if (classes_disagree_p (group.classes))
      if (const char *reason
	  = reason_at (group.call->caller, group.places, visited))
	return reason;
  if (any_at_end_p (places))
    return "contexts end before they differ";
  if (!found.unknown.is_empty ())
    return "callers are in another unit or call through a pointer";
  for (const context_group &group : found.groups)
    if (!function_clones_may_redirect_p (group.call))
      return "a caller may call another definition";
  return NULL;
}

const char *
context_reason (const heap_allocation *allocation, cgraph_edge *call)
{
  auto_vec<context_place> places;
  visited_functions visited;

  for (const heap_context &context : allocation->contexts)
    if (context_graph_reaches (call->caller, { &context, 0 }))
      places.safe_push ({ &context, 0 });
  if (const char *reason = reason_at (call->caller, places, &visited))
    return reason;
  return function_clones_limited_p () ? "the unit would grow too much"
				      : "callers could not be separated";
}
