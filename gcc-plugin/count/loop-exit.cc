/* Counting in registers while a loop runs, and in memory when it ends.
   SPDX-License-Identifier: GPL-3.0-or-later

   This is for loops whose number of iterations is not known in advance, and for
   accesses that not every iteration makes.  For

     while (*p)
       p++;

   a variable counts how often the block of the access runs.  It is 0 on the
   edge into the loop; each edge out of the loop counts a range that begins at
   the first address and has that many steps.  If the address does not change, a
   sum of weights is counted instead.

   If all of a loop's accesses through a pointer are to one heap block and its
   granules need not be known, they have one counter, with the address of the
   last access in a second variable; and each access may be made in some
   iterations only.

   The variables become SSA names when all updates have been emitted.  A loop
   that is interrupted by a signal whose handler exits loses its counts, so
   loops that wait for something outside are left alone.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "arguments.h"
#include "counter-emit.h"
#include "heapprof/abi.h"
#include "loop-count.h"
#include "merge-window.h"
#include "runtime-decls.h"

/* Each edge out of the loop gets a copy of the counter updates, which is larger
   for a range than for a sum.  */
static const unsigned max_exits_for_sum = 4;
static const unsigned max_exits_for_range = 2;
static const unsigned max_exits_for_object = 8;

/* Counts the runs of BLOCK, or sums the weights of one update, since LOOP was
   entered.  */
struct loop_counter
{
  class loop *loop;
  basic_block block;
  /* The update whose weights are summed, or NULL.  */
  const loop_update *summed;
  /* Not an SSA name yet.  */
  tree variable;
};

/* Counts the accesses to one object since LOOP was entered.  */
struct object_counter
{
  class loop *loop;
  tree object;
  /* Not SSA names yet: the number of accesses, the address of the last one.  */
  tree number;
  tree address;
};

/* True if it pays to count the runs of BLOCK in LOOP in a register.  LOOP must
   have at most MAX_EXITS exits.  */
static bool
worth_counting_p (class loop *loop, basic_block block, unsigned max_exits)
{
  const profile_count entries = loop_preheader_edge (loop)->count ();
  const unsigned exits = get_loop_exit_edges (loop).length ();

  if (!exits || exits > max_exits)
    return false;
  return !(block->count < entries);
}

/* True if counts can be kept in registers while LOOP runs.  */
static bool
countable_until_exit_p (const loop_facts &facts)
{
  return facts.completes && facts.is_quiet && facts.for_speed;
}

/* Count UPDATE, accesses to one address, after the outermost loop in which the
   address does not change.  */
static bool
sum_until_exit (loop_update *update, const vec<loop_facts> &facts)
{
  class loop *inner = update->loop;
  bool found = false;

  if (update->n_dimensions)
    return false;
  for (class loop *loop = update->block->loop_father;
       loop_depth (loop) && countable_until_exit_p (facts[loop->num]);
       loop = loop_outer (loop))
    {
      tree first = loop_invariant (loop, update->first);
      if (!first)
	break;
      update->first = first;
      if (!worth_counting_p (loop, update->block, max_exits_for_sum))
	continue;
      update->loop = loop;
      found = true;
    }
  if (!found)
    return false;
  update->at_exit = true;
  update->inner = inner;
  return true;
}

/* Count UPDATE, an access that each iteration makes, as a range when the loop
   ends.  */
static bool
range_until_exit (loop_update *update, const vec<loop_facts> &facts)
{
  class loop *loop = update->block->loop_father;
  tree first, step;

  if (update->loop || !countable_until_exit_p (facts[loop->num])
      || !dominated_by_p (CDI_DOMINATORS, loop->latch, update->block)
      || !worth_counting_p (loop, update->block, max_exits_for_range)
      || !loop_affine (loop, update->first, &first, &step)
      || integer_zerop (step))
    return false;
  loop_dimension dimension = { step, size_one_node };
  const bool in_one_object = in_one_object_p (*update->access, loop);
  if (!in_one_object && !dense_p (dimension))
    return false;
  update->loop = loop;
  update->at_exit = true;
  update->first = first;
  if (in_one_object)
    return true;
  update->n_dimensions = 1;
  update->dimension[0] = dimension;
  return true;
}

/* Count UPDATE after the outermost loop in which all its accesses are to one
   object.  */
static bool
object_until_exit (loop_update *update, const vec<loop_facts> &facts)
{
  class loop *inner = update->loop;
  class loop *found = NULL;
  access_window window;

  if (update->n_dimensions || update->may_be_empty)
    return false;
  for (class loop *loop = update->block->loop_father;
       loop_depth (loop) && countable_until_exit_p (facts[loop->num])
       && in_one_object_p (*update->access, loop);
       loop = loop_outer (loop))
    if (worth_counting_p (loop, update->block, max_exits_for_object))
      found = loop;
  if (!found || !find_window (*update->access, &window))
    return false;
  update->loop = found;
  update->at_exit = true;
  update->inner = inner;
  update->object = window.root;
  return true;
}

bool
count_until_exit (loop_update *update, const vec<loop_facts> &facts)
{
  loop_update sum = *update;

  if (!loop_depth (update->block->loop_father))
    return false;
  if (!(arguments.coalesce & COALESCE_INVARIANT)
      || !sum_until_exit (&sum, facts))
    return (range_until_exit (update, facts)
	    || object_until_exit (update, facts));
  *update = sum;
  return true;
}

/* Emit "VARIABLE = VARIABLE + NUMBER".  */
static void
emit_addition (counter_emitter *emitter, tree variable, tree number)
{
  gimple_seq_add_stmt (&emitter->seq, gimple_build_assign (variable, PLUS_EXPR,
							   variable, number));
}

