/* The blocks of a function in source order.
   SPDX-License-Identifier: GPL-3.0-or-later

   This is the reverse of the order in which a depth-first search leaves the
   blocks.  The search follows the last arc of a block first, so that the
   destination of the first arc, the body of a loop or the part after `if',
   comes next.  */

#include "gcov-block-order.h"
#include <stdlib.h>

struct order_search
{
  const struct gcov_notes_function *function;
  const struct gcov_flow *flow;
  uint32_t *places;
  uint32_t *path; /* blocks from the start to the current one */
  uint32_t *left; /* arcs not followed yet, for each block of the path */
  bool *is_seen;
  uint32_t next_place; /* counts down */
};

static void
enter (struct order_search *search, uint32_t *depth, uint32_t block)
{
  const struct gcov_adjacency *leaving = &search->flow->leaving;
  search->is_seen[block] = true;
  search->path[*depth] = block;
  search->left[*depth] = leaving->first[block + 1] - leaving->first[block];
  ++*depth;
}

/* Number START and everything reachable from it that has no place yet.  */
static void
search_from (struct order_search *search, uint32_t start)
{
  const struct gcov_adjacency *leaving = &search->flow->leaving;
  uint32_t depth = 0;
  if (!search->is_seen[start])
    enter (search, &depth, start);
  while (depth > 0)
    {
      uint32_t block = search->path[depth - 1];
      if (search->left[depth - 1] == 0)
	{
	  search->places[block] = --search->next_place;
	  depth--;
	  continue;
	}
      uint32_t place = leaving->first[block] + --search->left[depth - 1];
      const struct gcov_arc *arc
	= &search->function->arcs[leaving->arcs[place]];
      /* Fake arcs from the entry lead to blocks that only computed jumps
	 reach.  */
      bool is_taken = block == 0 || !(arc->flags & GCOV_ARC_FAKE);
      if (is_taken && !search->is_seen[arc->destination])
	enter (search, &depth, arc->destination);
    }
}

/* Return the only arc of BLOCK on one side that is not fake; NULL if there is
   not exactly one.  */
static const struct gcov_arc *
only_arc (const struct gcov_notes_function *function,
	  const struct gcov_adjacency *adjacency, uint32_t block)
{
  const struct gcov_arc *only = NULL;
  for (uint32_t i = adjacency->first[block]; i < adjacency->first[block + 1];
       i++)
    {
      const struct gcov_arc *arc = &function->arcs[adjacency->arcs[i]];
      if (arc->flags & GCOV_ARC_FAKE)
	continue;
      if (only)
	return NULL;
      only = arc;
    }
  return only;
}

static bool
ends_with_call (const struct gcov_notes_function *function,
		const struct gcov_flow *flow, uint32_t block)
{
  for (uint32_t i = flow->leaving.first[block];
       i < flow->leaving.first[block + 1]; i++)
    if (function->arcs[flow->leaving.arcs[i]].flags & GCOV_ARC_FAKE)
      return block != 0;
  return false;
}

/* Return the block that BLOCK continues after a call; BLOCK if there is
   none.  */
static uint32_t
before_call (const struct gcov_notes_function *function,
	     const struct gcov_flow *flow, uint32_t block)
{
  const struct gcov_arc *in = only_arc (function, &flow->entering, block);
  if (!in || !ends_with_call (function, flow, in->source)
      || only_arc (function, &flow->leaving, in->source) != in)
    return block;
  return in->source;
}

/* Give blocks after calls the places of the blocks before the calls.  BY_PLACE
   has room for all blocks.  */
static void
join_calls (const struct order_search *search, uint32_t *by_place)
{
  const struct gcov_notes_function *function = search->function;
  for (uint32_t i = 0; i < function->block_count; i++)
    by_place[search->places[i]] = i;
  /* A block comes after the one it continues, which has its place already.  */
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      uint32_t block = by_place[i];
      uint32_t before = before_call (function, search->flow, block);
      if (search->places[before] < i)
	search->places[block] = search->places[before];
    }
}

bool
gcov_block_order (const struct gcov_notes_function *function,
		  const struct gcov_flow *flow, uint32_t *places)
{
  size_t blocks = function->block_count + (size_t) 1;
  struct order_search search
    = { .function = function,
	.flow = flow,
	.places = places,
	.path = calloc (blocks, sizeof *search.path),
	.left = calloc (blocks, sizeof *search.left),
	.is_seen = calloc (blocks, sizeof *search.is_seen),
	.next_place = function->block_count };
  bool done = search.path && search.left && search.is_seen;
  if (done)
    {
      /* The first search assigns the last places; blocks not reachable from the
	 entry get these.  */
      for (uint32_t i = 1; i < function->block_count; i++)
	if (flow->entering.first[i] == flow->entering.first[i + 1])
	  search_from (&search, i);
      for (uint32_t i = 0; i < function->block_count; i++)
	search_from (&search, i);
      join_calls (&search, search.path);
    }
  free (search.path);
  free (search.left);
  free (search.is_seen);
  return done;
}
