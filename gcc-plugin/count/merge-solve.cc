/* Solver that chooses the segments of paths that count, so that updates are
   cheap.
   SPDX-License-Identifier: GPL-3.0-or-later

   The counters are right if, along each path from one settled junction to the
   next (merge-graph.h), the segments count as many accesses as they make.  Let
   OWED (j) be the number of accesses to a window that are made before junction
   j and counted after it.  It is negative if accesses are counted before they
   are made, and 0 at the settled junction.  A segment from junction i to
   junction j that makes N accesses must count

     N + OWED (i) - OWED (j)

   accesses, and with any choice of OWED the sums along all paths are right.
   Choose OWED such that segments that run often count 0, which needs no update,
   and that no segment counts less than 0.

   The first attempt is a maximum spanning tree of the graph of junctions,
   weighted by frequency: all segments in the tree count 0.  However, segments
   outside the tree may then count less than 0, or the updates may cost more
   than before.  In that case start from the original placement, where each
   segment counts the accesses that it makes.  Then improve the solution in
   steps: as long as the cost falls, raise OWED at a junction until one more of
   the segments leading to it counts 0, or lower it until one more of the
   segments leading from it does.  If such a segment counts 0 already, do so at
   both of its ends together, and so on.  */

#include "gcc-compat.h"
#include "merge-solve.h"

/* The maximum number of rounds of steps through all junctions.  */
static const unsigned max_rounds = 16;

/* The maximum number of places at which OWED changes in one step.  */
static const unsigned max_group = 32;

void
init_solver (count_solver *solver, const path_graph *graph,
	     gcov_type update_price)
{
  solver->graph = graph;
  solver->update_price = update_price;
  solver->segments.safe_grow_cleared (graph->segments.length ());
  solver->owed.parents.safe_grow_cleared (graph->n_junctions);
  solver->owed.differences.safe_grow_cleared (graph->n_junctions);
}

static gcov_type
update_cost (const count_solver *solver, unsigned segment)
{
  return solver->graph->segments[segment].frequency + solver->update_price;
}

/* Return the cost of the updates in the segments from BEGIN up to END if each
   segment counts NUMBER, a member of segment_counts.  */
static gcov_type
cost_of (const count_solver *solver, unsigned begin, unsigned end,
	 HOST_WIDE_INT segment_counts::*number)
{
  gcov_type cost = 0;

  for (unsigned i = begin; i < end; i++)
    if (solver->segments[i].*number)
      cost += update_cost (solver, i);
  return cost;
}

/* True if the chosen placement is cheaper than the original one.  */
static bool
cheaper_p (const count_solver *solver, unsigned begin, unsigned end)
{
  return (cost_of (solver, begin, end, &segment_counts::counted)
	  < cost_of (solver, begin, end, &segment_counts::made));
}

/* Put each junction of the segments from BEGIN up to END into a set of its
   own.  */
static void
separate_junctions (count_solver *solver, unsigned begin, unsigned end)
{
  for (unsigned i = begin; i < end; i++)
    {
      const path_segment &segment = solver->graph->segments[i];
      solver->owed.parents[segment.in] = segment.in;
      solver->owed.parents[segment.out] = segment.out;
    }
}

/* Return the representative of JUNCTION's set.  Set *DIFFERENCE to OWED
   (JUNCTION) - OWED (representative).  */
static unsigned
find_owed (owed_sets *sets, unsigned junction, HOST_WIDE_INT *difference)
{
  unsigned representative = junction;
  HOST_WIDE_INT left = 0;

  for (; sets->parents[representative] != representative;
       representative = sets->parents[representative])
    left += sets->differences[representative];
  *difference = left;
  while (junction != representative)
    {
      const unsigned next = sets->parents[junction];
      const HOST_WIDE_INT step = sets->differences[junction];
      sets->parents[junction] = representative;
      sets->differences[junction] = left;
      left -= step;
      junction = next;
    }
  return representative;
}

/* Return the number of accesses that SEGMENT must count if it makes MADE
   accesses.  If the OWED of its ends are not yet related, relate them so that
   the number is 0.  */
static HOST_WIDE_INT
settle_segment (owed_sets *sets, const path_segment &segment,
		HOST_WIDE_INT made)
{
  HOST_WIDE_INT owed_in, owed_out;
  const unsigned in = find_owed (sets, segment.in, &owed_in);
  const unsigned out = find_owed (sets, segment.out, &owed_out);

  if (in == out)
    return made + owed_in - owed_out;
  sets->parents[out] = in;
  sets->differences[out] = made + owed_in - owed_out;
  return 0;
}

/* A segment that can count.  */
struct able_segment
{
  unsigned segment;
  bool makes_accesses;
  gcov_type frequency;
};

/* Most frequent first: these should count 0.  */
static int
compare_able_segments (const void *left, const void *right)
{
  const able_segment *a = (const able_segment *) left;
  const able_segment *b = (const able_segment *) right;

  if (a->frequency != b->frequency)
    return a->frequency > b->frequency ? -1 : 1;
  if (a->makes_accesses != b->makes_accesses)
    return a->makes_accesses ? 1 : -1;
  return a->segment > b->segment ? -1 : a->segment < b->segment;
}

