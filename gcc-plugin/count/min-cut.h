/* Minimum cuts of graphs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIN_CUT_H
#define HEAPPROF_MIN_CUT_H

/* A graph of nodes that each get a side, 0 or 1.  Node 0 has side 0, node 1 has
   side 1.  An arc costs its capacity if it leads from side 0 to side 1.  */
class min_cut
{
public:
  /* The capacity of arcs that may not lead from side 0 to side 1.  */
  static const gcov_type never = (gcov_type) 1 << 60;

  min_cut (unsigned n_nodes);
  void add_arc (unsigned from, unsigned to, gcov_type capacity);
  /* Choose sides such that the cost is minimal, and that as few nodes as
     possible have side 1 then.  Return false if that takes too long.  */
  bool solve (void);
  /* The side of NODE, after solve.  */
  bool side (unsigned node) const { return levels[node] >= 0; }

private:
  /* Arc I ^ 1 is the reverse of arc I.  */
  struct arc
  {
    unsigned to;
    int next;
    gcov_type left;
  };
  auto_vec<arc> arcs;
  /* For each node, its last arc, -1 if none; the next one to be tried; and the
     length of the shortest way to node 1, -1 if there is none.  */
  auto_vec<int> lasts, nexts, levels;
  unsigned HOST_WIDE_INT visits;

  bool find_levels (void);
  void push_flow (void);
};

#endif /* HEAPPROF_MIN_CUT_H */
