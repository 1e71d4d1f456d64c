/* Emit the counter updates for the heap accesses of a function.
   SPDX-License-Identifier: GPL-3.0-or-later

   For the access

     x_1 = p_2->f;

   the code becomes

     base_3 = (counter *) __heapprof_shadow_base;		    (1)
     ...
     _4 = (sizetype) p_2 + 8;					    (2)
     _5 = _4 >> 6;						    (3)
     _6 = MEM[base_3 + _5 * 8];					    (4)
     _7 = _6 + 1;
     MEM[base_3 + _5 * 8] = _7;
     x_1 = p_2->f;

   (1) stands once in a function, in a block that dominates all uses and lies
   in no loop.  (4) is a TARGET_MEM_REF, which becomes one instruction on x86.
   It is not marked as one that cannot trap, though it cannot where it stands:
   the mark would let the optimizers load the counter of a pointer that the
   program has not yet tested.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "access.h"
#include "runtime-decls.h"

/* A range of constant size that has more 8-byte steps than this is counted by
   the run-time library.  As many as this lie in at most two granules.  */
static const unsigned max_inline_steps
  = HEAPPROF_GRANULE_BYTES / range_step_bytes;

/* What is needed to emit the counters of one access.  */
struct counter_emitter
{
  gimple_seq seq;
  location_t location;
  /* (1), of type counter_pointer_type.  */
  tree base;
};

static tree
size_constant (HOST_WIDE_INT value)
{
  return build_int_cst (sizetype, value);
}

static tree
emit_binary (counter_emitter *emitter, tree_code code, tree left, tree right)
{
  return gimple_build (&emitter->seq, emitter->location, code, sizetype, left,
		       right);
}

static tree
emit_to_size (counter_emitter *emitter, tree value)
{
  return gimple_convert (&emitter->seq, emitter->location, sizetype, value);
}

/* A gimple value for any expression VALUE.  */
static tree
emit_value (counter_emitter *emitter, tree value)
{
  gimple_seq statements = NULL;

  value = force_gimple_operand (unshare_expr (value), &statements, true,
				NULL_TREE);
  gimple_seq_add_seq (&emitter->seq, statements);
  return emit_to_size (emitter, value);
}

/* The address of the memory reference REFERENCE as a sizetype value.  A
   bit-field's address is that of the byte where it begins.  */
static tree
emit_reference_address (counter_emitter *emitter, tree reference)
{
  poly_int64 bit_size, bit_position;
  tree offset, address;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;
  tree base = get_inner_reference (reference, &bit_size, &bit_position,
				   &offset, &mode, &is_unsigned, &is_reverse,
				   &is_volatile);
  poly_int64 constant = bits_to_bytes_round_down (bit_position);

  if (TREE_CODE (base) == MEM_REF)
    {
      address = emit_to_size (emitter, TREE_OPERAND (base, 0));
      constant += mem_ref_offset (base).force_shwi ();
    }
  else if (TREE_CODE (base) == TARGET_MEM_REF)
    address = emit_value (emitter, tree_mem_ref_addr (ptr_type_node, base));
  else
    address = emit_value (emitter, build_fold_addr_expr (base));
  if (offset)
    address = emit_binary (emitter, PLUS_EXPR, address,
			   emit_value (emitter, offset));
  return emit_binary (emitter, PLUS_EXPR, address,
		      build_int_cst (sizetype, constant));
}

static tree
emit_address (counter_emitter *emitter, const heap_access &access)
{
  return (access.reference
	  ? emit_reference_address (emitter, access.reference)
	  : emit_to_size (emitter, access.pointer));
}

