/* Counting of the accesses of a loop before the loop.
   SPDX-License-Identifier: GPL-3.0-or-later

   If each iteration makes an access once, its address advances by STEP, and the
   loop is known to run COUNT times, the accesses form a range of COUNT
   addresses that can be counted before the loop.  If that loop is nested in
   another loop, the same applies to the range: with the outer loop's step and
   count it becomes a range of two dimensions, a range of one if the rows are
   adjacent, or a range with a larger weight if the outer step is 0.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "heapprof/abi.h"
#include "loop-count.h"
#include "merge-window.h"

tree
access_address (const heap_access &access)
{
  poly_int64 bit_size, bit_position;
  tree offset, address;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;

  if (!access.reference)
    return fold_convert (sizetype, access.pointer);
  tree base
    = get_inner_reference (access.reference, &bit_size, &bit_position, &offset,
			   &mode, &is_unsigned, &is_reverse, &is_volatile);
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

/* Describe EXPRESSION, of any type, in *IV by scalar evolution.  Return false
   on failure.  */
static bool
evolution (class loop *loop, tree expression, affine_iv *iv)
{
  if (TREE_CODE (expression) == INTEGER_CST)
    {
      *iv = {};
      iv->base = expression;
      iv->step = build_zero_cst (TREE_TYPE (expression));
      iv->no_overflow = true;
      return true;
    }
  return (simple_iv (loop, loop, expression, iv, true)
	  && !contains_abnormal_ssa_name_p (iv->base)
	  && !contains_abnormal_ssa_name_p (iv->step)
	  && !compat_expression_expensive_p (iv->base)
	  && !compat_expression_expensive_p (iv->step));
}

/* True if EXPRESSION is computed modulo 2^64, like a sizetype value.  */
static bool
address_wide_p (tree expression)
{
  return (TYPE_PRECISION (TREE_TYPE (expression)) == TYPE_PRECISION (sizetype));
}

/* Replace *BASE + i * *STEP, a description made by loop_affine, by its
   combination with RIGHT_BASE + i * RIGHT_STEP by CODE.  Return false if the
   result is not affine.  */
static bool
combine_affine (tree_code code, tree *base, tree *step, tree right_base,
		tree right_step)
{
  switch (code)
    {
    case POINTER_PLUS_EXPR:
      code = PLUS_EXPR;
      /* FALLTHRU */
    case PLUS_EXPR:
    case MINUS_EXPR:
      *base = fold_build2 (code, sizetype, *base, right_base);
      *step = fold_build2 (code, sizetype, *step, right_step);
      return true;
    case MULT_EXPR:
      if (integer_zerop (*step) && !integer_zerop (right_step))
	{
	  std::swap (*base, right_base);
	  std::swap (*step, right_step);
	}
      *base = fold_build2 (MULT_EXPR, sizetype, *base, right_base);
      *step = fold_build2 (MULT_EXPR, sizetype, *step, right_base);
      return integer_zerop (right_step);
    default:
      return false;
    }
}

/* If EXPRESSION is a sum, difference or product that also holds for its
   operands converted to sizetype, store these in *LEFT and *RIGHT and return
   the operation; else return ERROR_MARK.  A signed result is computed wherever
   the program makes the access, so it did not overflow.  */
static tree_code
split_expression (tree expression, tree *left, tree *right)
{
  tree_code code = TREE_CODE (expression);

  if (code == SSA_NAME)
    {
      gassign *definition
	= dyn_cast<gassign *> (SSA_NAME_DEF_STMT (expression));
      if (!definition
	  || gimple_assign_rhs_class (definition) != GIMPLE_BINARY_RHS
	  || !INTEGRAL_TYPE_P (TREE_TYPE (expression))
	  || !TYPE_OVERFLOW_UNDEFINED (TREE_TYPE (expression)))
	return ERROR_MARK;
      *left = gimple_assign_rhs1 (definition);
      *right = gimple_assign_rhs2 (definition);
      code = gimple_assign_rhs_code (definition);
    }
  else if (BINARY_CLASS_P (expression) && address_wide_p (expression))
    {
      *left = TREE_OPERAND (expression, 0);
      *right = TREE_OPERAND (expression, 1);
    }
  else
    return ERROR_MARK;
  return (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR
	      || code == POINTER_PLUS_EXPR
	    ? code
	    : ERROR_MARK);
}

/* The maximum depth of expressions that are analyzed.  */
static const unsigned max_depth = 6;

