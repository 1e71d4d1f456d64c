/* The call graph as seen by calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Calls are looked up by callee and first id, where a clone counts as its
   original, so redirecting a call does not change the table.  Calls through
   pointers are looked up by first id.  Calls without ids, by which a function
   continues in a part of it, are looked up by callee, and do not advance
   contexts.  */

#include "gcc-compat.h"
#include "context-graph.h"

/* A hash of a function and an id; see key_of.  */
typedef int_hash<uint64_t, 0, 1> call_key;

static hash_map<call_key, vec<cgraph_edge *>> *calls_by_key;
static hash_map<call_key, vec<cgraph_edge *>> *indirect_calls_by_key;
static hash_map<cgraph_node *, function_versions *> *versions_of_node;
static vec<function_versions *> all_versions;
static vec<heap_allocation *> allocations;

/* In place of the first id of calls without ids.  */
static const uint64_t no_id = 0;

/* Return the key of calls of ORIGINAL or a clone of it, or of calls through
   pointers if ORIGINAL is NULL, whose first id is ID.  Different functions and
   ids may have the same key.  */
static uint64_t
key_of (cgraph_node *original, uint64_t id)
{
  uint64_t uid = original ? original->get_uid () + 1 : 0;
  uint64_t key = id ^ uid * UINT64_C (0x9e3779b97f4a7c15);
  /* 0 and 1 mark empty and deleted slots.  */
  return key < 2 ? key + 2 : key;
}

cgraph_node *
context_graph_callee (cgraph_edge *call)
{
  return call->callee->ultimate_alias_target ();
}

function_versions *
context_graph_versions (cgraph_node *node)
{
  function_versions *&versions = versions_of_node->get_or_insert (node);

  if (!versions)
    {
      versions = XCNEW (function_versions);
      versions->original = node;
      all_versions.safe_push (versions);
    }
  return versions;
}

void
context_graph_add_clone (cgraph_node *node, cgraph_node *clone)
{
  function_versions *versions = context_graph_versions (node);

  versions->clones.safe_push (clone);
  versions_of_node->put (clone, versions);
}

void
context_graph_add_call (cgraph_edge *call, call_facts *facts)
{
  if (heap_allocation *allocation = facts->allocation)
    {
      if (allocation->calls.is_empty ())
	allocations.safe_push (allocation);
      allocation->calls.safe_push (call);
    }
  if (!call->callee)
    {
      indirect_calls_by_key->get_or_insert (key_of (NULL, facts->ids[0]))
	.safe_push (call);
      return;
    }
  function_versions *callee
    = context_graph_versions (context_graph_callee (call));
  uint64_t key
    = key_of (callee->original, facts->n_ids ? facts->ids[0] : no_id);
  calls_by_key->get_or_insert (key).safe_push (call);
}

/* True if contexts do not go through CALL.  */
static bool
unknown_call_p (cgraph_edge *call)
{
  return !call_facts_get (call);
}

/* Number the circles of calls.  */
static void
find_circles (void)
{
  cgraph_node **order = XNEWVEC (cgraph_node *, symtab->cgraph_count);
  cgraph_node *node;

  ipa_reduced_postorder (order, true, unknown_call_p);
  FOR_EACH_FUNCTION (node)
    if (const ipa_dfs_info *found = (const ipa_dfs_info *) node->aux)
      context_graph_versions (node)->circle = found->scc_no + 1;
  ipa_free_postorder_info ();
  free (order);
}

/* True if A and B are the same function or in one circle.  */
static bool
same_circle_p (const function_versions *a, const function_versions *b)
{
  return a == b || (a->circle && a->circle == b->circle);
}

/* Add CALLS, a linked list.  */
static void
add_calls (cgraph_edge *calls)
{
  for (cgraph_edge *call = calls; call; call = call->next_callee)
    if (call_facts *facts = call_facts_get (call))
      context_graph_add_call (call, facts);
}

