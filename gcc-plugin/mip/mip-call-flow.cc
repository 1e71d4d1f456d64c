/* Machine-level profiles: direct calls whose number follows from others.
   SPDX-License-Identifier: GPL-3.0-or-later

   Between calls that may not return, control that enters a part of a function
   leaves it.  So a call whose number is the sum or difference of the runs of
   the function and of other calls needs no counter.

     f:	   point 1	     each run starts here
	   /	 \
	 a()	 b()	     a = runs - b; neither is certain to return
	   \	 /
	   point 0	     code after calls that may not return, and ends
	     |
	    c()		     from point 0 to point 0: has a counter
	     |
	   point 0

   Points are parts of the code between calls.  A call that is certain to return
   leads from one point to another, any other one to point 0, outside, from
   where control comes back or not.  Calls that form a tree between points need
   no counters (Knuth); it is the tree of those that are executed most often.

   A function is certain to return if it has no loop, is compiled before the
   function that calls it, and makes only such calls.  Signal handlers that do
   not return are not considered, as for probes of blocks.

   If the called function does not count a call without a counter, its runs are
   known only when those of the caller are.  So that there is an order in which
   all functions of a program can be computed, these calls lead to a function of
   lower rank: first by name, as functions of other files are known by nothing
   else, then in the order of compilation.  A function that no other file calls
   has the greatest name among those that it calls in this way.  */

#include "gcc-compat-rtl.h"
#include "mip-parts.h"

typedef int_hash<unsigned, 0, UINT_MAX> uid_hash;

/* The names by which functions of this assembler file that have their code are
   ranked, malloced, by DECL_UID, and those of these functions that are certain
   to return.  */
static hash_map<uid_hash, const char *> compiled;
static hash_set<uid_hash> returning;

/* Sets of places in the code, disjoint: unite and find.  */
struct place_sets
{
  auto_vec<unsigned> parents;

  unsigned add ()
  {
    parents.safe_push (parents.length ());
    return parents.length () - 1;
  }

  unsigned find (unsigned place)
  {
    while (parents[place] != place)
      place = parents[place] = parents[parents[place]];
    return place;
  }

  /* Return false if A and B were united before.  */
  bool unite (unsigned a, unsigned b)
  {
    a = find (a);
    b = find (b);
    if (a == b)
      return false;
    /* The least place represents a set.  */
    parents[MAX (a, b)] = MIN (a, b);
    return true;
  }
};

struct flow_search
{
  place_sets places;
  /* The place where each block starts.  */
  hash_map<int_hash<int, -1, -2>, unsigned> starts;
  vec<mip_flow> *flows;
};

/* The place outside of the function.  */
static const unsigned outside = 0;

/* True if control may not continue once after INSN, in the function or in one
   that it calls.  A child process begins after the call of fork, with counters
   of its own.  */
static bool
may_stop_p (rtx_insn *insn)
{
  tree callee = CALL_P (insn) ? mip_callee (insn) : NULL_TREE;

  if (callee && returning.contains (DECL_UID (callee))
      && decl_binds_to_current_def_p (callee))
    return false;
  return (mip_may_stop_p (insn) || can_throw_internal (insn)
	  || can_throw_external (insn)
	  || (callee && fndecl_built_in_p (callee, BUILT_IN_FORK)));
}

/* Add the code of BB, from PLACE on, up to its end.  Return the last place.  */
static unsigned
add_block (flow_search *search, basic_block bb, unsigned place)
{
  rtx_insn *insn;

  FOR_BB_INSNS (bb, insn)
    {
      if (!NONDEBUG_INSN_P (insn))
	continue;
      bool is_stop = may_stop_p (insn);
      bool is_end = CALL_P (insn) && SIBLING_CALL_P (insn);
      if (CALL_P (insn) && mip_counted_call_p (insn))
	{
	  unsigned after = is_stop || is_end ? outside : search->places.add ();
	  mip_flow flow = { insn, place, after, true };
	  search->flows->safe_push (flow);
	  place = after;
	}
      else if (is_stop || is_end)
	{
	  search->places.unite (place, outside);
	  place = outside;
	}
    }
  return place;
}

static void
add_code (flow_search *search)
{
  basic_block bb;

  FOR_EACH_BB_FN (bb, cfun)
    search->starts.put (bb->index, search->places.add ());
  FOR_EACH_BB_FN (bb, cfun)
    {
      edge e;
      edge_iterator i;
      unsigned place = add_block (search, bb, *search->starts.get (bb->index));
      if (EDGE_COUNT (bb->succs) == 0)
	search->places.unite (place, outside);
      FOR_EACH_EDGE (e, i, bb->succs)
	search->places.unite (place, e->dest == EXIT_BLOCK_PTR_FOR_FN (cfun)
				       ? outside
				       : *search->starts.get (e->dest->index));
    }
}