/* Make the variable of COUNTER and count UPDATE with it.  */
static void
emit_counting (loop_counter *counter, const loop_update &update, tree base)
{
  counter_emitter emitter
    = { NULL, gimple_location (update.access->statement), base };

  counter->variable = create_tmp_reg (sizetype, "heapprof_count");
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (counter->variable, size_zero_node));
  emit_on_edge (&emitter, loop_preheader_edge (counter->loop));
  emitter.seq = NULL;
  if (!update.inner)
    {
      emit_addition (&emitter, counter->variable, size_one_node);
      emit_before (&emitter, update.access->statement);
      return;
    }
  emit_addition (&emitter, counter->variable,
		 emit_value (&emitter, update.weight));
  emit_on_edge (&emitter, loop_preheader_edge (update.inner));
}

/* Return the index in COUNTERS of the counter for UPDATE, creating it if
   necessary.  */
static unsigned
find_counter (vec<loop_counter> *counters, const loop_update &update, tree base)
{
  const loop_update *const summed = update.inner ? &update : NULL;
  loop_counter counter = { update.loop, update.block, summed, NULL_TREE };

  for (unsigned i = 0; i < counters->length (); i++)
    if ((*counters)[i].loop == counter.loop
	&& (*counters)[i].block == counter.block
	&& (*counters)[i].summed == counter.summed)
      return i;
  emit_counting (&counter, update, base);
  counters->safe_push (counter);
  return counters->length () - 1;
}

/* Emit UPDATE on the edge EXIT, where COUNTER has its final value.  */
static void
emit_at_exit (loop_update update, const loop_counter &counter, edge exit,
	      tree base)
{
  tree number = make_ssa_name (sizetype);
  counter_emitter emitter
    = { NULL, gimple_location (update.access->statement), base };

  /* Statements inserted later on the same edge come first.  */
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (number, counter.variable));
  if (update.n_dimensions)
    update.dimension[0].count
      = fold_build2 (MULT_EXPR, sizetype, number, update.dimension[0].count);
  else if (update.inner)
    update.weight = number;
  else
    update.weight = fold_build2 (MULT_EXPR, sizetype, number, update.weight);
  update.may_be_empty
    |= !dominated_by_p (CDI_DOMINATORS, exit->src, update.block);
  emit_loop_update (update, exit, base);
  emit_on_edge (&emitter, exit);
}

/* Return the index in COUNTERS of the counter for UPDATE, creating it if
   necessary.  The address is initially one that is certain to have a
   counter.  */
static unsigned
find_object_counter (vec<object_counter> *counters, const loop_update &update,
		     tree base)
{
  counter_emitter emitter
    = { NULL, gimple_location (update.access->statement), base };
  object_counter counter = { update.loop, update.object, NULL_TREE, NULL_TREE };

  for (unsigned i = 0; i < counters->length (); i++)
    if ((*counters)[i].loop == counter.loop
	&& (*counters)[i].object == counter.object)
      return i;
  counter.number = create_tmp_reg (sizetype, "heapprof_count");
  counter.address = create_tmp_reg (sizetype, "heapprof_last");
  tree safe
    = emit_to_size (&emitter, build_fold_addr_expr (shadow_base_decl ()));
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (counter.number, size_zero_node));
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (counter.address, safe));
  emit_on_edge (&emitter, loop_preheader_edge (counter.loop));
  counters->safe_push (counter);
  return counters->length () - 1;
}

/* Count UPDATE with COUNTER.  */
static void
count_in_object (const object_counter &counter, const loop_update &update,
		 tree base)
{
  counter_emitter emitter
    = { NULL, gimple_location (update.access->statement), base };
  tree address = emit_value (&emitter, update.first);

  emit_addition (&emitter, counter.number,
		 emit_value (&emitter, update.weight));
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (counter.address, address));
  if (update.inner)
    emit_on_edge (&emitter, loop_preheader_edge (update.inner));
  else
    emit_before (&emitter, update.access->statement);
}

/* Add COUNTER to the counter in memory on the edge EXIT.  */
static void
emit_object_at_exit (const object_counter &counter, edge exit, tree base)
{
  counter_emitter emitter = { NULL, UNKNOWN_LOCATION, base };
  tree number = make_ssa_name (sizetype);
  tree address = make_ssa_name (sizetype);

  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (number, counter.number));
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (address, counter.address));
  emit_increment (&emitter, address, number);
  emit_on_edge (&emitter, exit);
}

void
emit_exit_updates (function *fun, const vec<loop_update> &updates, tree base)
{
  auto_vec<loop_counter> counters;
  auto_vec<object_counter> object_counters;

  for (const loop_update &update : updates)
    {
      if (!update.at_exit)
	continue;
      if (update.object)
	{
	  unsigned i = find_object_counter (&object_counters, update, base);
	  count_in_object (object_counters[i], update, base);
	  continue;
	}
      unsigned counter = find_counter (&counters, update, base);
      auto_vec<edge> exits = get_loop_exit_edges (update.loop);
      for (edge exit : exits)
	emit_at_exit (update, counters[counter], exit, base);
    }
  for (const object_counter &counter : object_counters)
    {
      auto_vec<edge> exits = get_loop_exit_edges (counter.loop);
      for (edge exit : exits)
	emit_object_at_exit (counter, exit, base);
    }
  if (counters.is_empty () && object_counters.is_empty ())
    return;
  mark_virtual_operands_for_renaming (fun);
  update_ssa (TODO_update_ssa);
}
