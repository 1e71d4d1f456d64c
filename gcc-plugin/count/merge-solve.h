/* Solver that chooses the segments of paths that count, so that updates are
   cheap.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_SOLVE_H
#define HEAPPROF_MERGE_SOLVE_H

#include "merge-graph.h"

/* The counts of a segment for one window.  */
struct segment_counts
{
  /* The number of accesses that it makes.  */
  HOST_WIDE_INT made;
  /* It may count even if it makes none.  */
  bool may_count;
  /* The number of accesses that it counts, at least 0.  */
  HOST_WIDE_INT counted;
};

/* Sets of junctions whose OWED (merge-solve.cc) are known relative to each
   other.  */
struct owed_sets
{
  auto_vec<unsigned> parents;
  /* OWED of the junction minus that of its parent.  */
  auto_vec<HOST_WIDE_INT> differences;
};

struct count_solver
{
  const path_graph *graph;
  /* The cost of an update in addition to its executions, in units of the
     profile.  */
  gcov_type update_price;
  /* By segment of the graph.  The caller fills in MADE and MAY_COUNT.  */
  auto_vec<segment_counts> segments;
  owed_sets owed;
  /* Work done so far, in visits of segments.  */
  unsigned HOST_WIDE_INT visits;
};

/* Initialize SOLVER for GRAPH.  */
void init_solver (count_solver *solver, const path_graph *graph,
		  gcov_type update_price);

/* Choose what the segments from BEGIN up to END, a component of the graph,
   count.  The sum along each path stays the number of accesses made.  Return
   false if no placement is cheaper than the original one.  */
bool solve_counts (count_solver *solver, unsigned begin, unsigned end);

#endif /* HEAPPROF_MERGE_SOLVE_H */
