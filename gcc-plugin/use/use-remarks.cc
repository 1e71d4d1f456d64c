/* Remarks about each allocation call that the heap profile knows.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "allocation-wrapper.h"
#include "arguments.h"
#include "context-graph.h"
#include "context-reason.h"
#include "hint-call.h"
#include "hint-placeholder.h"
#include "memory-info.h"
#include "remark-lines.h"
#include "use-frame.h"
#include "use-remarks.h"

static remark_lines lines;

/* A set of calling contexts, and what they allocated.  */
struct context_sum
{
  unsigned contexts;
  uint64_t count;
  uint64_t bytes;
  /* Contexts that were counted for another call, too: on one line, calls cannot
     be told apart if columns are unknown.  */
  unsigned shared;
};

static void
add_to_sum (context_sum *sum, uint64_t count, uint64_t bytes)
{
  sum->contexts++;
  sum->count += count;
  sum->bytes += bytes;
}

/* Keys of the contexts that have been counted.  */
static hash_set<int_hash<uint64_t, 0, 1>> counted;

/* How many contexts of one call have a key: several that go through the same
   recursive calls, for example.  */
typedef hash_map<int_hash<uint64_t, 0, 1>, unsigned> key_counts;

/* Return KEY for the first context in OWN that has it, and another key for each
   further one, which is the same for each copy of the call.  */
static uint64_t
distinct_key (key_counts *own, uint64_t key)
{
  bool existed;
  unsigned *n = &own->get_or_insert (key, &existed);
  uint64_t ids[2];

  *n = existed ? *n + 1 : 0;
  if (*n == 0)
    return key;
  ids[0] = key;
  ids[1] = *n;
  return call_facts_context_key (ids, 2, NULL, 0);
}

/* Add the context KEY of the call whose contexts are in OWN to SUM.  */
static void
add_context (context_sum *sum, key_counts *own, uint64_t key, uint64_t count,
	     uint64_t bytes)
{
  if (counted.add (distinct_key (own, key)))
    sum->shared++;
  else
    add_to_sum (sum, count, bytes);
}

/* Return the key of CONTEXT of a call with the frames in USE.  */
static uint64_t
key_of (const use_call &use, const use_context &context)
{
  return call_facts_context_key (use.ids.address (), use.ids.length (),
				 context.callers.address (),
				 context.callers.length ());
}

static void
end_remark (const context_sum &sum)
{
  fprintf (lines.out,
	   ",\"contexts\":%u,\"count\":%" PRIu64 ",\"bytes\":%" PRIu64 "}\n",
	   sum.contexts, sum.count, sum.bytes);
}

/* ---- Calls.  */

static const char *
hint_name (int hint)
{
  for (hint_class each : { HINT_COLD, HINT_NOT_COLD, HINT_HOT })
    if (use_hint_value (each) == hint)
      return use_hint_name (each);
  return hint == HINT_VALUE_BY_TOKEN ? "token" : "ambiguous";
}

/* True if the contexts of ALLOCATION disagree.  */
static bool
mixed_p (const heap_allocation *allocation)
{
  return classes_disagree_p (heap_allocation_classes (allocation));
}

/* True if NODE was made to separate contexts.  */
static bool
clone_p (cgraph_node *node)
{
  return context_graph_versions (node)->original != node;
}

/* Return the first caller of NODE that is not in VISITED, or NULL.  */
static cgraph_node *
next_caller (cgraph_node *node, const vec<cgraph_node *> &visited)
{
  for (cgraph_edge *call = node->callers; call; call = call->next_caller)
    if (!visited.contains (call->caller))
      return call->caller;
  return NULL;
}

/* Write the functions that were cloned for the call in NODE, from NODE
   outwards.  A function and a part that GCC split off it have one name.  */
static void
put_clones (cgraph_node *node)
{
  static const unsigned most = 64;
  auto_vec<cgraph_node *> visited;
  tree last = NULL_TREE;

  while (node && visited.length () < most && clone_p (node))
    {
      tree original = context_graph_versions (node)->original->decl;
      if (!last || DECL_ORIGIN (original) != DECL_ORIGIN (last))
	remark_name (lines.out, "cloned_through", visited.is_empty (),
		     use_linkage_name (original));
      last = original;
      visited.safe_push (node);
      node = next_caller (node, visited);
    }
  remark_end_names (lines.out, visited.is_empty ());
}

/* Return how the function that makes CALL is known as a wrapper; NULL if it is
   none.  */
static const char *
wrapper_around (cgraph_edge *call)
{
  cgraph_node *original = context_graph_versions (call->caller)->original;
  const wrapper_kind kind = allocation_wrapper_kind (original->decl);

  return kind == WRAPPER_NONE ? NULL : allocation_wrapper_kind_name (kind);
}

