/* Counter updates on the edges into and out of loops.
   SPDX-License-Identifier: GPL-3.0-or-later

   A range of N addresses becomes

     if ((first ^ last) < 64)			they share a granule
       counter[first >> 6] += N * weight;
     else if (last - first < 64)		they are in two granules
       {
	 counter[first >> 6] += (N - 1) * weight;
	 counter[last >> 6] += weight;
       }
     else
       __heapprof_access_stride (first, step, N, weight);

   Many loops are short, and the call would then cost more than the loop.  If
   each address must count in its own granule, the second case is missing.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"
#include "counter-emit.h"
#include "loop-count.h"
#include "runtime-decls.h"

/* Call the run-time library for UPDATE.  */
static void
emit_range_call (counter_emitter *emitter, const loop_update &update,
		 tree first, tree weight)
{
  const loop_dimension *const inner = &update.dimension[0];
  tree pointer
    = gimple_convert (&emitter->seq, emitter->location, ptr_type_node, first);
  tree step
    = gimple_convert (&emitter->seq, emitter->location, ptrdiff_type_node,
		      emit_value (emitter, inner->step));
  tree count = emit_value (emitter, inner->count);
  gcall *call;

  if (update.n_dimensions == 1)
    call = gimple_build_call (access_stride_decl (), 4, pointer, step, count,
			      weight);
  else
    {
      tree row_step
	= gimple_convert (&emitter->seq, emitter->location, ptrdiff_type_node,
			  emit_value (emitter, inner[1].step));
      tree rows = emit_value (emitter, inner[1].count);
      call = gimple_build_call (access_grid_decl (), 6, pointer, step, count,
				weight, row_step, rows);
    }
  gimple_seq_add_stmt (&emitter->seq, call);
}

/* Return the number of bytes between the first and the last address of
   DIMENSION, or a negative number if it is not constant.  */
static HOST_WIDE_INT
constant_span (const loop_dimension &dimension)
{
  if (!tree_fits_uhwi_p (dimension.count))
    return -1;
  wide_int span = wi::mul (wi::abs (wi::to_wide (dimension.step)),
			   wi::sub (wi::to_wide (dimension.count), 1));
  return wi::fits_shwi_p (span) ? span.to_shwi () : HOST_WIDE_INT_MAX;
}

/* Count DIMENSION in the granules of its FIRST and LAST address.  */
static void
emit_ends (counter_emitter *emitter, const loop_dimension &dimension,
	   tree first, tree last, tree weight)
{
  tree others
    = emit_binary (emitter, MINUS_EXPR, emit_value (emitter, dimension.count),
		   size_constant (1));

  emit_increment (emitter, first,
		  emit_binary (emitter, MULT_EXPR, others, weight));
  emit_increment (emitter, last, weight);
}

/* Count DIMENSION, which begins at FIRST, ends at LAST and spans two
   granules.  */
static void
emit_two_granules (counter_emitter *emitter, const loop_dimension &dimension,
		   tree first, tree last, tree weight)
{
  if (may_count_in_neighbour_p ())
    {
      emit_ends (emitter, dimension, first, last, weight);
      return;
    }
  const bool backwards = tree_int_cst_sign_bit (dimension.step);
  tree step
    = wide_int_to_tree (sizetype, wi::abs (wi::to_wide (dimension.step)));
  tree room = emit_binary (emitter, BIT_AND_EXPR, first,
			   size_constant (HEAPPROF_GRANULE_BYTES - 1));
  if (!backwards)
    room = emit_binary (emitter, MINUS_EXPR,
			size_constant (HEAPPROF_GRANULE_BYTES - 1), room);
  int shift = tree_log2 (step);
  if (shift >= 0)
    room = emit_binary (emitter, RSHIFT_EXPR, room,
			build_int_cst (integer_type_node, shift));
  else
    room = emit_binary (emitter, TRUNC_DIV_EXPR, room, step);
  tree here = emit_binary (emitter, PLUS_EXPR, room, size_constant (1));
  tree rest = emit_binary (emitter, MINUS_EXPR, dimension.count, here);
  emit_increment (emitter, first,
		  emit_binary (emitter, MULT_EXPR, here, weight));
  emit_increment (emitter, last,
		  emit_binary (emitter, MULT_EXPR, rest, weight));
}

/* In the block FAR, count UPDATE, which begins at FIRST and ends at LAST, if
   these are less than a granule apart.  Return the block for the other case. */
static basic_block
emit_near_ends (tree base, const loop_update &update, basic_block far,
		tree first, tree last, tree weight)
{
  const loop_dimension &dimension = update.dimension[0];
  const bool backwards = tree_int_cst_sign_bit (dimension.step);
  counter_emitter emitter
    = { NULL, gimple_location (update.access->statement), base };
  basic_block near, other;

  tree distance = emit_binary (&emitter, MINUS_EXPR, backwards ? first : last,
			       backwards ? last : first);
  emit_branches (&emitter, single_succ_edge (far), LT_EXPR, distance,
		 size_constant (HEAPPROF_GRANULE_BYTES), &near, &other);
  emitter.seq = NULL;
  emit_ends (&emitter, dimension, first, last, weight);
  emit_at_start (&emitter, near);
  return other;
}

/* Count a range with one dimension on the edge WHERE.  */
static void
emit_short_or_long (counter_emitter *emitter, edge where,
		    const loop_update &update, tree first, tree weight)
{
  const loop_dimension &dimension = update.dimension[0];
  const HOST_WIDE_INT span = constant_span (dimension);
  basic_block near, far;

  tree step = emit_value (emitter, dimension.step);
  tree count = emit_value (emitter, dimension.count);
  tree last = emit_binary (emitter, MINUS_EXPR, count, size_constant (1));
  last = emit_binary (emitter, MULT_EXPR, last, step);
  last = emit_binary (emitter, PLUS_EXPR, first, last);
  tree differs = emit_binary (emitter, BIT_XOR_EXPR, first, last);
  tree total = emit_binary (emitter, MULT_EXPR, count, weight);
  emit_branches (emitter, where, LT_EXPR, differs,
		 size_constant (HEAPPROF_GRANULE_BYTES), &near, &far);

  counter_emitter branch = { NULL, emitter->location, emitter->base };
  if (update.may_be_empty)
    emit_increment_if_any (&branch, first, total);
  else
    emit_increment (&branch, first, total);
  emit_at_start (&branch, near);
  branch.seq = NULL;
  if (span >= 0 && span < HEAPPROF_GRANULE_BYTES && !update.may_be_empty)
    emit_two_granules (&branch, dimension, first, last, weight);
  else
    {
      if (may_count_in_neighbour_p () && !update.may_be_empty
	  && TREE_CODE (dimension.step) == INTEGER_CST)
	far = emit_near_ends (emitter->base, update, far, first, last, weight);
      emit_range_call (&branch, update, first, weight);
    }
  emit_at_start (&branch, far);
}

void
emit_loop_update (const loop_update &update, edge where, tree base)
{
  counter_emitter emitter
    = { NULL, gimple_location (update.access->statement), base };
  tree first = emit_value (&emitter, update.first);
  tree weight = emit_value (&emitter, update.weight);

  if (update.n_dimensions == 1
      && constant_span (update.dimension[0]) < HEAPPROF_GRANULE_BYTES)
    {
      emit_short_or_long (&emitter, where, update, first, weight);
      return;
    }
  if (update.n_dimensions)
    emit_range_call (&emitter, update, first, weight);
  else if (update.may_be_empty)
    emit_increment_if_any (&emitter, first, weight);
  else
    emit_increment (&emitter, first, weight);
  emit_on_edge (&emitter, where);
}
