/* Cloning of functions for some of their callers.
   SPDX-License-Identifier: GPL-3.0-or-later

   The functions of a circle (context-graph.h) are cloned together, as are
   functions local to their section groups:

     slow --1--> make --2--> make.part		make.part: local to the group
     fast --3--> make

   If make is cloned for the call 1, this becomes

     slow --1--> make.heapprof.1 --2'--> make.part.heapprof.1
     fast --3--> make            --2---> make.part

   A clone may have to be cloned in turn, because the calls of other allocations
   in it disagree, too.  GCC loses the body of a clone's clone if the first
   clone is inlined everywhere.  So all clones are made from the original, and
   take over the calls of the function that they are a copy of.

   With -fprofile-use the graph has counts, and a clone starts with all of its
   original's.  Divide them: each gets the share that its callers account for.
   In a circle that is the share of the calls that enter the circle; the calls
   within the circle are divided in the same ratio.  The compiler scales the
   counts in bodies to those of the graph.  */

#include "gcc-compat.h"
#include "allocation-wrapper.h"
#include "arguments.h"
#include "context-graph.h"
#include "function-clones.h"

/* Smaller units may grow as if they had this many instructions.  */
static const HOST_WIDE_INT least_unit_size = 5000;

/* The remaining growth allowed for the unit, in instructions.  */
static HOST_WIDE_INT growth_left;

/* The last number used for the name of a clone of each function.  */
static hash_map<tree, unsigned> *next_number;

static unsigned n_clones;

/* True if clones were not made because of GROWTH_LEFT.  */
static bool is_limited;

/* Return the instructions in NODE, as GCC's inliner counts them.  */
static HOST_WIDE_INT
function_size (cgraph_node *node)
{
  static const HOST_WIDE_INT size_of_unknown = 20;

  if (ipa_size_summaries)
    if (ipa_size_summary *summary = ipa_size_summaries->get (node))
      return MAX (summary->size, 1);
  return size_of_unknown;
}

/* Return the function whose body NODE has.  */
static cgraph_node *
origin_of (cgraph_node *node)
{
  while (node->clone_of)
    node = node->clone_of;
  return node;
}

/* True if NODE has calls through pointers with speculative direct calls.  */
static bool
has_promoted_calls_p (const cgraph_node *node)
{
  for (cgraph_edge *call = node->indirect_calls; call; call = call->next_callee)
    if (call->speculative)
      return true;
  return false;
}

/* Return why NODE cannot be cloned, or NULL if it can.  */
static const char *
obstacle_to_cloning (cgraph_node *node)
{
  if (!node->definition || node->alias || node->thunk || node->inlined_to)
    return "has no body of its own";
  if (MAIN_NAME_P (DECL_NAME (node->decl)) && TREE_PUBLIC (node->decl))
    return "is the main function";
  if (!node->versionable)
    return "cannot be copied";
  /* Its promoted calls would have to be made again, or undone.  */
  if (node->clone_of
      && (has_promoted_calls_p (node)
	  || has_promoted_calls_p (origin_of (node))))
    return "is a clone with other calls than its original";
  if (node->get_availability () <= AVAIL_INTERPOSABLE)
    return "may be replaced by another definition";
  if (lookup_attribute ("omp declare simd", DECL_ATTRIBUTES (node->decl))
      || lookup_attribute ("target_clones", DECL_ATTRIBUTES (node->decl)))
    return "has variants already";
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    if (fndecl_built_in_p (call->callee->decl, BUILT_IN_VA_ARG_PACK)
	|| fndecl_built_in_p (call->callee->decl, BUILT_IN_VA_ARG_PACK_LEN))
      return "works only when inlined";
  return NULL;
}

bool
function_clones_possible_p (cgraph_node *node)
{
  return !obstacle_to_cloning (node);
}

bool
function_clones_may_redirect_p (cgraph_edge *call)
{
  availability available;

  call->callee->ultimate_alias_target (&available, call->caller);
  return available > AVAIL_INTERPOSABLE;
}

