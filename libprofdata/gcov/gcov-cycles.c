/* Execution counts of lines whose blocks form cycles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Search for cycles among arcs with a remaining count.  A cycle was executed as
   often as the least of its arcs, which is then subtracted from all of them, so
   that every cycle uses up an arc.  Cycles of a block are found depth first, in
   the order of its arcs: the order of cycles influences the sum, and gcov uses
   this one.  */

#include "gcov-cycles.h"
#include <stdlib.h>

bool
gcov_cycles_init (struct gcov_cycles *cycles,
		  const struct gcov_notes_function *function,
		  const struct gcov_flow *flow)
{
  size_t blocks = function->block_count + (size_t) 1;
  *cycles = (struct gcov_cycles){ .function = function, .flow = flow };
  cycles->left
    = calloc (function->arc_count + (size_t) 1, sizeof *cycles->left);
  cycles->set_of = calloc (blocks, sizeof *cycles->set_of);
  cycles->search_of = calloc (blocks, sizeof *cycles->search_of);
  cycles->path = calloc (blocks, sizeof *cycles->path);
  cycles->next = calloc (blocks, sizeof *cycles->next);
  return (cycles->left && cycles->set_of && cycles->search_of && cycles->path
	  && cycles->next);
}

void
gcov_cycles_free (struct gcov_cycles *cycles)
{
  free (cycles->left);
  free (cycles->set_of);
  free (cycles->search_of);
  free (cycles->path);
  free (cycles->next);
}

/* Return true if a search from START may follow ARC: it stays in the set, and
   does not go back before START, whose cycles were counted already.  */
static bool
may_follow (const struct gcov_cycles *cycles, uint32_t start, uint32_t arc)
{
  uint32_t block = cycles->function->arcs[arc].destination;
  return (block >= start && cycles->left[arc] > 0
	  && cycles->set_of[block] == cycles->set
	  && (block == start || cycles->search_of[block] != cycles->search));
}

/* Find a cycle through START.  Store its arcs in PATH and return their number,
   0 if there is none.  A block that the search gave up can reach START only
   through blocks of the path, so it is not visited again.  */
static uint32_t
find_cycle (struct gcov_cycles *cycles, uint32_t start)
{
  const struct gcov_adjacency *leaving = &cycles->flow->leaving;
  uint32_t depth = 0;
  uint32_t block = start;
  cycles->search++;
  cycles->next[0] = leaving->first[start];
  for (;;)
    {
      if (cycles->next[depth] == leaving->first[block + 1])
	{
	  if (depth == 0)
	    return 0;
	  block = cycles->function->arcs[cycles->path[--depth]].source;
	  continue;
	}
      uint32_t arc = leaving->arcs[cycles->next[depth]++];
      if (!may_follow (cycles, start, arc))
	continue;
      cycles->path[depth++] = arc;
      block = cycles->function->arcs[arc].destination;
      if (block == start)
	return depth;
      cycles->search_of[block] = cycles->search;
      cycles->next[depth] = leaving->first[block];
    }
}

/* Subtract the cycle of the first N arcs of the path from the remaining counts.
   Return how often it was executed.  */
static int64_t
take_cycle (struct gcov_cycles *cycles, uint32_t n)
{
  int64_t least = INT64_MAX;
  for (uint32_t i = 0; i < n; i++)
    if (cycles->left[cycles->path[i]] < least)
      least = cycles->left[cycles->path[i]];
  for (uint32_t i = 0; i < n; i++)
    cycles->left[cycles->path[i]] -= least;
  return least;
}

/* Return the sum of the counts of arcs that enter BLOCK from outside the
   set.  */
static uint64_t
count_entries (const struct gcov_cycles *cycles, uint32_t block)
{
  const struct gcov_adjacency *entering = &cycles->flow->entering;
  uint64_t count = 0;
  for (uint32_t i = entering->first[block]; i < entering->first[block + 1]; i++)
    {
      uint32_t arc = entering->arcs[i];
      uint32_t source = cycles->function->arcs[arc].source;
      if (cycles->set_of[source] != cycles->set)
	count += (uint64_t) cycles->flow->arc_counts[arc];
    }
  return count;
}

static void
begin_arcs (struct gcov_cycles *cycles, uint32_t block)
{
  const struct gcov_adjacency *leaving = &cycles->flow->leaving;
  for (uint32_t i = leaving->first[block]; i < leaving->first[block + 1]; i++)
    cycles->left[leaving->arcs[i]] = cycles->flow->arc_counts[leaving->arcs[i]];
}

int64_t
gcov_cycles_count (struct gcov_cycles *cycles, const uint32_t *blocks, size_t n)
{
  uint64_t count = 0;
  cycles->set++;
  for (size_t i = 0; i < n; i++)
    cycles->set_of[blocks[i]] = cycles->set;
  for (size_t i = 0; i < n; i++)
    {
      count += count_entries (cycles, blocks[i]);
      begin_arcs (cycles, blocks[i]);
    }
  for (size_t i = 0; i < n; i++)
    for (uint32_t length; (length = find_cycle (cycles, blocks[i])) > 0;)
      count += (uint64_t) take_cycle (cycles, length);
  return (int64_t) count;
}
