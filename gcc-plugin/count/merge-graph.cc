/* Graph of the paths along which counts can be moved in a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each block has a junction before it and one after it.  An edge makes the
   junction after its source and the one before its destination the same, unless
   it is critical and becomes a segment itself.  All of the following are the
   settled junction: both ends of edges taken by exceptions and the like;
   statements that stop paths; and, in a graph for windows that change while a
   loop runs, both ends of back edges.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "merge-graph.h"
#include "merge-region.h"

/* Union-find sets of junctions.  */
struct junction_sets
{
  auto_vec<unsigned> parents;
};

static unsigned
find_set (junction_sets *sets, unsigned junction)
{
  while (sets->parents[junction] != junction)
    {
      sets->parents[junction] = sets->parents[sets->parents[junction]];
      junction = sets->parents[junction];
    }
  return junction;
}

/* Merge the sets of A and B.  The settled junction represents its own set.  */
static void
join_sets (junction_sets *sets, unsigned a, unsigned b)
{
  a = find_set (sets, a);
  b = find_set (sets, b);
  sets->parents[MAX (a, b)] = MIN (a, b);
}

static void
init_sets (junction_sets *sets, unsigned n)
{
  sets->parents.safe_grow (n);
  for (unsigned i = 0; i < n; i++)
    sets->parents[i] = i;
}

static unsigned
junction_before (const_basic_block block)
{
  return 2 * block->index + 1;
}

static unsigned
junction_behind (const_basic_block block)
{
  return 2 * block->index + 2;
}

bool
stops_path_p (const function *fun, gimple *statement)
{
  return (may_not_return_p (fun, statement) || may_lose_block_p (statement));
}

gcov_type
profile_frequency (profile_count count)
{
  return count.initialized_p () ? count.to_gcov_type () : 1;
}

/* True if BACK leads to the next iteration of a loop that can end.  Accesses
   owed in an endless loop would never be counted.  */
static bool
iterates_p (const_edge back)
{
  class loop *loop = back->dest->loop_father;

  return (loop->header == back->dest && !(back->flags & EDGE_IRREDUCIBLE_LOOP)
	  && flow_bb_inside_loop_p (loop, back->src)
	  && !get_loop_exit_edges (loop).is_empty ());
}

/* True if paths lead along SUCCESSOR.  POSITIONS are those of the blocks in an
   order in which only edges of cycles go back.  */
static bool
edge_on_path_p (const_edge successor, const int *positions, bool around_loops)
{
  const int complex_flags = EDGE_EH | EDGE_ABNORMAL_CALL | EDGE_FAKE;

  if (successor->dest->index == EXIT_BLOCK
      || successor->src->index == ENTRY_BLOCK
      || (successor->flags & complex_flags))
    return false;
  if (positions[successor->src->index] >= positions[successor->dest->index]
      && !(around_loops && iterates_p (successor)))
    return false;
  if (!(successor->flags & EDGE_ABNORMAL))
    return true;
  /* A computed goto is only a jump; other abnormal edges are not.  */
  gimple_stmt_iterator last = gsi_last_nondebug_bb (successor->src);
  return !gsi_end_p (last) && computed_goto_p (gsi_stmt (last));
}

/* Add the edges that leave BLOCK.  */
static void
add_edges (path_graph *graph, junction_sets *sets, basic_block block,
	   const int *positions, bool around_loops)
{
  edge successor;
  edge_iterator iterator;

  FOR_EACH_EDGE (successor, iterator, block->succs)
    {
      const unsigned from = junction_behind (block);
      const unsigned to = junction_before (successor->dest);
      if (!edge_on_path_p (successor, positions, around_loops))
	{
	  join_sets (sets, from, settled_junction);
	  join_sets (sets, to, settled_junction);
	}
      else if (EDGE_CRITICAL_P (successor)
	       && !(successor->flags & EDGE_ABNORMAL))
	{
	  path_segment segment = {
	    NULL, successor, from, to, profile_frequency (successor->count ()),
	    true, true
	  };
	  graph->segments.safe_push (segment);
	}
      else
	join_sets (sets, from, to);
    }
}