/* (3), (4): add the sizetype value WEIGHT to the counter of ADDRESS.  */
static void
emit_increment (counter_emitter *emitter, tree address, tree weight)
{
  tree index = emit_binary (emitter, RSHIFT_EXPR, address,
			    build_int_cst (integer_type_node,
					   HEAPPROF_GRANULE_SHIFT));
  tree counter = build5 (TARGET_MEM_REF, counter_type (), emitter->base,
			 build_int_cst (counter_pointer_type (), 0), index,
			 size_constant (HEAPPROF_COUNTER_BYTES), NULL_TREE);
  tree before = make_ssa_name (sizetype);
  tree after = make_ssa_name (sizetype);

  gimple_seq_add_stmt (&emitter->seq, gimple_build_assign (before, counter));
  gimple_seq_add_stmt (&emitter->seq,
		       gimple_build_assign (after, PLUS_EXPR, before, weight));
  gimple_seq_add_stmt (&emitter->seq,
		       gimple_build_assign (unshare_expr (counter), after));
}

/* Add WEIGHT, which may be 0, to the counter of ADDRESS.  If it is 0 the
   program makes no access and ADDRESS may be anything at all, so take an
   address that surely has a counter.  */
static void
emit_increment_if_any (counter_emitter *emitter, tree address, tree weight)
{
  tree safe = emit_to_size (emitter, build_fold_addr_expr
				       (shadow_base_decl ()));
  tree is_access = gimple_build (&emitter->seq, emitter->location, NE_EXPR,
				 boolean_type_node, weight, size_constant (0));

  address = gimple_build (&emitter->seq, emitter->location, COND_EXPR,
			  sizetype, is_access, address, safe);
  emit_increment (emitter, address, weight);
}

/* Count the accesses of a memory operation on 8 * STEPS bytes or a bit less:
   one access for each step in the granule where the step begins.  The first
   granule gets those that begin in it, the other one the rest; if there is
   none, the rest is 0.  */
static void
emit_short_range (counter_emitter *emitter, tree address, unsigned steps)
{
  if (steps == 1)
    {
      emit_increment (emitter, address, size_constant (1));
      return;
    }
  tree in_granule = emit_binary (emitter, BIT_AND_EXPR, address,
				 size_constant (HEAPPROF_GRANULE_BYTES - 1));
  tree room = emit_binary (emitter, MINUS_EXPR,
			   size_constant (HEAPPROF_GRANULE_BYTES
					  + range_step_bytes - 1),
			   in_granule);
  room = emit_binary (emitter, RSHIFT_EXPR, room,
		      build_int_cst (integer_type_node, 3));
  tree first = emit_binary (emitter, MIN_EXPR, room, size_constant (steps));
  tree rest = emit_binary (emitter, MINUS_EXPR, size_constant (steps), first);
  tree last_step = emit_binary (emitter, PLUS_EXPR, address,
				size_constant ((steps - 1) * range_step_bytes));
  emit_increment (emitter, address, first);
  emit_increment (emitter, last_step, rest);
}

static void
emit_range (counter_emitter *emitter, const heap_access &access)
{
  tree address = emit_address (emitter, access);

  if (tree_fits_uhwi_p (access.bytes))
    {
      unsigned HOST_WIDE_INT bytes = tree_to_uhwi (access.bytes);
      unsigned HOST_WIDE_INT steps = CEIL (bytes, range_step_bytes);
      if (steps <= max_inline_steps)
	{
	  emit_short_range (emitter, address, steps);
	  return;
	}
    }
  gcall *call = gimple_build_call
    (access_range_decl (), 2,
     gimple_convert (&emitter->seq, emitter->location, ptr_type_node, address),
     emit_to_size (emitter, access.bytes));
  gimple_seq_add_stmt (&emitter->seq, call);
}

/* Lane LANE of the vector VALUE, its elements taken as the integer type
   ELEMENT_TYPE.  */
