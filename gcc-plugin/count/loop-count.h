/* Counting heap accesses of loops outside of the loops: the types that the
   steps share.
   SPDX-License-Identifier: GPL-3.0-or-later

     access-loop.cc    chooses for each access where it is counted
     loop-facts.cc     what is known about each loop
     loop-hoist.cc     counts before the loop what the loop will do
     loop-join.cc      makes one range of several
     loop-exit.cc      counts in registers, and in memory when the loop ends
     loop-emit.cc      the counter updates on the edges into and out of loops

   Addresses, steps and counts are expressions of type sizetype.  */

#ifndef HEAPPROF_LOOP_COUNT_H
#define HEAPPROF_LOOP_COUNT_H

/* What is known about a loop.  */
struct loop_facts
{
  /* Once entered, the loop can end through its exits alone: nothing in it
     exits the program, throws, jumps far or frees memory.  */
  bool completes;
  /* Neither does it wait for another thread or a signal: no volatile or
     atomic access.  */
  bool is_quiet;
  /* It is worth more instructions than plain increments take.  */
  bool for_speed;
  /* If not NULL_TREE, how often the latch runs, an expression of values from
     outside of the loop; EXIT is then the only exit.  */
  tree latch_runs;
  edge exit;
};

/* Fill in FACTS, indexed by the loops' numbers.  */
void find_loop_facts (function *fun, vec<loop_facts> *facts);

/* One direction of a range: COUNT addresses that are STEP bytes apart.  */
struct loop_dimension
{
  tree step;
  tree count;
};

static const unsigned max_dimensions = 2;

/* WEIGHT accesses to each address of a range that begins at FIRST.  */
struct loop_update
{
  /* For the location and the dump.  */
  const heap_access *access;
  /* This happens once whenever control comes through BLOCK.  */
  basic_block block;
  /* NULL for the access itself; else the loop that this is counted for, in
     front of it or AT_EXIT of it.  */
  class loop *loop;
  bool at_exit;
  /* AT_EXIT: NULL for the access itself, or the loop in front of which BLOCK
     stands.  */
  class loop *inner;
  tree first;
  unsigned n_dimensions;
  loop_dimension dimension[max_dimensions];
  tree weight;
  /* A count or WEIGHT can be 0, and FIRST is then no address.  */
  bool may_be_empty;
};

/* EXPRESSION as a value from outside of LOOP that does not change in it, or
   NULL_TREE.  */
tree loop_invariant (class loop *loop, tree expression);

/* Describe EXPRESSION, in each iteration of LOOP, as *BASE + i * *STEP, values
   from outside of LOOP.  STEP can be 0.  */
bool loop_affine (class loop *loop, tree expression, tree *base, tree *step);

/* The address of ACCESS as an expression, or NULL_TREE.  */
tree access_address (const heap_access &access);

/* Replace UPDATE by one for all that happens while the loop around its block
   runs, made in front of that loop.  False if it cannot be.  */
bool hoist_update (loop_update *update, const vec<loop_facts> &facts);

/* True if a call that counts DIMENSION costs less for each address than an
   increment in the loop.  */
bool dense_p (const loop_dimension &dimension);

/* True if UPDATE is cheaper than what it replaces.  */
bool update_profitable_p (const loop_update &update);

/* Replace UPDATE by one that is made when a loop around its block ends, from
   what was counted in a register meanwhile: WEIGHT and dimension[0].count are
   then per run of the block.  False if it cannot be.  */
bool count_until_exit (loop_update *update, const vec<loop_facts> &facts);

/* Join those of UPDATES that count the same addresses or neighbours of them. */
void join_updates (vec<loop_update> *updates);

/* Emit UPDATE on the edge WHERE.  */
void emit_loop_update (const loop_update &update, edge where, tree base);

/* Emit those of UPDATES that are made when loops end.  */
void emit_exit_updates (function *fun, const vec<loop_update> &updates,
			tree base);

#endif /* HEAPPROF_LOOP_COUNT_H */
