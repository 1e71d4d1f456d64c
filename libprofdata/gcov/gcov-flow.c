/* Exact counts of all arcs and blocks of a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   What enters a block leaves it, except at the entry and the exit.  A block is
   known once all arcs on one of its sides are known; a known block with one
   unknown arc on a side determines that arc.  The unknown arcs form a tree, so
   this always completes.  Where compilers omit arcs from the notes, the order
   matters, and it is the same as gcov's: the block found last comes first.  */

#include "gcov-flow.h"
#include <stdlib.h>

#define ENTRY 0
#define EXIT 1

/* A stack of blocks, each on it at most once.  */
struct block_stack
{
  uint32_t *blocks;
  bool *is_on;
  uint32_t count;
};

struct solver
{
  const struct gcov_notes_function *function;
  struct gcov_flow *flow;
  bool *is_arc_known;
  bool *is_block_known;
  uint32_t *unknown_leaving; /* number of unknown arcs leaving each block */
  uint32_t *unknown_entering;
  struct block_stack open;  /* may become known */
  struct block_stack known; /* may determine an arc */
};

static void
push (struct block_stack *stack, uint32_t block)
{
  if (stack->is_on[block])
    return;
  stack->is_on[block] = true;
  stack->blocks[stack->count++] = block;
}

static uint32_t
pop (struct block_stack *stack)
{
  uint32_t block = stack->blocks[--stack->count];
  stack->is_on[block] = false;
  return block;
}

static bool
make_adjacency (struct gcov_adjacency *adjacency,
		const struct gcov_notes_function *function, bool is_entering)
{
  uint32_t *first = calloc (function->block_count + (size_t) 2, sizeof *first);
  uint32_t *arcs = calloc (function->arc_count + (size_t) 1, sizeof *arcs);
  adjacency->first = first;
  adjacency->arcs = arcs;
  if (!first || !arcs)
    return false;
  /* Entry B + 1 is first the number of arcs of B, then the end of its arcs, and
     is then decremented to their start.  */
  for (uint32_t i = 0; i < function->arc_count; i++)
    first[(is_entering ? function->arcs[i].destination
		       : function->arcs[i].source)
	  + 1]++;
  for (uint32_t i = 0; i < function->block_count; i++)
    first[i + 1] += first[i];
  for (uint32_t i = function->arc_count; i-- > 0;)
    {
      uint32_t block = is_entering ? function->arcs[i].destination
				   : function->arcs[i].source;
      arcs[--first[block + 1]] = i;
    }
  for (uint32_t i = 0; i < function->block_count; i++)
    first[i] = first[i + 1];
  first[function->block_count] = function->arc_count;
  return true;
}

/* Return the sum of all arcs of BLOCK on one side; unknown ones are 0.  */
static int64_t
sum_arcs (const struct gcov_flow *flow, const struct gcov_adjacency *adjacency,
	  uint32_t block)
{
  uint64_t sum = 0;
  for (uint32_t i = adjacency->first[block]; i < adjacency->first[block + 1];
       i++)
    sum += (uint64_t) flow->arc_counts[adjacency->arcs[i]];
  return (int64_t) sum;
}

/* Reconsider BLOCK after one of its arcs became known.  UNKNOWN arcs are left
   on that side.  */
static void
look_again (struct solver *solver, uint32_t block, uint32_t unknown)
{
  if (solver->is_block_known[block] && unknown == 1)
    push (&solver->known, block);
  else if (!solver->is_block_known[block] && unknown == 0)
    push (&solver->open, block);
}

/* Compute the only unknown arc on a side of BLOCK, which is known.  */
static void
compute_arc (struct solver *solver, uint32_t block, bool is_entering)
{
  struct gcov_flow *flow = solver->flow;
  const struct gcov_adjacency *adjacency
    = is_entering ? &flow->entering : &flow->leaving;
  uint32_t place = adjacency->first[block];
  while (solver->is_arc_known[adjacency->arcs[place]])
    place++;
  uint32_t number = adjacency->arcs[place];
  const struct gcov_arc *arc = &solver->function->arcs[number];
  flow->arc_counts[number] = (uint64_t) flow->block_counts[block]
			     - (uint64_t) sum_arcs (flow, adjacency, block);
  solver->is_arc_known[number] = true;
  solver->unknown_leaving[arc->source]--;
  solver->unknown_entering[arc->destination]--;
  if (is_entering)
    look_again (solver, arc->source, solver->unknown_leaving[arc->source]);
  else
    look_again (solver, arc->destination,
		solver->unknown_entering[arc->destination]);
}