/* Describe (sizetype) EXPRESSION as *BASE + i * *STEP.  Scalar evolution does
   not look into a sum that contains a widening conversion, and does not know
   that a product is not computed for the iteration after the last.  */
static bool
affine_at_depth (class loop *loop, tree expression, tree *base, tree *step,
		 unsigned depth)
{
  tree left, right, right_base, right_step;
  affine_iv iv;

  if (address_wide_p (expression))
    STRIP_NOPS (expression);
  if (evolution (loop, expression, &iv)
      && (iv.no_overflow || address_wide_p (expression)))
    {
      *base = fold_convert (sizetype, unshare_expr (iv.base));
      *step = fold_convert (sizetype, unshare_expr (iv.step));
      return true;
    }
  if (CONVERT_EXPR_P (expression) && address_wide_p (expression)
      && (INTEGRAL_TYPE_P (TREE_TYPE (TREE_OPERAND (expression, 0)))
	  || POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (expression, 0)))))
    return affine_at_depth (loop, TREE_OPERAND (expression, 0), base, step,
			    depth);
  const tree_code code = split_expression (expression, &left, &right);
  return (code != ERROR_MARK && depth < max_depth
	  && affine_at_depth (loop, left, base, step, depth + 1)
	  && affine_at_depth (loop, right, &right_base, &right_step, depth + 1)
	  && combine_affine (code, base, step, right_base, right_step));
}

bool
loop_affine (class loop *loop, tree expression, tree *base, tree *step)
{
  return affine_at_depth (loop, expression, base, step, 0);
}

/* True if CODE computes a value of TYPE that is defined for all operands, so
   that it can be computed at places where the program does not compute it.  */
static bool
always_defined_p (tree_code code, tree type)
{
  if (!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type))
    return false;
  switch (code)
    {
    case NOP_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case RSHIFT_EXPR:
      return true;
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case LSHIFT_EXPR:
      return !TYPE_OVERFLOW_UNDEFINED (type);
    default:
      return false;
    }
}

/* Return the gimple value VALUE as an expression of values from outside LOOP,
   or NULL_TREE.  Unlike scalar evolution, this handles shifts and masks.  */
static tree
value_outside (class loop *loop, tree value, unsigned depth)
{
  if (expr_invariant_in_loop_p (loop, value))
    return value;
  if (TREE_CODE (value) != SSA_NAME || depth == max_depth)
    return NULL_TREE;
  gassign *definition = dyn_cast<gassign *> (SSA_NAME_DEF_STMT (value));
  if (!definition)
    return NULL_TREE;

  const tree_code code = gimple_assign_rhs_code (definition);
  const tree type = TREE_TYPE (value);
  tree left = gimple_assign_rhs1 (definition);
  if (code == SSA_NAME)
    return value_outside (loop, left, depth + 1);
  if (!always_defined_p (code, type)
      || (!INTEGRAL_TYPE_P (TREE_TYPE (left))
	  && !POINTER_TYPE_P (TREE_TYPE (left))))
    return NULL_TREE;
  left = value_outside (loop, left, depth + 1);
  if (!left || code == NOP_EXPR)
    return left ? fold_convert (type, left) : NULL_TREE;
  tree right = value_outside (loop, gimple_assign_rhs2 (definition), depth + 1);
  return right ? fold_build2 (code, type, left, right) : NULL_TREE;
}

/* Return EXPRESSION with its values replaced by value_outside, or
   NULL_TREE.  */
static tree
expression_outside (class loop *loop, tree expression)
{
  if (is_gimple_val (expression))
    return value_outside (loop, expression, 0);
  if (!EXPR_P (expression))
    return NULL_TREE;

  tree copy = copy_node (expression);
  for (int i = 0; i < TREE_OPERAND_LENGTH (copy); i++)
    {
      tree operand = TREE_OPERAND (copy, i);
      if (!operand)
	continue;
      TREE_OPERAND (copy, i) = expression_outside (loop, operand);
      if (!TREE_OPERAND (copy, i))
	return NULL_TREE;
    }
  return fold (copy);
}

tree
loop_invariant (class loop *loop, tree expression)
{
  tree base, step;

  if (expr_invariant_in_loop_p (loop, expression))
    return expression;
  if (loop_affine (loop, expression, &base, &step))
    return integer_zerop (step) ? base : NULL_TREE;
  expression = expression_outside (loop, expression);
  if (!expression || contains_abnormal_ssa_name_p (expression)
      || compat_expression_expensive_p (expression))
    return NULL_TREE;
  return expression;
}

/* Replace the values in UPDATE by values from outside LOOP.  */
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