/* Return how often FLOW is executed for each run of the function, as far as the
   compiler knows.  */
static double
frequency (const mip_flow *flow)
{
  bool is_known;
  sreal scale = BLOCK_FOR_INSN (flow->call)
		  ->count.to_sreal_scale (ENTRY_BLOCK_PTR_FOR_FN (cfun)->count,
					  &is_known);

  return is_known ? scale.to_double () : 1;
}

static int
compare_frequencies (const void *a, const void *b)
{
  const mip_flow *p = *(const mip_flow *const *) a;
  const mip_flow *q = *(const mip_flow *const *) b;
  double left = frequency (p), right = frequency (q);

  if (left != right)
    return left > right ? -1 : 1;
  return (p > q) - (p < q);
}

/* True if DECL, which is called, does not count calls with counters.  */
static bool
skipping_p (tree decl)
{
  return decl && (mip_entry_p (decl) || mip_entry_elsewhere_p (decl));
}

/* Return the name by which DECL, for which skipping_p holds, is ranked; NULL if
   it has no rank yet.  */
static const char *
rank_of (tree decl)
{
  const char **known = compiled.get (DECL_UID (decl));

  return known ? *known : mip_entry_least_name (decl);
}

/* True if the number of calls of FLOW, from the current function, may be
   computed: if the called function does not count it, it must not depend on
   that function's runs.  */
static bool
computable_p (const mip_flow *flow)
{
  tree callee = mip_callee (flow->call);

  if (!skipping_p (callee))
    return true;
  const char *name = mip_entry_least_name (current_function_decl);
  const char *rank = rank_of (callee);
  return rank && (!name || strcmp (rank, name) < 0);
}

/* Give the current function its rank.  */
static void
set_rank (const mip_function *function)
{
  const char *name = mip_entry_least_name (function->decl);
  const char *rank = name ? name : "";

  for (const mip_flow &flow : function->flows)
    {
      tree callee = mip_callee (flow.call);
      if (!name && !flow.is_counted && skipping_p (callee)
	  && strcmp (rank_of (callee), rank) > 0)
	rank = rank_of (callee);
    }
  compiled.put (DECL_UID (function->decl), xstrdup (rank));
}

/* Take the counters from the flows that form a tree of points.  */
static void
choose_counters (flow_search *search)
{
  auto_vec<mip_flow *> sorted;
  place_sets united;

  for (mip_flow &flow : *search->flows)
    if (computable_p (&flow))
      sorted.safe_push (&flow);
  sorted.qsort (compare_frequencies);
  united.parents.safe_splice (search->places.parents);
  for (mip_flow *flow : sorted)
    flow->is_counted = !united.unite (flow->from, flow->to);
}

/* Number the points: 0 is outside, 1 where each run starts.  */
static void
number_points (flow_search *search)
{
  basic_block first = single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun));
  hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, unsigned> numbers;
  unsigned start = search->places.find (*search->starts.get (first->index));

  numbers.put (search->places.find (outside), 0);
  if (start != search->places.find (outside))
    numbers.put (start, 1);
  unsigned last = 1;
  for (mip_flow &flow : *search->flows)
    for (unsigned *place : { &flow.from, &flow.to })
      {
	bool is_known;
	unsigned &number
	  = numbers.get_or_insert (search->places.find (*place), &is_known);
	if (!is_known)
	  number = ++last;
	*place = number;
      }
}

/* True if the current function certainly returns.  */
static bool
returns_p (void)
{
  basic_block bb;
  rtx_insn *insn;

  FOR_EACH_BB_FN (bb, cfun)
    {
      if (EDGE_COUNT (bb->succs) == 0)
	return false;
      FOR_BB_INSNS (bb, insn)
	if (NONDEBUG_INSN_P (insn) && may_stop_p (insn))
	  return false;
    }
  return !mark_dfs_back_edges ();
}

void
mip_flows_find (mip_function *function)
{
  flow_search search;
  unsigned uid = DECL_UID (function->decl);

  search.flows = &function->flows;
  search.places.add ();
  add_code (&search);
  choose_counters (&search);
  number_points (&search);
  set_rank (function);
  if (returns_p ())
    returning.add (uid);
}
