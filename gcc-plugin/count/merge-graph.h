/* The paths of a function along which counts can be moved.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_GRAPH_H
#define HEAPPROF_MERGE_GRAPH_H

/* The junction at which all counts must be complete: the function may end, or
   a loop goes round.  */
static const unsigned settled_junction = 0;

/* Code that runs from its beginning to its end if it runs at all: a block, the
   part of a block in front of the first statement or behind the last one that
   a count cannot be moved across, or an edge that can be split.  */
struct path_segment
{
  /* NULL if this is an edge.  */
  basic_block block;
  edge split_edge;
  /* The junctions that it leads from and to.  */
  unsigned in, out;
  /* How often it runs, in the unit of the function's profile.  */
  gcov_type frequency;
  /* Whether it begins where the block begins, and ends where that ends.  */
  bool is_head, is_tail;
};

/* Segments meet at junctions.  A path goes from the settled junction along
   segments back to it, and through no segment twice.  Which segment is entered
   at a junction is decided there, so something is true at a junction if it is
   at the ends of all segments that lead there.  */
struct path_graph
{
  /* Those of one component follow each other, and within one, each segment
     follows those that lead to it, but for loops.  */
  auto_vec<path_segment> segments;
  /* Where each component begins in SEGMENTS, and the end.  Components have no
     junction in common but the settled one.  */
  auto_vec<unsigned> components;
  unsigned n_junctions;
  /* By the index of a block: the segment from its beginning and that to its
     end, or -1 if no count can leave that.  They are the same if nothing in
     the block stops a path.  */
  auto_vec<int> heads, tails;
};

/* How often what has COUNT runs, 1 if nobody knows.  */
gcov_type profile_frequency (profile_count count);

/* True if no count may be moved across STATEMENT.  */
bool stops_path_p (const function *fun, gimple *statement);

/* Build GRAPH.  If AROUND_LOOPS, paths go round loops as well: what leads back
   to a junction must then leave OWED as it was, and nothing need be settled
   where a loop begins.  That is for windows that stay the same in all
   iterations.  */
void build_path_graph (function *fun, bool around_loops, path_graph *graph);

#endif /* HEAPPROF_MERGE_GRAPH_H */