void
context_graph_start (void)
{
  cgraph_node *node;

  calls_by_key = new hash_map<call_key, vec<cgraph_edge *>>;
  indirect_calls_by_key = new hash_map<call_key, vec<cgraph_edge *>>;
  versions_of_node = new hash_map<cgraph_node *, function_versions *>;
  call_facts_copied = context_graph_add_call;
  FOR_EACH_FUNCTION (node)
    context_graph_versions (node);
  FOR_EACH_FUNCTION (node)
    {
      add_calls (node->callees);
      add_calls (node->indirect_calls);
    }
  find_circles ();
}

void
context_graph_finish (void)
{
  call_facts_copied = NULL;
  for (auto table : { calls_by_key, indirect_calls_by_key })
    {
      for (auto entry : *table)
	const_cast<vec<cgraph_edge *> &> (entry.second).release ();
      delete table;
    }
  delete versions_of_node;
  for (function_versions *versions : all_versions)
    {
      versions->clones.release ();
      free (versions);
    }
  all_versions.release ();
  allocations.release ();
}

const vec<heap_allocation *> &
context_graph_allocations (void)
{
  return allocations;
}

/* True if PLACE continues with the ids in FACTS.  A context that the profile
   truncated may end among them.  */
static bool
continues_p (context_place place, const call_facts *facts)
{
  unsigned left = place.context->length - place.at;
  unsigned n = MIN (left, facts->n_ids);

  return (n > 0 || !facts->n_ids)
	 && !memcmp (place.context->callers + place.at, facts->ids,
		     n * sizeof *facts->ids);
}

/* Return PLACE advanced past the call that has FACTS.  */
static context_place
place_behind (context_place place, const call_facts *facts)
{
  place.at = MIN (place.at + facts->n_ids, place.context->length);
  return place;
}

/* Add to CALLS the calls of VERSIONS whose first id is ID.  */
static void
add_candidates (const function_versions *versions, uint64_t id,
		vec<cgraph_edge *> *calls)
{
  if (vec<cgraph_edge *> *found
      = calls_by_key->get (key_of (versions->original, id)))
    calls->safe_splice (*found);
}

/* Fill CALLS with a superset of the calls of VERSIONS that PLACE may continue
   through.  */
static void
candidates (const function_versions *versions, context_place place,
	    vec<cgraph_edge *> *calls)
{
  if (place.at == place.context->length)
    return;
  add_candidates (versions, place.context->callers[place.at], calls);
  add_candidates (versions, no_id, calls);
}

/* True if CALL, a candidate, leads PLACE to VERSIONS.  */
static bool
leads_p (cgraph_edge *call, context_place place,
	 const function_versions *versions)
{
  return (continues_p (place, call_facts_get (call))
	  && context_graph_versions (context_graph_callee (call)) == versions);
}

/* Pairs of function and place of a context that were visited.  */
typedef hash_set<call_key> visited_places;

static uint64_t
visit_key (cgraph_node *node, context_place place)
{
  return ((uint64_t) (node->get_uid () + 1) << 32) + place.at;
}

static unsigned
depth_1 (cgraph_node *node, context_place place, visited_places *visited)
{
  unsigned depth = place.at;

  if (visited->add (visit_key (node, place)))
    return depth;
  function_versions *versions = context_graph_versions (node);
  auto_vec<cgraph_edge *> calls;
  candidates (versions, place, &calls);
  for (cgraph_edge *call : calls)
    if (leads_p (call, place, versions) && context_graph_callee (call) == node)
      {
	context_place next = place_behind (place, call_facts_get (call));
	depth = MAX (depth, depth_1 (call->caller, next, visited));
      }
  return depth;
}

unsigned
context_graph_depth (cgraph_node *node, context_place place)
{
  visited_places visited;

  return depth_1 (node, place, &visited);
}

/* True if CALLS are in more than one function, not counting clones.  */
static bool
several_callers_p (const vec<cgraph_edge *> &calls)
{
  for (cgraph_edge *call : calls)
    if (context_graph_versions (call->caller)
	!= context_graph_versions (calls[0]->caller))
      return true;
  return false;
}

/* Fill CALLS with the calls that lead PLACE to VERSIONS.  The variants of a
   constructor have the same ids: if calls in several functions match, keep
   those with the longest chain of known callers.  */
