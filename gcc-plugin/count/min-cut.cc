/* Minimum cuts of graphs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Dinic's algorithm: find the distances of all nodes to node 1 in the arcs that
   have capacity left, fill ways that get nearer with each arc, and repeat until
   node 0 has no way left.  */

#include "gcc-compat.h"
#include "min-cut.h"

/* The maximum work, in visits of arcs.  */
static const unsigned HOST_WIDE_INT max_visits = 20 * 1000 * 1000;

min_cut::min_cut (unsigned n_nodes) : visits (0)
{
  lasts.safe_grow (n_nodes);
  levels.safe_grow (n_nodes);
  for (int &last : lasts)
    last = -1;
}

void
min_cut::add_arc (unsigned from, unsigned to, gcov_type capacity)
{
  arcs.safe_push ({ to, lasts[from], capacity });
  lasts[from] = arcs.length () - 1;
  arcs.safe_push ({ from, lasts[to], 0 });
  lasts[to] = arcs.length () - 1;
}

/* Set the levels.  Return true if node 0 has one.  */
bool
min_cut::find_levels (void)
{
  auto_vec<unsigned> queue (levels.length ());

  for (int &level : levels)
    level = -1;
  levels[1] = 0;
  queue.quick_push (1);
  for (unsigned i = 0; i < queue.length (); i++)
    for (int at = lasts[queue[i]]; at >= 0; at = arcs[at].next)
      {
	const unsigned from = arcs[at].to;
	visits++;
	if (levels[from] >= 0 || arcs[at ^ 1].left == 0)
	  continue;
	levels[from] = levels[queue[i]] + 1;
	queue.quick_push (from);
      }
  return levels[0] >= 0;
}

/* Fill all shortest ways from node 0 to node 1.  */
void
min_cut::push_flow (void)
{
  auto_vec<int> way;
  unsigned node = 0;

  nexts.truncate (0);
  nexts.safe_splice (lasts);
  for (;;)
    {
      if (node == 1)
	{
	  gcov_type least = never;
	  for (int at : way)
	    least = MIN (least, arcs[at].left);
	  for (int at : way)
	    {
	      arcs[at].left -= least;
	      arcs[at ^ 1].left += least;
	    }
	  way.truncate (0);
	  node = 0;
	}
      int *const at = &nexts[node];
      while (*at >= 0
	     && (arcs[*at].left == 0
		 || levels[arcs[*at].to] != levels[node] - 1))
	{
	  *at = arcs[*at].next;
	  visits++;
	}
      visits++;
      if (*at >= 0)
	{
	  way.safe_push (*at);
	  node = arcs[*at].to;
	  continue;
	}
      if (way.is_empty () || visits > max_visits)
	return;
      /* No way leads on from here.  */
      const int back = way.pop ();
      node = arcs[back ^ 1].to;
      nexts[node] = arcs[back].next;
    }
}

bool
min_cut::solve (void)
{
  while (visits <= max_visits)
    {
      if (!find_levels ())
	return true;
      push_flow ();
    }
  return false;
}