/* Return the call in the list CALLS, those of a function, that corresponds to
   CALL in another copy of that function.  */
static cgraph_edge *
same_call (cgraph_edge *calls, const cgraph_edge *call)
{
  while (calls->call_stmt != call->call_stmt
	 || calls->lto_stmt_uid != call->lto_stmt_uid)
    calls = calls->next_callee;
  return calls;
}

/* Make CLONE, made from the origin of NODE, call what NODE calls, as often.  */
static void
take_calls (cgraph_node *clone, cgraph_node *node)
{
  clone->count = node->count;
  for (cgraph_edge *call = clone->callees; call; call = call->next_callee)
    {
      const cgraph_edge *model = same_call (node->callees, call);

      call->count = model->count;
      if (call->callee != model->callee)
	call->redirect_callee (model->callee);
    }
  for (cgraph_edge *call = clone->indirect_calls; call;
       call = call->next_callee)
    call->count = same_call (node->indirect_calls, call)->count;
}

/* Return the number for the name of the next clone of NODE.  */
static unsigned
clone_number (cgraph_node *node)
{
  return ++next_number->get_or_insert (DECL_ASSEMBLER_NAME (node->decl));
}

/* Add to NODES their callees that are local to section groups, such as parts
   that GCC split off.  Clones are in no group, so they need clones of these,
   too.  */
static void
add_group_locals (vec<cgraph_node *> *nodes)
{
  for (unsigned i = 0; i < nodes->length (); i++)
    for (cgraph_edge *call = (*nodes)[i]->callees; call;
	 call = call->next_callee)
      if (call->callee->comdat_local_p () && !nodes->contains (call->callee))
	nodes->safe_push (call->callee);
}

/* Make CLONES, of the functions MEMBERS in the same order, call each other
   where MEMBERS do.  */
static void
redirect_inner_calls (const vec<cgraph_node *> &members,
		      const vec<cgraph_node *> &clones)
{
  hash_map<cgraph_node *, cgraph_node *> clone_of;

  for (unsigned i = 0; i < members.length (); i++)
    clone_of.put (members[i], clones[i]);
  for (cgraph_node *clone : clones)
    {
      for (cgraph_edge *call = clone->callees; call; call = call->next_callee)
	if (function_clones_may_redirect_p (call))
	  if (cgraph_node **callee = clone_of.get (context_graph_callee (call)))
	    call->redirect_callee_duplicating_thunks (*callee);
      clone->calls_comdat_local = clone->check_calls_comdat_local_p ();
    }
}

/* The user wants clones of wrappers that he named, whatever their size.  */
HOST_WIDE_INT
function_clones_size (const vec<cgraph_node *> &nodes)
{
  HOST_WIDE_INT size = 0;

  for (cgraph_node *node : nodes)
    if (allocation_wrapper_kind (node->decl) != WRAPPER_NAMED)
      size += function_size (node);
  return size;
}

/* Make a clone of NODE and redirect the CALLS that call NODE to it.  */
static cgraph_node *
make_clone (cgraph_node *node, const vec<cgraph_edge *> &calls)
{
  auto_vec<cgraph_edge *> own_calls;

  for (cgraph_edge *call : calls)
    if (context_graph_callee (call) == node)
      own_calls.safe_push (call);
  cgraph_node *origin = origin_of (node);
  cgraph_node *clone
    = origin->create_virtual_clone (own_calls, NULL, NULL, "heapprof",
				    clone_number (origin));
  if (origin != node)
    take_calls (clone, node);
  context_graph_add_clone (node, clone);
  n_clones++;
  if (dump_file)
    for (cgraph_edge *call : own_calls)
      fprintf (dump_file, "%s calls %s, not %s\n", call->caller->dump_name (),
	       clone->dump_name (), node->dump_name ());
  return clone;
}