/* True if |A| < |B|, where a value that is not constant counts as large.  */
static bool
shorter_step_p (tree a, tree b)
{
  if (TREE_CODE (a) != INTEGER_CST || TREE_CODE (b) != INTEGER_CST)
    return TREE_CODE (a) == INTEGER_CST;
  return wi::ltu_p (wi::abs (wi::to_wide (a)), wi::abs (wi::to_wide (b)));
}

/* Add the dimension with STEP and COUNT to UPDATE.  Return false if there are
   too many dimensions.  */
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
      /* The rows are adjacent, or the new dimension fills one step of the
	 existing one.  */
      tree next = fold_build2 (MULT_EXPR, sizetype, dimension[i].step,
			       dimension[i].count);
      tree inner = fold_build2 (MULT_EXPR, sizetype, step, count);
      bool continues = operand_equal_p (next, step, 0);
      if (!continues && !operand_equal_p (inner, dimension[i].step, 0))
	continue;
      if (!continues)
	dimension[i].step = step;
      dimension[i].count
	= fold_build2 (MULT_EXPR, sizetype, dimension[i].count, count);
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

/* Return NUMBER if CONDITION holds and 0 otherwise, as an expression.  */
static tree
number_if (tree condition, tree number)
{
  tree same = number;

  STRIP_NOPS (same);
  if (TREE_CODE (condition) == NE_EXPR
      && integer_zerop (TREE_OPERAND (condition, 1))
      && operand_equal_p (same, TREE_OPERAND (condition, 0), 0))
    return number;
  return fold_build3 (COND_EXPR, sizetype, condition, number, size_zero_node);
}

/* UPDATE's block does not run in each iteration of LOOP.  If it runs either in
   all iterations or in none, because a test of values that do not change in the
   loop guards it, add the test to TESTS and move UPDATE to the test.  Such a
   test guards inner loops that may have no iterations.  A block after an inner
   loop runs as often as the block before it.  */
static bool
move_to_invariant_test (loop_update *update, class loop *loop, vec<tree> *tests)
{
  basic_block block = update->block;

  if (!single_pred_p (block))
    return false;
  edge taken = single_pred_edge (block);
  class loop *before = taken->src->loop_father;
  if (loop_outer (before) == loop && single_exit (before) == taken)
    {
      update->block = loop_preheader_edge (before)->src;
      return true;
    }
  gcond *test = safe_dyn_cast<gcond *> (compat_last_statement (taken->src));
  if (!test || taken->src->loop_father != loop)
    return false;
  tree left = value_outside (loop, gimple_cond_lhs (test), 0);
  tree right = value_outside (loop, gimple_cond_rhs (test), 0);
  if (!left || !right || contains_abnormal_ssa_name_p (left)
      || contains_abnormal_ssa_name_p (right))
    return false;

  tree_code code = gimple_cond_code (test);
  if (taken->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison (code, HONOR_NANS (left));
  if (code == ERROR_MARK)
    return false;
  tests->safe_push (fold_build2 (code, boolean_type_node, left, right));
  update->may_be_empty = true;
  update->block = taken->src;
  return true;
}

bool
hoist_update (loop_update *update, const vec<loop_facts> &facts)
{
  class loop *loop = update->block->loop_father;
  auto_vec<tree, 4> tests;
  tree first, step;

  if (!loop_depth (loop))
    return false;
  const loop_facts &here = facts[loop->num];
  if (!here.latch_runs || !here.completes)
    return false;
  while (!dominated_by_p (CDI_DOMINATORS, loop->latch, update->block))
    if (!move_to_invariant_test (update, loop, &tests))
      return false;
  if (!loop_affine (loop, update->first, &first, &step)
      || !make_invariant (update, loop))
    return false;

  if (in_one_object_p (*update->access, loop))
    step = size_zero_node;
  tree count = unshare_expr (here.latch_runs);
  if (dominated_by_p (CDI_DOMINATORS, here.exit->src, update->block))
    count = fold_build2 (PLUS_EXPR, sizetype, count, size_one_node);
  else if (!tree_expr_nonzero_p (count))
    update->may_be_empty = true;
  /* A range is empty if one of its counts is 0.  */
  tree *conditional
    = (update->n_dimensions ? &update->dimension[update->n_dimensions - 1].count
			    : &count);
  for (tree condition : tests)
    *conditional = number_if (condition, *conditional);
  if (integer_zerop (count) || !add_dimension (update, step, count))
    return false;
  update->first = first;
  update->loop = loop;
  update->block = loop_preheader_edge (loop)->src;
  return true;
}

bool
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
