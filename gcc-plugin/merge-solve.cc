/* Which segments of paths count, so that updates are cheap.
   SPDX-License-Identifier: GPL-3.0-or-later

   What counts is the sum along each path, from one settled junction to the
   next (merge-graph.h).  Let OWED (j) be the number of accesses to a window
   that were made before junction j and will be counted behind it; less than 0
   if they are counted before they are made; 0 at the settled junction.  Then a
   segment from junction i to j with N accesses has to count

     N + OWED (i) - OWED (j)

   and whatever OWED is, the sum along each path stays the same.  So choose OWED
   such that this is 0 for the segments that run most: those of a maximum
   spanning tree of the graph of junctions.  */

#include "gcc-compat.h"
#include "merge-solve.h"

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

/* What the updates cost if each segment counts what it makes.  */
static gcov_type
cost_as_made (const count_solver *solver, unsigned begin, unsigned end)
{
  gcov_type cost = 0;

  for (unsigned i = begin; i < end; i++)
    if (solver->segments[i].made)
      cost += update_cost (solver, i);
  return cost;
}

/* The same as they are.  */
static gcov_type
cost_as_counted (const count_solver *solver, unsigned begin, unsigned end)
{
  gcov_type cost = 0;

  for (unsigned i = begin; i < end; i++)
    if (solver->segments[i].counted)
      cost += update_cost (solver, i);
  return cost;
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
   ALLOW_NEW.  Return false if that does not work or is no better than what the
   segments make.  */
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
  return (cost_as_counted (solver, begin, end)
	  < cost_as_made (solver, begin, end));
}

bool
solve_counts (count_solver *solver, unsigned begin, unsigned end)
{
  solver->visits += end - begin;
  return (solve_by_tree (solver, begin, end, true)
	  || solve_by_tree (solver, begin, end, false));
}