static tree
emit_lane (counter_emitter *emitter, tree value, unsigned lane,
	   tree element_type)
{
  const unsigned HOST_WIDE_INT bits = TYPE_PRECISION (element_type);
  const unsigned HOST_WIDE_INT lanes
    = constant_lower_bound (TYPE_VECTOR_SUBPARTS (TREE_TYPE (value)));
  tree vector_type = build_vector_type (element_type, lanes);

  value = gimple_build (&emitter->seq, emitter->location, VIEW_CONVERT_EXPR,
			vector_type, value);
  return gimple_build (&emitter->seq, emitter->location, BIT_FIELD_REF,
		       element_type, value, bitsize_int (bits),
		       bitsize_int (lane * bits));
}

/* A mask is an integer of one bit a lane (AVX-512), or a vector of which each
   element's sign bit counts.  If MASK is the former return its bits as a
   sizetype value, else NULL.  */
static tree
emit_mask_bits (counter_emitter *emitter, tree mask)
{
  tree type = TREE_TYPE (mask);
  scalar_int_mode mode;

  if (INTEGRAL_TYPE_P (type))
    {
      mask = gimple_convert (&emitter->seq, emitter->location,
			     unsigned_type_for (type), mask);
      return emit_to_size (emitter, mask);
    }
  if (!is_a <scalar_int_mode> (TYPE_MODE (type), &mode)
      || !VECTOR_BOOLEAN_TYPE_P (type))
    return NULL_TREE;
  tree bits_type = build_nonstandard_integer_type (GET_MODE_BITSIZE (mode), 1);
  mask = gimple_build (&emitter->seq, emitter->location, VIEW_CONVERT_EXPR,
		       bits_type, mask);
  return emit_to_size (emitter, mask);
}

/* 1 or 0, a sizetype value: whether LANE of MASK is active.  BITS is what
   emit_mask_bits returned for MASK.  */
static tree
emit_lane_active (counter_emitter *emitter, tree mask, tree bits,
		  unsigned lane)
{
  if (bits)
    {
      bits = emit_binary (emitter, RSHIFT_EXPR, bits,
			  build_int_cst (integer_type_node, lane));
      return emit_binary (emitter, BIT_AND_EXPR, bits, size_constant (1));
    }
  tree mask_type = TREE_TYPE (mask);
  const unsigned HOST_WIDE_INT element_bits
    = tree_to_uhwi (TYPE_SIZE (TREE_TYPE (mask_type)));
  tree element_type = build_nonstandard_integer_type (element_bits, 1);
  tree element = emit_lane (emitter, mask, lane, element_type);
  element = gimple_build (&emitter->seq, emitter->location, RSHIFT_EXPR,
			  element_type, element,
			  build_int_cst (integer_type_node,
					 element_bits - 1));
  return emit_to_size (emitter, element);
}

static void
emit_masked (counter_emitter *emitter, const heap_access &access)
{
  tree bits = emit_mask_bits (emitter, access.mask);
  tree active = size_constant (0);

  for (unsigned lane = 0; lane < access.weight; lane++)
    active = emit_binary (emitter, PLUS_EXPR, active,
			  emit_lane_active (emitter, access.mask, bits, lane));
  emit_increment_if_any (emitter, emit_address (emitter, access), active);
}

static void
emit_length (counter_emitter *emitter, const heap_access &access)
{
  tree active = emit_to_size (emitter, access.length);

  if (access.length_bias)
    active = emit_binary (emitter, PLUS_EXPR, active,
			  emit_to_size (emitter, access.length_bias));
  emit_increment_if_any (emitter, emit_address (emitter, access), active);
}

static void
emit_indexed (counter_emitter *emitter, const heap_access &access)
{
  tree base = emit_address (emitter, access);
  tree scale = emit_to_size (emitter, access.scale);
  tree offset_type = TREE_TYPE (TREE_TYPE (access.offsets));
  tree bits = (access.mask
	       ? emit_mask_bits (emitter, access.mask) : NULL_TREE);

  for (unsigned lane = 0; lane < access.weight; lane++)
    {
      tree offset = emit_lane (emitter, access.offsets, lane, offset_type);
      offset = emit_binary (emitter, MULT_EXPR, emit_to_size (emitter, offset),
			    scale);
      tree address = emit_binary (emitter, PLUS_EXPR, base, offset);
      if (access.mask)
	emit_increment_if_any (emitter, address,
			       emit_lane_active (emitter, access.mask, bits,
						 lane));
      else
	emit_increment (emitter, address, size_constant (1));
    }
}