/* Choose a placement with a spanning tree.  With ALLOW_NEW, segments without
   accesses may count.  Without it, a tree is sometimes found where ALLOW_NEW
   fails, and it is a better start for improve_by_steps than the original
   placement.  Return false if some segment would count less than 0, or if the
   placement is no cheaper than the original one.  */
static bool
solve_by_tree (count_solver *solver, unsigned begin, unsigned end,
	       bool allow_new)
{
  auto_vec<able_segment> able;

  separate_junctions (solver, begin, end);
  for (unsigned i = begin; i < end; i++)
    {
      const path_segment &segment = solver->graph->segments[i];
      segment_counts *counts = &solver->segments[i];
      counts->counted = 0;
      if (counts->made || (allow_new && counts->may_count))
	able.safe_push ({ i, counts->made != 0, segment.frequency });
      else
	settle_segment (&solver->owed, segment, 0);
    }
  able.qsort (compare_able_segments);
  for (const able_segment &next : able)
    {
      segment_counts *counts = &solver->segments[next.segment];
      counts->counted
	= settle_segment (&solver->owed, solver->graph->segments[next.segment],
			  counts->made);
      if (counts->counted < 0)
	return false;
    }
  return cheaper_p (solver, begin, end);
}

/* A place is a set of junctions connected by segments that cannot count, which
   have the same OWED.  Links are the segments that can count and lead from one
   place to another.  Place 0 contains the settled junction.  */
struct segment_places
{
  struct link
  {
    unsigned segment;
    unsigned in, out;
  };
  auto_vec<link> links;
  /* Indices of links.  Those of the links from and to place I are
     AROUND[FIRST[I]] up to AROUND[FIRST[I + 1]].  */
  auto_vec<unsigned> around;
  auto_vec<unsigned> first;
};

/* Return the number of the place of JUNCTION in NUMBERS.  Give a new place the
   next number.  */
static unsigned
number_place (count_solver *solver, unsigned junction,
	      hash_map<int_hash<unsigned, -1U, -2U>, unsigned> *numbers)
{
  HOST_WIDE_INT difference;
  const unsigned place = find_owed (&solver->owed, junction, &difference);
  const unsigned next = numbers->elements ();
  bool existed;
  unsigned *number = &numbers->get_or_insert (place, &existed);

  if (!existed)
    *number = next;
  return *number;
}

/* Fill in PLACES for the segments from BEGIN up to END.  */
static void
find_places (count_solver *solver, unsigned begin, unsigned end,
	     segment_places *places)
{
  hash_map<int_hash<unsigned, -1U, -2U>, unsigned> numbers;
  unsigned sum = 0;

  separate_junctions (solver, begin, end);
  solver->owed.parents[settled_junction] = settled_junction;
  for (unsigned i = begin; i < end; i++)
    if (!solver->segments[i].made && !solver->segments[i].may_count)
      settle_segment (&solver->owed, solver->graph->segments[i], 0);
  number_place (solver, settled_junction, &numbers);
  for (unsigned i = begin; i < end; i++)
    {
      const path_segment &segment = solver->graph->segments[i];
      if (!solver->segments[i].made && !solver->segments[i].may_count)
	continue;
      const unsigned in = number_place (solver, segment.in, &numbers);
      const unsigned out = number_place (solver, segment.out, &numbers);
      if (in != out)
	places->links.safe_push ({ i, in, out });
    }
  places->first.safe_grow_cleared (numbers.elements () + 1);
  for (const segment_places::link &link : places->links)
    {
      places->first[link.in]++;
      places->first[link.out]++;
    }
  /* Turn the numbers of links into end positions.  Filling AROUND backwards
     then turns these into start positions.  */
  for (unsigned &first : places->first)
    first = sum += first;
  places->around.safe_grow_cleared (sum);
  for (unsigned i = 0; i < places->links.length (); i++)
    {
      places->around[--places->first[places->links[i].in]] = i;
      places->around[--places->first[places->links[i].out]] = i;
    }
}

/* Places at which OWED is raised or lowered together.  */
struct place_group
{
  auto_vec<unsigned> members;
  auto_vec<bool> has;
};

/* True if LINK has exactly one end in GROUP, so that its count changes.  If
   OWED is raised there, the count of a link that leads into the group falls and
   that of one that leads out rises; *FALLS is set accordingly.  */
static bool
changes_p (const place_group &group, const segment_places::link &link,
	   bool raise, bool *falls)
{
  *falls = group.has[link.out] == raise;
  return group.has[link.in] != group.has[link.out];
}

static void
add_place (place_group *group, unsigned place)
{
  group->has[place] = true;
  group->members.safe_push (place);
}

/* Make PLACE a group, with the places without which the step is impossible,
   because a segment would count less than 0; and if WITH_IDLE, with those for
   which segments that count 0 need not begin to count.  Return false if the
   settled junction is one of them, or they are too many.  */
