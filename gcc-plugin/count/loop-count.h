/* Counting of heap accesses in loops outside the loops: types shared by the
   steps.
   SPDX-License-Identifier: GPL-3.0-or-later

     access-loop.cc    decides where to count each access
     loop-facts.cc     finds out the properties of each loop
     loop-hoist.cc     counts before a loop what the loop will access
     loop-join.cc      joins several ranges into one
     loop-exit.cc      counts in registers, and in memory when the loop ends
     loop-emit.cc      emits the updates on the edges into and out of loops

   Addresses, steps and counts are expressions of type sizetype.  */

#ifndef HEAPPROF_LOOP_COUNT_H
#define HEAPPROF_LOOP_COUNT_H

/* Properties of a loop.  */
struct loop_facts
{
  /* Once entered, the loop can only end through its exits: nothing in it exits
     the program, throws, calls longjmp or frees memory.  */
  bool completes;
  /* It does not wait for another thread or a signal: it has no volatile or
     atomic access.  */
  bool is_quiet;
  /* It is optimized for speed, so its updates may take more instructions than
     plain increments.  */
  bool for_speed;
  /* How often the latch runs, as an expression of values from outside the loop,
     or NULL_TREE if unknown.  If known, EXIT is the only exit.  */
  tree latch_runs;
  edge exit;
};

/* Fill in FACTS, indexed by the numbers of the loops.  */
void find_loop_facts (function *fun, vec<loop_facts> *facts);

/* One dimension of a range: COUNT addresses that are STEP bytes apart.  */
struct loop_dimension
{
  tree step;
  tree count;
};

static const unsigned max_dimensions = 2;

/* WEIGHT accesses to each address of a range that begins at FIRST.  */
struct loop_update
{
  /* The source of the location, and of the text in the dump.  */
  const heap_access *access;
  /* The update is made once each time control passes through BLOCK.  */
  basic_block block;
  /* NULL for the access itself; else the loop whose accesses it counts, before
     the loop or AT_EXIT.  */
  class loop *loop;
  bool at_exit;
  /* If AT_EXIT: NULL for the access itself, or the loop that BLOCK
     precedes.  */
  class loop *inner;
  /* If AT_EXIT: NULL, or the object (merge-window.h) that all accesses are to,
     whichever their addresses.  */
  tree object;
  tree first;
  unsigned n_dimensions;
  loop_dimension dimension[max_dimensions];
  tree weight;
  /* A count or WEIGHT can be 0, and FIRST is then not a valid address.  */
  bool may_be_empty;
};

/* Return EXPRESSION in terms of values from outside LOOP if it does not change
   in LOOP, else NULL_TREE.  */
tree loop_invariant (class loop *loop, tree expression);

/* Describe EXPRESSION in iteration i of LOOP as *BASE + i * *STEP, both
   computed from values from outside LOOP.  *STEP can be 0.  Return false on
   failure.  */
bool loop_affine (class loop *loop, tree expression, tree *base, tree *step);

/* Return the address of ACCESS as an expression, or NULL_TREE.  */
tree access_address (const heap_access &access);

/* Replace UPDATE by one before the loop around its block, which counts all that
   the loop does.  Return false if that is impossible.  */
bool hoist_update (loop_update *update, const vec<loop_facts> &facts);

/* True if a library call that counts DIMENSION costs less per address than an
   increment in the loop.  */
bool dense_p (const loop_dimension &dimension);

/* True if UPDATE is cheaper than the updates it replaces.  */
bool update_profitable_p (const loop_update &update);

/* Replace UPDATE by one that is made when a loop around its block ends, from a
   count that the loop keeps in a register: WEIGHT and dimension[0].count are
   then per run of the block.  Return false if that is impossible.  */
bool count_until_exit (loop_update *update, const vec<loop_facts> &facts);

/* Join UPDATES that count the same or adjacent addresses.  */
void join_updates (vec<loop_update> *updates);

/* Emit UPDATE on the edge WHERE.  */
void emit_loop_update (const loop_update &update, edge where, tree base);

/* Emit those of UPDATES that are made when loops end.  */
void emit_exit_updates (function *fun, const vec<loop_update> &updates,
			tree base);

#endif /* HEAPPROF_LOOP_COUNT_H */