const char *
function_clones_obstacle (const vec<cgraph_node *> &nodes)
{
  auto_vec<cgraph_node *> all;

  all.safe_splice (nodes);
  add_group_locals (&all);
  for (cgraph_node *node : all)
    if (const char *obstacle = obstacle_to_cloning (node))
      {
	if (dump_file)
	  fprintf (dump_file, "no clone of %s: it %s\n", node->dump_name (),
		   obstacle);
	return obstacle;
      }
  return NULL;
}

/* Return how often MEMBERS, functions of a circle, are called from outside it.
   Zero or not initialized if there are no counts.  */
static profile_count
entries_of (const vec<cgraph_node *> &members)
{
  profile_count entries = profile_count::zero ();

  for (cgraph_node *node : members)
    {
      profile_count inner = profile_count::zero ();
      for (cgraph_edge *call = node->callers; call; call = call->next_caller)
	if (members.contains (call->caller))
	  inner += call->count.ipa ();
      entries += node->count.ipa () - inner;
    }
  return entries;
}

/* Return the sum of the counts of CALLS.  */
static profile_count
sum_of_counts (const vec<cgraph_edge *> &calls)
{
  profile_count sum = profile_count::zero ();

  for (cgraph_edge *call : calls)
    sum += call->count.ipa ();
  return sum;
}

/* Scale the counts of NODE and its calls by PART / WHOLE.  */
static void
scale_counts (cgraph_node *node, profile_count part, profile_count whole)
{
  node->count = node->count.apply_scale (part, whole);
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    call->count = call->count.apply_scale (part, whole);
  for (cgraph_edge *call = node->indirect_calls; call; call = call->next_callee)
    call->count = call->count.apply_scale (part, whole);
}

/* Divide the counts of MEMBERS, which had ENTRIES, between them and CLONES:
   PART goes to the clones.  */
static void
share_counts (const vec<cgraph_node *> &members,
	      const vec<cgraph_node *> &clones, profile_count entries,
	      profile_count part)
{
  if (!entries.initialized_p () || !entries.nonzero_p ()
      || !part.initialized_p ())
    return;
  if (part > entries)
    part = entries;
  for (cgraph_node *clone : clones)
    scale_counts (clone, part, entries);
  for (cgraph_node *node : members)
    scale_counts (node, entries - part, entries);
}

void
function_clones_make (const vec<cgraph_node *> &members,
		      const vec<cgraph_edge *> &calls)
{
  auto_vec<cgraph_node *> originals;
  auto_vec<cgraph_node *> clones;

  originals.safe_splice (members);
  add_group_locals (&originals);
  HOST_WIDE_INT size = function_clones_size (originals);
  if (size > growth_left)
    {
      function_clones_limit ();
      if (dump_file)
	fprintf (dump_file, "no clone of %s: the unit would grow too much\n",
		 members[0]->dump_name ());
      return;
    }
  profile_count entries = entries_of (members);
  profile_count part = sum_of_counts (calls);
  for (cgraph_node *node : originals)
    clones.safe_push (make_clone (node, calls));
  redirect_inner_calls (originals, clones);
  share_counts (originals, clones, entries, part);
  growth_left -= size;
}

static HOST_WIDE_INT
unit_size (void)
{
  HOST_WIDE_INT size = 0;
  cgraph_node *node;

  FOR_EACH_DEFINED_FUNCTION (node)
    if (!node->alias && !node->thunk)
      size += function_size (node);
  return size;
}

void
function_clones_start (void)
{
  growth_left = MAX (unit_size (), least_unit_size)
		* arguments.use.max_growth_percent / 100;
  n_clones = 0;
  is_limited = false;
  next_number = new hash_map<tree, unsigned>;
}

HOST_WIDE_INT
function_clones_growth_left (void) { return growth_left; }

void
function_clones_limit (void)
{
  is_limited = true;
}

bool
function_clones_limited_p (void)
{
  return is_limited;
}

void
function_clones_finish (void)
{
  delete next_number;
  if (dump_file)
    fprintf (dump_file, "%u clones\n", n_clones);
}