/* Report the outcome for CALL of ALLOCATION to users of -fopt-info.  */
static void
tell_user (const heap_allocation *allocation, cgraph_edge *call,
	   const char *outcome, const char *what)
{
  if (!dump_enabled_p () || !call->call_stmt)
    return;
  const char *wrapper = wrapper_around (call);
  dump_printf_loc (*what ? MSG_OPTIMIZED_LOCATIONS : MSG_MISSED_OPTIMIZATION,
		   call->call_stmt, "heapprof: allocation %s%s%s%s%s%s\n",
		   outcome, *what ? ": " : "", what,
		   wrapper ? ", in a wrapper: " : "", wrapper ? wrapper : "",
		   allocation->is_fitted ? ", matched by the calls around it"
					 : "");
}

/* Begin a remark about ALLOCATION, made by CALL.  */
static void
begin_allocation (const heap_allocation *allocation, cgraph_edge *call)
{
  remark_begin (lines.out, { allocation->function, allocation->file,
			     allocation->line, allocation->column });
  remark_split_names (lines.out, "inlined_into", allocation->inlined_into);
  remark_field (lines.out, "allocator",
		hint_allocator_name (call->callee->decl));
  if (const char *wrapper = wrapper_around (call))
    remark_field (lines.out, "wrapper", wrapper);
  if (allocation->is_fitted)
    remark_field (lines.out, "matched", "by the calls around it");
}

static void
end_lost (const char *reason, const context_sum &sum)
{
  remark_field (lines.out, "outcome", "lost");
  remark_field (lines.out, "reason", reason);
  end_remark (sum);
}

/* Write the group of the blocks that CALL allocates.  The link of LTO objects
   decides without statements.  */
static void
put_group (cgraph_edge *call)
{
  const unsigned group
    = call->call_stmt ? hint_call_group (call->call_stmt, call->caller->decl,
					 call->callee->decl)
		      : 0;

  if (group)
    fprintf (lines.out, ",\"group\":%u", group);
}

/* Write a remark about CALL of ALLOCATION, where the contexts in SUM get
   HINT.  */
static void
remark_call (const heap_allocation *allocation, cgraph_edge *call, int hint,
	     const context_sum &sum)
{
  const char *outcome = (mixed_p (allocation) && hint < HINT_VALUE_BY_TOKEN
			     && hint != HINT_VALUE_AMBIGUOUS
			   ? "cloned"
			   : "hinted");

  if (hint <= 0 || (!sum.contexts && !sum.shared))
    return;
  tell_user (allocation, call, outcome, hint_name (hint));
  if (!lines.out || !sum.contexts)
    return;
  begin_allocation (allocation, call);
  remark_field (lines.out, "outcome", outcome);
  remark_field (lines.out, "hint", hint_name (hint));
  if (hint == HINT_VALUE_AMBIGUOUS)
    remark_field (lines.out, "reason", context_reason (allocation, call));
  put_group (call);
  put_clones (call->caller);
  end_remark (sum);
}

/* Write remarks about CALL of ALLOCATION, which the contexts in SUM reach; a
   token decides those in BY_TOKEN, if the call has no hint of its own.  */
static void
remark_contexts (const heap_allocation *allocation, cgraph_edge *call,
		 const context_sum &sum, const context_sum &by_token)
{
  int hint = hint_of_placeholder (call->callee->decl);

  remark_call (allocation, call, hint, by_token);
  remark_call (allocation, call,
	       hint == HINT_VALUE_BY_TOKEN ? HINT_VALUE_AMBIGUOUS : hint, sum);
}

/* Return the index of the call of ALLOCATION for which CONTEXT is counted: the
   first one it reaches in a clone, otherwise in the original, which contexts
   that come through promoted calls reach as well, although GCC seldom reverts
   these.  If the graph has no call for it, return 0 if all contexts agree,
   otherwise -1.  */
static int
call_of_context (const heap_allocation *allocation, const heap_context &context)
{
  int found = mixed_p (allocation) ? -1 : 0;

  for (unsigned i = allocation->calls.length (); i-- > 0;)
    if (context_graph_reaches (allocation->calls[i]->caller, { &context, 0 }))
      {
	found = i;
	if (clone_p (allocation->calls[i]->caller))
	  break;
      }
  return found;
}

