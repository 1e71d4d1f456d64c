/* Graph of the paths along which counts can be moved in a function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_GRAPH_H
#define HEAPPROF_MERGE_GRAPH_H

/* The junction at which all counts must be complete, because the function may
   end there or a loop begins its next iteration.  */
static const unsigned settled_junction = 0;

/* Code that either runs completely or not at all: a block, the part of a block
   before the first or after the last statement that a count cannot be moved
   across, or an edge that can be split.  */
struct path_segment
{
  /* NULL if the segment is an edge.  */
  basic_block block;
  edge split_edge;
  /* The junctions at its start and end.  */
  unsigned in, out;
  /* How often it runs, in units of the function's profile.  */
  gcov_type frequency;
  /* True if it starts at the start of BLOCK, and ends at its end.  */
  bool is_head, is_tail;
};

/* Segments meet at junctions.  A path leads from the settled junction along
   segments back to the settled junction and uses no segment twice.  Which
   segment a path takes next is decided at the junction, so a property holds at
   a junction if it holds at the end of every segment that leads there.  */
struct path_graph
{
  /* The segments of a component are contiguous.  Within a component each
     segment follows those that lead to it, except along back edges.  */
  auto_vec<path_segment> segments;
  /* The start of each component in SEGMENTS, and the end of the last.
     Components share only the settled junction.  */
  auto_vec<unsigned> components;
  unsigned n_junctions;
  /* For each block, by index: the segment at its start and the segment at its
     end, or -1 if no count can leave that segment.  They are the same segment
     if nothing in the block stops a path.  */
  auto_vec<int> heads, tails;
};

/* Return how often code with COUNT runs, 1 if unknown.  */
gcov_type profile_frequency (profile_count count);

/* True if counts must not be moved across STATEMENT.  */
bool stops_path_p (const function *fun, gimple *statement);

/* Build GRAPH.  If AROUND_LOOPS, paths also lead along back edges: then what is
   owed at a junction (merge-solve.cc) must be the same after an iteration as
   before it, and counts need not be complete where a loop begins.  This is for
   windows that are the same in all iterations.  */
void build_path_graph (function *fun, bool around_loops, path_graph *graph);

#endif /* HEAPPROF_MERGE_GRAPH_H */