static void
emit_access (const heap_access &access, tree base)
{
  counter_emitter emitter
    = { NULL, gimple_location (access.statement), base };

  switch (access.shape)
    {
    case ACCESS_SINGLE:
      emit_increment (&emitter, emit_address (&emitter, access),
		      size_constant (access.weight));
      break;
    case ACCESS_RANGE:
      emit_range (&emitter, access);
      break;
    case ACCESS_MASKED:
      emit_masked (&emitter, access);
      break;
    case ACCESS_LENGTH:
      emit_length (&emitter, access);
      break;
    case ACCESS_INDEXED:
      emit_indexed (&emitter, access);
      break;
    }

  annotate_all_with_location (emitter.seq, emitter.location);
  for (gimple_stmt_iterator gsi = gsi_start (emitter.seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    compat_suppress_warnings (gsi_stmt (gsi));
  gimple_stmt_iterator gsi = gsi_for_stmt (access.statement);
  compat_insert_before (&gsi, emitter.seq);
}

/* True if BLOCK begins with a call that may return twice; nothing may stand
   before it in its block.  */
static bool
begins_with_returns_twice_p (basic_block block)
{
  gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb (block);

  return (!gsi_end_p (gsi) && is_gimple_call (gsi_stmt (gsi))
	  && (gimple_call_flags (gsi_stmt (gsi)) & ECF_RETURNS_TWICE));
}

/* The innermost block that dominates all of ACCESSES, lies in no loop, and
   may begin with a new statement; the entry block if there is none.  */
static basic_block
find_base_block (function *fun, const function_accesses *accesses)
{
  basic_block entry = ENTRY_BLOCK_PTR_FOR_FN (fun);
  basic_block block = NULL;

  calculate_dominance_info (CDI_DOMINATORS);
  for (const heap_access &access : accesses->heap)
    {
      basic_block next = gimple_bb (access.statement);
      block = (block
	       ? nearest_common_dominator (CDI_DOMINATORS, block, next)
	       : next);
    }
  if (!current_loops || loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    return entry;
  while (block && block != entry
	 && (bb_loop_depth (block) > 0 || begins_with_returns_twice_p (block)))
    block = get_immediate_dominator (CDI_DOMINATORS,
				     (bb_loop_depth (block) > 0
				      ? block->loop_father->header : block));
  return block ? block : entry;
}

/* (1): load the base of the shadow.  */
static tree
emit_base (function *fun, const function_accesses *accesses)
{
  basic_block block = find_base_block (fun, accesses);
  gimple_seq seq = NULL;
  tree base_address = make_ssa_name (sizetype);
  tree base = make_ssa_name (counter_pointer_type ());

  gimple_seq_add_stmt (&seq, gimple_build_assign (base_address,
						  shadow_base_decl ()));
  gimple_seq_add_stmt (&seq, gimple_build_assign (base, NOP_EXPR,
						  base_address));
  if (block == ENTRY_BLOCK_PTR_FOR_FN (fun))
    gsi_insert_seq_on_edge_immediate (single_succ_edge (block), seq);
  else
    {
      gimple_stmt_iterator gsi = gsi_after_labels (block);
      gsi_insert_seq_before (&gsi, seq, GSI_NEW_STMT);
    }
  return base;
}

void
emit_counters (function *fun, const function_accesses *accesses)
{
  tree base = emit_base (fun, accesses);

  for (const heap_access &access : accesses->heap)
    emit_access (access, base);
}