static void
leading_calls (const function_versions *versions, context_place place,
	       vec<cgraph_edge *> *calls)
{
  auto_vec<cgraph_edge *> all;
  auto_vec<unsigned> depths;
  unsigned most = 0, n = 0;

  candidates (versions, place, &all);
  for (cgraph_edge *call : all)
    if (leads_p (call, place, versions))
      calls->safe_push (call);
  if (!several_callers_p (*calls))
    return;
  for (cgraph_edge *call : *calls)
    {
      context_place next = place_behind (place, call_facts_get (call));
      depths.safe_push (context_graph_depth (call->caller, next));
      most = MAX (most, depths.last ());
    }
  for (unsigned i = 0; i < depths.length (); i++)
    if (depths[i] == most)
      (*calls)[n++] = (*calls)[i];
  calls->truncate (n);
}

static bool
reaches_1 (cgraph_node *node, context_place place, visited_places *dead_ends)
{
  auto_vec<cgraph_edge *> calls;

  /* No known callers are left: any caller is possible.  */
  if (place.at == place.context->length)
    return true;
  if (dead_ends->contains (visit_key (node, place)))
    return false;
  function_versions *versions = context_graph_versions (node);
  leading_calls (versions, place, &calls);
  for (cgraph_edge *call : calls)
    if ((context_graph_callee (call) == node
	 /* GCC may revert to the call through a pointer.  */
	 || (call->speculative && node == versions->original))
	&& reaches_1 (call->caller, place_behind (place, call_facts_get (call)),
		      dead_ends))
      return true;
  if (calls.is_empty () && node == versions->original)
    return true;
  dead_ends->add (visit_key (node, place));
  return false;
}

bool
context_graph_reaches (cgraph_node *node, context_place place)
{
  visited_places dead_ends;

  return reaches_1 (node, place, &dead_ends);
}

context_groups::~context_groups ()
{
  for (context_group &group : groups)
    group.places.release ();
}

/* Add PLACE, advanced past CALL, to FOUND.  */
static void
add_to_group (context_groups *found, cgraph_edge *call, context_place place)
{
  bool known;
  unsigned &index = found->index_of_call.get_or_insert (call, &known);

  if (!known)
    {
      context_group added = { call, vNULL, 0 };
      index = found->groups.length ();
      found->groups.safe_push (added);
    }
  found->groups[index].places.safe_push (place);
  found->groups[index].classes |= 1u << place.context->hint;
}

/* Add to FOUND the callers of NODE, and of its circle, that PLACE comes
   through.  VISITED has the places that are done.  */
static void
add_callers (cgraph_node *node, context_place place, context_groups *found,
	     visited_places *visited)
{
  function_versions *versions = context_graph_versions (node);
  auto_vec<cgraph_edge *> calls;

  if (visited->add (visit_key (node, place)))
    return;
  if (!found->members.contains (node))
    found->members.safe_push (node);
  leading_calls (versions, place, &calls);
  for (cgraph_edge *call : calls)
    {
      context_place next = place_behind (place, call_facts_get (call));
      if (context_graph_callee (call) != node
	  || !context_graph_reaches (call->caller, next))
	continue;
      if (same_circle_p (context_graph_versions (call->caller), versions))
	add_callers (call->caller, next, found, visited);
      else
	add_to_group (found, call, next);
    }
  if (calls.is_empty () && node == versions->original)
    {
      context_arrival arrival = { node, place };
      found->unknown.safe_push (arrival);
      found->unknown_classes |= 1u << place.context->hint;
    }
}

void
context_graph_callers (cgraph_node *node, const vec<context_place> &places,
		       context_groups *found)
{
  for (context_place place : places)
    {
      visited_places visited;
      add_callers (node, place, found, &visited);
    }
}

void
context_graph_indirect_calls (context_place place, vec<cgraph_edge *> *calls)
{
  if (place.at == place.context->length)
    return;
  uint64_t key = key_of (NULL, place.context->callers[place.at]);
  if (vec<cgraph_edge *> *all = indirect_calls_by_key->get (key))
    for (cgraph_edge *call : *all)
      if (continues_p (place, call_facts_get (call)))
	calls->safe_push (call);
}