static void
compute_block (struct solver *solver, uint32_t block)
{
  struct gcov_flow *flow = solver->flow;
  const struct gcov_adjacency *adjacency = NULL;
  if (block != EXIT && solver->unknown_leaving[block] == 0)
    adjacency = &flow->leaving;
  else if (block != ENTRY && solver->unknown_entering[block] == 0)
    adjacency = &flow->entering;
  if (!adjacency)
    return;
  flow->block_counts[block] = sum_arcs (flow, adjacency, block);
  solver->is_block_known[block] = true;
  push (&solver->known, block);
}

/* Set the known arcs from the counters, and count the unknown ones.  */
static void
begin (struct solver *solver, const int64_t *counters)
{
  const struct gcov_notes_function *function = solver->function;
  uint32_t counter = 0;
  for (uint32_t i = 0; i < function->arc_count; i++)
    {
      const struct gcov_arc *arc = &function->arcs[i];
      if (arc->flags & GCOV_ARC_ON_TREE)
	{
	  solver->unknown_leaving[arc->source]++;
	  solver->unknown_entering[arc->destination]++;
	  continue;
	}
      solver->is_arc_known[i] = true;
      solver->flow->arc_counts[i] = counters ? counters[counter] : 0;
      counter++;
    }
  for (uint32_t i = 0; i < function->block_count; i++)
    push (&solver->open, i);
}

static void
solve (struct solver *solver)
{
  while (solver->open.count > 0)
    {
      while (solver->open.count > 0)
	compute_block (solver, pop (&solver->open));
      while (solver->known.count > 0)
	{
	  uint32_t block = pop (&solver->known);
	  if (block != EXIT && solver->unknown_leaving[block] == 1)
	    compute_arc (solver, block, false);
	  if (block != ENTRY && solver->unknown_entering[block] == 1)
	    compute_arc (solver, block, true);
	}
    }
  const struct gcov_notes_function *function = solver->function;
  bool is_solved = true;
  for (uint32_t i = 0; i < function->block_count; i++)
    is_solved &= solver->is_block_known[i];
  for (uint32_t i = 0; i < function->arc_count; i++)
    is_solved &= solver->is_arc_known[i];
  solver->flow->is_solved = is_solved;
}

static bool
allocate_stack (struct block_stack *stack, size_t n)
{
  stack->blocks = calloc (n, sizeof *stack->blocks);
  stack->is_on = calloc (n, sizeof *stack->is_on);
  return stack->blocks && stack->is_on;
}

static bool
allocate (struct solver *solver)
{
  const struct gcov_notes_function *function = solver->function;
  struct gcov_flow *flow = solver->flow;
  size_t blocks = function->block_count + (size_t) 1;
  size_t arcs = function->arc_count + (size_t) 1;
  flow->block_counts = calloc (blocks, sizeof *flow->block_counts);
  flow->arc_counts = calloc (arcs, sizeof *flow->arc_counts);
  solver->is_arc_known = calloc (arcs, sizeof *solver->is_arc_known);
  solver->is_block_known = calloc (blocks, sizeof *solver->is_block_known);
  solver->unknown_leaving = calloc (blocks, sizeof *solver->unknown_leaving);
  solver->unknown_entering = calloc (blocks, sizeof *solver->unknown_entering);
  bool done = allocate_stack (&solver->open, blocks);
  done = allocate_stack (&solver->known, blocks) && done;
  return (done && flow->block_counts && flow->arc_counts && solver->is_arc_known
	  && solver->is_block_known && solver->unknown_leaving
	  && solver->unknown_entering
	  && make_adjacency (&flow->leaving, function, false)
	  && make_adjacency (&flow->entering, function, true));
}

bool
gcov_flow_solve (struct gcov_flow *flow,
		 const struct gcov_notes_function *function,
		 const int64_t *counters)
{
  struct solver solver = { .function = function, .flow = flow };
  *flow = (struct gcov_flow){ 0 };
  bool done = allocate (&solver);
  if (done)
    {
      begin (&solver, counters);
      solve (&solver);
    }
  free (solver.is_arc_known);
  free (solver.is_block_known);
  free (solver.unknown_leaving);
  free (solver.unknown_entering);
  free (solver.open.blocks);
  free (solver.open.is_on);
  free (solver.known.blocks);
  free (solver.known.is_on);
  return done;
}

void
gcov_flow_free (struct gcov_flow *flow)
{
  free (flow->block_counts);
  free (flow->arc_counts);
  free (flow->leaving.first);
  free (flow->leaving.arcs);
  free (flow->entering.first);
  free (flow->entering.arcs);
  *flow = (struct gcov_flow){ 0 };
}