static bool
gather_places (count_solver *solver, const segment_places &places,
	       unsigned place, bool raise, bool with_idle, place_group *group)
{
  add_place (group, place);
  for (unsigned i = 0; i < group->members.length (); i++)
    {
      const unsigned member = group->members[i];
      solver->visits += places.first[member + 1] - places.first[member];
      for (unsigned j = places.first[member]; j < places.first[member + 1]; j++)
	{
	  const segment_places::link &link = places.links[places.around[j]];
	  bool falls;
	  if (!changes_p (*group, link, raise, &falls)
	      || solver->segments[link.segment].counted != 0
	      || (!falls && !with_idle))
	    continue;
	  const unsigned other = link.in == member ? link.out : link.in;
	  if (other == 0 || group->members.length () == max_group)
	    return false;
	  add_place (group, other);
	}
    }
  return true;
}

/* Raise OWED at the places of GROUP if RAISE, else lower it, until one more
   segment counts 0, if that makes updates cheaper.  */
static bool
step_group (count_solver *solver, const segment_places &places,
	    const place_group &group, bool raise)
{
  HOST_WIDE_INT step = HOST_WIDE_INT_MAX;
  auto_vec<unsigned> changing;
  gcov_type gain = 0;
  bool falls;

  for (unsigned member : group.members)
    for (unsigned i = places.first[member]; i < places.first[member + 1]; i++)
      {
	const segment_places::link &link = places.links[places.around[i]];
	if (!changes_p (group, link, raise, &falls))
	  continue;
	changing.safe_push (places.around[i]);
	if (falls)
	  step = MIN (step, solver->segments[link.segment].counted);
      }
  if (step == 0 || step == HOST_WIDE_INT_MAX)
    return false;
  for (unsigned i : changing)
    {
      const segment_places::link &link = places.links[i];
      const segment_counts &counts = solver->segments[link.segment];
      changes_p (group, link, raise, &falls);
      if (falls)
	gain += counts.counted == step ? update_cost (solver, link.segment) : 0;
      else
	gain -= counts.counted == 0 ? update_cost (solver, link.segment) : 0;
    }
  if (gain <= 0)
    return false;
  for (unsigned i : changing)
    {
      const segment_places::link &link = places.links[i];
      changes_p (group, link, raise, &falls);
      solver->segments[link.segment].counted += falls ? -step : step;
    }
  return true;
}

/* Raise OWED at PLACE if RAISE, else lower it, there alone or together with
   other places, if that makes updates cheaper.  */
static bool
step_at_place (count_solver *solver, const segment_places &places,
	       place_group *group, unsigned place, bool raise)
{
  bool changed = false;

  for (int with_idle = 0; with_idle < 2 && !changed; with_idle++)
    {
      changed = (gather_places (solver, places, place, raise, with_idle, group)
		 && step_group (solver, places, *group, raise));
      for (unsigned member : group->members)
	group->has[member] = false;
      group->members.truncate (0);
    }
  return changed;
}

/* Make the placement cheaper step by step.  */
static void
improve_by_steps (count_solver *solver, unsigned begin, unsigned end)
{
  segment_places places;
  place_group group;
  bool changed = true;

  find_places (solver, begin, end, &places);
  group.has.safe_grow_cleared (places.first.length ());
  for (unsigned round = 0; changed && round < max_rounds; round++)
    {
      changed = false;
      for (unsigned place = 1; place + 1 < places.first.length (); place++)
	{
	  changed |= step_at_place (solver, places, &group, place, true);
	  changed |= step_at_place (solver, places, &group, place, false);
	}
      solver->visits += places.around.length ();
    }
}

/* True if the segments from BEGIN up to END count, in total along each path,
   the accesses that they make, and count only where they can.  This check does
   not use the solver's values of OWED.  */
static bool
sums_hold_p (count_solver *solver, unsigned begin, unsigned end)
{
  owed_sets *const sets = &solver->owed;

  separate_junctions (solver, begin, end);
  for (unsigned i = begin; i < end; i++)
    {
      const segment_counts &counts = solver->segments[i];
      const path_segment &segment = solver->graph->segments[i];
      HOST_WIDE_INT owed_in, owed_out;
      const unsigned in = find_owed (sets, segment.in, &owed_in);
      const unsigned out = find_owed (sets, segment.out, &owed_out);
      const HOST_WIDE_INT left
	= counts.made - counts.counted + owed_in - owed_out;

      if (counts.counted < 0
	  || (counts.counted > 0 && counts.made == 0 && !counts.may_count)
	  || (in == out && left != 0))
	return false;
      if (in != out)
	{
	  sets->parents[out] = in;
	  sets->differences[out] = left;
	}
    }
  return true;
}

bool
solve_counts (count_solver *solver, unsigned begin, unsigned end)
{
  solver->visits += end - begin;
  if (!solve_by_tree (solver, begin, end, true)
      && !solve_by_tree (solver, begin, end, false))
    for (unsigned i = begin; i < end; i++)
      solver->segments[i].counted = solver->segments[i].made;
  improve_by_steps (solver, begin, end);
  if (flag_checking && !sums_hold_p (solver, begin, end))
    internal_error ("heapprof: counts along paths do not add up");
  return cheaper_p (solver, begin, end);
}
