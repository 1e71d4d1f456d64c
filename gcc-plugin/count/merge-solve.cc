/* Which segments of paths count, so that updates are cheap.
   SPDX-License-Identifier: GPL-3.0-or-later

   What counts is the sum along each path, from one settled junction to the
   next (merge-graph.h).  Let OWED (j) be the number of accesses to a window
   that were made before junction j and will be counted behind it; less than 0
   if they are counted before they are made; 0 at the settled junction.  Then a
   segment from junction i to j with N accesses has to count

     N + OWED (i) - OWED (j)

   and whatever OWED is, the sum along each path stays the same.  So choose OWED
   such that this is 0 for segments that run often, and below 0 for none.

   First by a maximum spanning tree of the graph of junctions: all of its
   segments count nothing.  But what the others then have to count may be less
   than nothing, and it may be more updates than before.  So, from there or else
   from what each segment makes, go on by steps: as long as it gets cheaper,
   what is owed at some junction is raised until one more of the segments that
   lead there counts nothing, or lowered until one that leads from there
   does.  */

#include "gcc-compat.h"
#include "merge-solve.h"

/* The steps go through all junctions so often at most.  */
static const unsigned max_rounds = 16;

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

/* What updates cost from BEGIN up to END if each segment counts what NUMBER
   says.  */
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

/* True if what the segments count is cheaper than what they make.  */
static bool
cheaper_p (const count_solver *solver, unsigned begin, unsigned end)
{
  return (cost_of (solver, begin, end, &segment_counts::counted)
	  < cost_of (solver, begin, end, &segment_counts::made));
}

/* Let each junction that segments from BEGIN up to END lead from or to be a set
   of its own.  */
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

/* The representative of JUNCTION's set.  Set DIFFERENCE to OWED (JUNCTION) -
   OWED (representative).  */
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

/* What SEGMENT has to count if it makes MADE accesses.  If that is open
   decide that it be nothing.  */
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

/* First those which had better not count.  */
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

/* Decide by a spanning tree.  Segments that make no accesses may count if
   ALLOW_NEW; without, one is found where that fails, and steps get a little
   further from it than from what is made.  Return false if it does not work or
   is no better than what the segments make.  */
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

/* Segments that can count and lead from one to another of the places between
   which segments that cannot leave no difference.  Place 0 is that of the
   settled junction.  */
struct segment_places
{
  struct link
  {
    unsigned segment;
    unsigned in, out;
  };
  auto_vec<link> links;
  /* The links from and to place I are those whose numbers are in AROUND from
     FIRST[I] up to FIRST[I + 1].  */
  auto_vec<unsigned> around;
  auto_vec<unsigned> first;
};

/* The number of the place of JUNCTION in NUMBERS, a new one if it has none.  */
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
  /* From numbers to ends, and by filling to beginnings.  */
  for (unsigned &first : places->first)
    first = sum += first;
  places->around.safe_grow_cleared (sum);
  for (unsigned i = 0; i < places->links.length (); i++)
    {
      places->around[--places->first[places->links[i].in]] = i;
      places->around[--places->first[places->links[i].out]] = i;
    }
}

/* Raise what is owed at PLACE, or lower it, if that makes updates cheaper.  */
static bool
step_at_place (count_solver *solver, const segment_places &places,
	       unsigned place, bool raise)
{
  HOST_WIDE_INT step = HOST_WIDE_INT_MAX;
  gcov_type gain = 0;

  for (unsigned i = places.first[place]; i < places.first[place + 1]; i++)
    {
      const segment_places::link &link = places.links[places.around[i]];
      const segment_counts &counts = solver->segments[link.segment];
      if ((link.out == place) == raise)
	step = MIN (step, counts.counted);
    }
  if (step == 0 || step == HOST_WIDE_INT_MAX)
    return false;
  for (unsigned i = places.first[place]; i < places.first[place + 1]; i++)
    {
      const segment_places::link &link = places.links[places.around[i]];
      const segment_counts &counts = solver->segments[link.segment];
      if ((link.out == place) == raise)
	gain += counts.counted == step ? update_cost (solver, link.segment) : 0;
      else
	gain -= counts.counted == 0 ? update_cost (solver, link.segment) : 0;
    }
  if (gain <= 0)
    return false;
  for (unsigned i = places.first[place]; i < places.first[place + 1]; i++)
    {
      const segment_places::link &link = places.links[places.around[i]];
      segment_counts *counts = &solver->segments[link.segment];
      counts->counted += (link.out == place) == raise ? -step : step;
    }
  return true;
}

/* Make what the segments count cheaper step by step.  */
static void
improve_by_steps (count_solver *solver, unsigned begin, unsigned end)
{
  segment_places places;
  bool changed = true;

  find_places (solver, begin, end, &places);
  for (unsigned round = 0; changed && round < max_rounds; round++)
    {
      changed = false;
      for (unsigned place = 1; place + 1 < places.first.length (); place++)
	{
	  changed |= step_at_place (solver, places, place, true);
	  changed |= step_at_place (solver, places, place, false);
	}
      solver->visits += places.around.length ();
    }
}

/* Do the segments from BEGIN up to END count, in sum along each path, what they
   make, and only where they can?  Found out without what decided it.  */
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