void
use_remark_allocation (const heap_allocation *allocation)
{
  auto_vec<context_sum> sums, by_token;
  context_sum lost = {};
  key_counts own;

  if (allocation->calls.is_empty () || allocation->is_spare
      || (!lines.out && !dump_enabled_p ()))
    return;
  sums.safe_grow_cleared (allocation->calls.length ());
  by_token.safe_grow_cleared (allocation->calls.length ());
  for (const heap_context &context : allocation->contexts)
    {
      int i = call_of_context (allocation, context);
      int hint
	= (i < 0 ? -1
		 : hint_of_placeholder (allocation->calls[i]->callee->decl));
      context_sum *sum
	= (hint <= 0					     ? &lost
	   : hint == HINT_VALUE_BY_TOKEN && context.by_token ? &by_token[i]
							     : &sums[i]);
      const call_facts *facts = call_facts_get (allocation->calls[0]);
      add_context (sum, &own,
		   call_facts_context_key (facts->ids, facts->n_ids,
					   context.callers, context.length),
		   context.count, context.bytes);
    }
  for (unsigned i = 0; i < sums.length (); i++)
    remark_contexts (allocation, allocation->calls[i], sums[i], by_token[i]);
  if (!lost.contexts)
    return;
  tell_user (allocation, allocation->calls[0], "lost", "");
  if (lines.out)
    {
      begin_allocation (allocation, allocation->calls[0]);
      end_lost ("no call can be reached from its callers", lost);
    }
}

/* Begin a remark about CALL, of the function ALLOCATOR, before the link.  */
static void
begin_call (cgraph_edge *call, const char *allocator)
{
  expanded_location at = expand_location (gimple_location (call->call_stmt));
  auto_vec<tree> functions;

  use_call_functions (call->call_stmt, call->caller->decl, &functions);
  remark_begin (lines.out, { use_linkage_name (functions[0]), at.file, at.line,
			     at.column });
  remark_outer_functions (lines.out, "inlined_into", functions);
  remark_field (lines.out, "allocator", allocator);
}

void
use_remark_unwanted (cgraph_edge *call, const use_call &use)
{
  context_sum sum = {};
  key_counts own;

  if (!lines.out)
    return;
  for (const use_context &context : use.contexts)
    add_context (&sum, &own, key_of (use, context), context.count,
		 context.bytes);
  if (!sum.contexts)
    return;
  begin_call (call, use_linkage_name (call->callee->decl));
  end_lost ("hints are disabled for this allocator", sum);
}

/* True if the profile has tokens for CALL: they depend on classes.  */
static bool
tokens_known_p (const gcall *call)
{
  tree mib = use_call_mibs (call);

  return (!arguments.use.by_limits && mib
	  && use_mib_field (TREE_VALUE (mib), USE_CLASS_TAG) > 0);
}

/* If all contexts of USE agree, the call sets a token itself; otherwise its
   callers do.  */
void
use_remark_unseen (cgraph_edge *call, const use_call &use)
{
  const char *name
    = call->callee ? use_linkage_name (call->callee->decl) : "(pointer)";
  unsigned classes = 0;
  context_sum by_token = {}, others = {};
  key_counts own;

  if (!lines.out)
    return;
  for (const use_context &context : use.contexts)
    classes |= 1u << context.hint;
  for (const use_context &context : use.contexts)
    add_context (tokens_known_p (call->call_stmt)
		     && (context.by_token || !classes_disagree_p (classes))
		   ? &by_token
		   : &others,
		 &own, key_of (use, context), context.count, context.bytes);
  if (by_token.contexts)
    {
      begin_call (call, name);
      remark_field (lines.out, "outcome", "hinted");
      remark_field (lines.out, "hint", "token");
      end_remark (by_token);
    }
  if (others.contexts)
    {
      begin_call (call, name);
      end_lost (!call->callee
		  ? "the allocation function is called through a pointer"
		: unhinted_allocation_function_p (call->callee->decl)
		  ? "this allocator has no hinted form"
		  : "the allocation is in a library",
		others);
    }
}

void
use_remark_stale (tree decl, unsigned line, unsigned column, tree mibs)
{
  expanded_location at = expand_location (DECL_SOURCE_LOCATION (decl));
  context_sum sum = {};

  if (!lines.out)
    return;
  for (tree mib = mibs; mib; mib = TREE_CHAIN (mib))
    add_to_sum (&sum, use_mib_field (TREE_VALUE (mib), MEMORY_INFO_ALLOC_COUNT),
		use_mib_field (TREE_VALUE (mib), MEMORY_INFO_TOTAL_SIZE));
  remark_begin (lines.out,
		{ use_linkage_name (decl), at.file, (int) line, (int) column });
  end_lost ("no call at this line and column", sum);
}

void
use_remark_token (void)
{
  lines.token_calls++;
}

static void
finish_unit (void *, void *)
{
  remark_lines_close (&lines);
}

void
use_remarks_start (const char *plugin_name)
{
  remark_lines_open (&lines, arguments.use.remarks, "allocations");
  if (lines.out)
    register_callback (plugin_name, PLUGIN_FINISH, finish_unit, NULL);
}
