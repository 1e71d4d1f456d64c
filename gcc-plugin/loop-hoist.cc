/* Counts before a loop what the loop is going to do.
   SPDX-License-Identifier: GPL-3.0-or-later

   An access that each iteration makes once, to an address that advances by
   STEP, makes a range of COUNT addresses if the loop is known to run COUNT
   times, and that range can be counted in front of the loop.  If this is in a
   loop as well, the same applies to the range: with the outer loop's step and
   count it becomes a range of two dimensions, or of one if the rows lie side
   by side, or one with a larger weight if the outer step is 0.  */

#include "gcc-compat.h"
#include "access.h"
#include "heapprof/abi.h"
#include "loop-count.h"

tree
access_address (const heap_access &access)
{
  poly_int64 bit_size, bit_position;
  tree offset, address;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;

  if (!access.reference)
    return fold_convert (sizetype, access.pointer);
  tree base = get_inner_reference (access.reference, &bit_size, &bit_position,
				   &offset, &mode, &is_unsigned, &is_reverse,
				   &is_volatile);
  poly_int64 constant = bits_to_bytes_round_down (bit_position);
  if (TREE_CODE (base) == MEM_REF)
    {
      address = TREE_OPERAND (base, 0);
      constant += mem_ref_offset (base).force_shwi ();
    }
  else if (TREE_CODE (base) == TARGET_MEM_REF)
    address = tree_mem_ref_addr (ptr_type_node, base);
  else
    return NULL_TREE;
  address = fold_convert (sizetype, unshare_expr (address));
  if (offset)
    address = fold_build2 (PLUS_EXPR, sizetype, address,
			   fold_convert (sizetype, unshare_expr (offset)));
  return fold_build2 (PLUS_EXPR, sizetype, address,
		      build_int_cst (sizetype, constant));
}

bool
loop_affine (class loop *loop, tree expression, tree *base, tree *step)
{
  affine_iv iv;

  if (TREE_CODE (expression) == INTEGER_CST)
    {
      *base = expression;
      *step = size_zero_node;
      return true;
    }
  if (!simple_iv (loop, loop, expression, &iv, true)
      || contains_abnormal_ssa_name_p (iv.base)
      || contains_abnormal_ssa_name_p (iv.step)
      || compat_expression_expensive_p (iv.base)
      || compat_expression_expensive_p (iv.step))
    return false;
  *base = fold_convert (sizetype, unshare_expr (iv.base));
  *step = fold_convert (sizetype, unshare_expr (iv.step));
  return true;
}

tree
loop_invariant (class loop *loop, tree expression)
{
  tree base, step;

  if (!loop_affine (loop, expression, &base, &step) || !integer_zerop (step))
    return NULL_TREE;
  return base;
}

/* Replace the values in UPDATE by ones from outside of LOOP.  */
static bool
make_invariant (loop_update *update, class loop *loop)
{
  update->weight = loop_invariant (loop, update->weight);
  if (!update->weight)
    return false;
  for (unsigned i = 0; i < update->n_dimensions; i++)
    {
      loop_dimension *const dimension = &update->dimension[i];
      dimension->step = loop_invariant (loop, dimension->step);
      dimension->count = loop_invariant (loop, dimension->count);
      if (!dimension->step || !dimension->count)
	return false;
    }
  return true;
}

/* True if |A| < |B|, where a value that is not constant is large.  */
static bool
shorter_step_p (tree a, tree b)
{
  if (TREE_CODE (a) != INTEGER_CST || TREE_CODE (b) != INTEGER_CST)
    return TREE_CODE (a) == INTEGER_CST;
  return wi::ltu_p (wi::abs (wi::to_wide (a)), wi::abs (wi::to_wide (b)));
}

/* Add the direction STEP, COUNT to UPDATE.  False if there are too many.  */
static bool
add_dimension (loop_update *update, tree step, tree count)
{
  loop_dimension *const dimension = update->dimension;

  if (integer_zerop (step))
    {
      update->weight = fold_build2 (MULT_EXPR, sizetype, update->weight, count);
      return true;
    }
  for (unsigned i = 0; i < update->n_dimensions; i++)
    {
      /* Rows side by side, or all of them in each step.  */
      tree next = fold_build2 (MULT_EXPR, sizetype, dimension[i].step,
			       dimension[i].count);
      tree inner = fold_build2 (MULT_EXPR, sizetype, step, count);
      bool continues = operand_equal_p (next, step, 0);
      if (!continues && !operand_equal_p (inner, dimension[i].step, 0))
	continue;
      if (!continues)
	dimension[i].step = step;
      dimension[i].count = fold_build2 (MULT_EXPR, sizetype,
					dimension[i].count, count);
      return true;
    }
  if (update->n_dimensions == max_dimensions)
    return false;
  dimension[update->n_dimensions].step = step;
  dimension[update->n_dimensions++].count = count;
  if (update->n_dimensions == 2
      && shorter_step_p (dimension[1].step, dimension[0].step))
    std::swap (dimension[0], dimension[1]);
  return true;
}

bool
hoist_update (loop_update *update, const vec<loop_facts> &facts)
{
  class loop *loop = update->block->loop_father;
  tree first, step;

  if (!loop_depth (loop))
    return false;
  const loop_facts &here = facts[loop->num];
  if (!here.latch_runs || !here.completes
      || !dominated_by_p (CDI_DOMINATORS, loop->latch, update->block)
      || !loop_affine (loop, update->first, &first, &step)
      || !make_invariant (update, loop))
    return false;

  tree count = unshare_expr (here.latch_runs);
  if (dominated_by_p (CDI_DOMINATORS, here.exit->src, update->block))
    count = fold_build2 (PLUS_EXPR, sizetype, count, size_one_node);
  else if (!tree_expr_nonzero_p (count))
    update->may_be_empty = true;
  if (integer_zerop (count) || !add_dimension (update, step, count))
    return false;
  update->first = first;
  update->loop = loop;
  update->block = loop_preheader_edge (loop)->src;
  return true;
}

/* True if a call that counts DIMENSION costs less for each address than an
   increment in the loop.  */
static bool
dense_p (const loop_dimension &dimension)
{
  return (TREE_CODE (dimension.step) == INTEGER_CST
	  && wi::leu_p (wi::abs (wi::to_wide (dimension.step)),
			HEAPPROF_GRANULE_BYTES));
}

bool
update_profitable_p (const loop_update &update)
{
  if (!update.loop)
    return false;
  if (!update.n_dimensions)
    return true;
  const loop_dimension &inner = update.dimension[0];
  if (!dense_p (inner))
    return false;
  if (update.n_dimensions > 1 || TREE_CODE (inner.count) != INTEGER_CST)
    return true;
  return wi::gtu_p (wi::to_wide (inner.count), 3);
}