static void
add_block (function *fun, path_graph *graph, basic_block block)
{
  path_segment segment = { block,
			   NULL,
			   junction_before (block),
			   junction_behind (block),
			   profile_frequency (block->count),
			   true,
			   true };
  bool stops = EDGE_COUNT (block->succs) == 0;

  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (block);
       !gsi_end_p (gsi) && !stops; gsi_next_nondebug (&gsi))
    stops = stops_path_p (fun, gsi_stmt (gsi));
  if (!stops)
    {
      graph->segments.safe_push (segment);
      return;
    }
  segment.out = settled_junction;
  segment.is_tail = false;
  graph->segments.safe_push (segment);
  segment.in = settled_junction;
  segment.out = junction_behind (block);
  segment.is_head = false;
  segment.is_tail = true;
  graph->segments.safe_push (segment);
}

/* Replace the junctions of the segments by the sets that contain them, and
   merge the sets that belong to the same component.  */
static void
number_junctions (path_graph *graph, junction_sets *sets,
		  junction_sets *components)
{
  for (path_segment &segment : graph->segments)
    {
      segment.in = find_set (sets, segment.in);
      segment.out = find_set (sets, segment.out);
      if (segment.in != settled_junction && segment.out != settled_junction)
	join_sets (components, segment.in, segment.out);
    }
}

/* Sort the segments by component and keep their order within a component.
   Remove those that begin and end at the settled junction, because no counts
   can be moved out of them.  */
static void
sort_segments (path_graph *graph, junction_sets *components)
{
  auto_vec<unsigned> sizes (graph->n_junctions);
  auto_vec<path_segment> sorted;
  unsigned n = 0;

  sizes.safe_grow_cleared (graph->n_junctions);
  for (const path_segment &segment : graph->segments)
    {
      unsigned junction = MAX (segment.in, segment.out);
      sizes[find_set (components, junction)]++;
    }
  /* From sizes to start positions.  */
  sizes[settled_junction] = 0;
  for (unsigned &size : sizes)
    {
      unsigned begin = n;
      if (size)
	graph->components.safe_push (begin);
      n += size;
      size = begin;
    }
  graph->components.safe_push (n);
  sorted.safe_grow (n);
  for (const path_segment &segment : graph->segments)
    {
      unsigned junction = MAX (segment.in, segment.out);
      if (junction != settled_junction)
	sorted[sizes[find_set (components, junction)]++] = segment;
    }
  graph->segments.truncate (0);
  graph->segments.safe_splice (sorted);
}

static void
note_block_segments (function *fun, path_graph *graph)
{
  graph->heads.safe_grow (last_basic_block_for_fn (fun));
  graph->tails.safe_grow (last_basic_block_for_fn (fun));
  for (int &head : graph->heads)
    head = -1;
  for (int &tail : graph->tails)
    tail = -1;
  for (unsigned i = 0; i < graph->segments.length (); i++)
    {
      const path_segment &segment = graph->segments[i];
      if (!segment.block)
	continue;
      if (segment.is_head)
	graph->heads[segment.block->index] = i;
      if (segment.is_tail)
	graph->tails[segment.block->index] = i;
    }
}

void
build_path_graph (function *fun, bool around_loops, path_graph *graph)
{
  const unsigned n_blocks = last_basic_block_for_fn (fun);
  junction_sets sets, components;
  auto_vec<int> order, positions;
  edge entry;
  edge_iterator iterator;

  graph->n_junctions = 2 * n_blocks + 1;
  init_sets (&sets, graph->n_junctions);
  init_sets (&components, graph->n_junctions);
  order.safe_grow_cleared (n_blocks);
  positions.safe_grow_cleared (n_blocks);
  const int n
    = pre_and_rev_post_order_compute_fn (fun, NULL, order.address (), false);
  for (int i = 0; i < n; i++)
    positions[order[i]] = i;
  FOR_EACH_EDGE (entry, iterator, ENTRY_BLOCK_PTR_FOR_FN (fun)->succs)
    join_sets (&sets, settled_junction, junction_before (entry->dest));
  for (int i = 0; i < n; i++)
    {
      basic_block block = BASIC_BLOCK_FOR_FN (fun, order[i]);
      add_block (fun, graph, block);
      add_edges (graph, &sets, block, positions.address (), around_loops);
    }
  number_junctions (graph, &sets, &components);
  sort_segments (graph, &components);
  note_block_segments (fun, graph);
}
