/* Which segments of paths count, so that updates are cheap.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_SOLVE_H
#define HEAPPROF_MERGE_SOLVE_H

#include "merge-graph.h"

/* What is known about a segment while one window is looked at.  */
struct segment_counts
{
  /* Accesses that it makes.  */
  HOST_WIDE_INT made;
  /* It may count without making any.  */
  bool may_count;
  /* What it shall count, not less than 0.  */
  HOST_WIDE_INT counted;
};

/* Junctions whose OWED are known relative to each other.  */
struct owed_sets
{
  auto_vec<unsigned> parents;
  /* OWED of the junction less that of its parent.  */
  auto_vec<HOST_WIDE_INT> differences;
};

struct count_solver
{
  const path_graph *graph;
  /* What an update costs besides being run, in the unit of the profile.  */
  gcov_type update_price;
  /* By segment of the graph; MADE and MAY_COUNT are the caller's to fill in. */
  auto_vec<segment_counts> segments;
  owed_sets owed;
  /* Work done so far, in visits of segments.  */
  unsigned HOST_WIDE_INT visits;
};

/* Make SOLVER one for GRAPH.  */
void init_solver (count_solver *solver, const path_graph *graph,
		  gcov_type update_price);

/* Decide what the segments from BEGIN up to END count, which are a component of
   the graph.  The sum along each path is what the segments make.  Return false
   if nothing is better than that each segment counts what it makes.  */
bool solve_counts (count_solver *solver, unsigned begin, unsigned end);

#endif /* HEAPPROF_MERGE_SOLVE_H */
