/* Emission of the counter updates for the heap accesses of a function, each
   before the statement that makes the access.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"
#include "arguments.h"
#include "counter-emit.h"
#include "merge-address.h"
#include "runtime-decls.h"

/* The largest range of constant size that is counted inline, in 8-byte steps;
   the run-time library counts larger ones.  A range of this size spans at most
   two granules.  */
static const unsigned max_inline_steps
  = HEAPPROF_GRANULE_BYTES / range_step_bytes;

/* Count a memory operation of FURTHER + 1 steps in the granules where the first
   and the last step begin.  */
static void
emit_ends (counter_emitter *emitter, tree address, tree further)
{
  tree distance = emit_binary (emitter, LSHIFT_EXPR, further,
			       build_int_cst (integer_type_node, 3));

  emit_increment (emitter, address, further);
  emit_increment (emitter, emit_binary (emitter, PLUS_EXPR, address, distance),
		  size_constant (1));
}

/* Count the accesses of a memory operation on 8 * STEPS bytes or slightly less:
   one access for each step.  Unless either granule may count, the first one
   gets the steps that begin in it, the second one the rest, which may be
   0.  */
static void
emit_short_range (counter_emitter *emitter, tree address, unsigned steps)
{
  if (steps == 1)
    {
      emit_increment (emitter, address, size_constant (1));
      return;
    }
  if (may_count_in_neighbour_p ())
    {
      emit_ends (emitter, address, size_constant (steps - 1));
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

/* Return the number of accesses of a memory operation on BYTES bytes, of type
   sizetype.  */
static tree
emit_steps (counter_emitter *emitter, tree bytes)
{
  tree up = emit_binary (emitter, PLUS_EXPR, bytes,
			 size_constant (range_step_bytes - 1));

  return emit_binary (emitter, RSHIFT_EXPR, up,
		      build_int_cst (integer_type_node, 3));
}

/* Call the run-time library for a memory operation.  */
static void
emit_range_call (counter_emitter *emitter, tree address, tree bytes)
{
  gcall *call
    = gimple_build_call (access_range_decl (), 2,
			 gimple_convert (&emitter->seq, emitter->location,
					 ptr_type_node, address),
			 bytes);
  gimple_seq_add_stmt (&emitter->seq, call);
}

/* True if STATEMENT, a library function's call, is worth a branch that avoids
   the call of the run-time library if it is on few BYTES.  */
static bool
shall_branch_p (gimple *statement, tree bytes)
{
  return (optimize && !arguments.histogram && TREE_CODE (bytes) != INTEGER_CST
	  && optimize_bb_for_speed_p (gimple_bb (statement)));
}

/* Call the run-time library for a memory operation, from the block FAR.  If
   BYTES may be 0, not for that: such operations are frequent in some
   programs.  */
static void
emit_far_range (const counter_emitter *emitter, basic_block far, tree address,
		tree bytes, bool may_be_zero)
{
  counter_emitter branch = { NULL, emitter->location, emitter->base };
  basic_block none;

  if (may_be_zero)
    emit_branches (&branch, single_succ_edge (far), NE_EXPR,
		   emit_opaque (&branch, bytes), size_constant (0), &far,
		   &none);
  branch.seq = NULL;
  emit_range_call (&branch, address, bytes);
  emit_at_start (&branch, far);
}

/* Count on the edge WHERE the accesses of a memory operation of unknown size:

     if (bytes - 1 < 64)			it is in at most two granules
       {
	 further = (bytes - 1) >> 3;
	 counter[address >> 6] += further;
	 counter[(address + 8 * further) >> 6]++;
       }
     else if (bytes != 0)
       __heapprof_access_range (address, bytes);

   or, if each step must count in its own granule:

     if (bytes - 1 < 64 - (address & 63))		it is in one granule
       counter[address >> 6] += (bytes + 7) >> 3;
     else if (bytes != 0)
       __heapprof_access_range (address, bytes);

   Most memory operations are short, and a call would also take the registers of
   the code around it.  */
static void
emit_open_range (counter_emitter *emitter, edge where, tree address, tree bytes,
		 bool may_be_zero)
{
  basic_block near, far;

  const bool any = may_count_in_neighbour_p ();
  tree last = emit_binary (emitter, MINUS_EXPR, bytes, size_constant (1));
  last = emit_opaque (emitter, last);
  tree room = size_constant (HEAPPROF_GRANULE_BYTES);
  if (!any)
    {
      tree in_granule
	= emit_binary (emitter, BIT_AND_EXPR, address,
		       size_constant (HEAPPROF_GRANULE_BYTES - 1));
      room = emit_binary (emitter, MINUS_EXPR, room, in_granule);
    }
  emit_branches (emitter, where, LT_EXPR, last, room, &near, &far);

  counter_emitter branch = { NULL, emitter->location, emitter->base };
  if (any)
    emit_ends (&branch, address,
	       emit_binary (&branch, RSHIFT_EXPR, last,
			    build_int_cst (integer_type_node, 3)));
  else
    emit_increment (&branch, address, emit_steps (&branch, bytes));
  emit_at_start (&branch, near);
  emit_far_range (emitter, far, address, bytes, may_be_zero);
  emitter->seq = NULL;
}

static void
emit_range (counter_emitter *emitter, const heap_access &access)
{
  tree address = emit_address (emitter, access);

  if (arguments.totals_only)
    {
      tree bytes = emit_to_size (emitter, access.bytes);
      emit_increment_if_any (emitter, address, emit_steps (emitter, bytes));
      return;
    }
  if (tree_fits_uhwi_p (access.bytes) && !arguments.histogram)
    {
      unsigned HOST_WIDE_INT bytes = tree_to_uhwi (access.bytes);
      unsigned HOST_WIDE_INT steps = CEIL (bytes, range_step_bytes);
      if (steps <= max_inline_steps)
	{
	  emit_short_range (emitter, address, steps);
	  return;
	}
    }
  tree bytes = emit_to_size (emitter, access.bytes);
  if (shall_branch_p (access.statement, access.bytes))
    emit_open_range (emitter, edge_before (access.statement), address, bytes,
		     true);
  else
    emit_range_call (emitter, address, bytes);
}

/* Emit lane LANE of the vector VALUE, with elements viewed as the integer type
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

/* A mask is an integer with one bit per lane (AVX-512), or a vector whose
   elements' sign bits are used.  If MASK is the former, return its bits as a
   sizetype value, otherwise NULL.  */
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
  if (!is_a<scalar_int_mode> (TYPE_MODE (type), &mode)
      || !VECTOR_BOOLEAN_TYPE_P (type))
    return NULL_TREE;
  tree bits_type = build_nonstandard_integer_type (GET_MODE_BITSIZE (mode), 1);
  mask = gimple_build (&emitter->seq, emitter->location, VIEW_CONVERT_EXPR,
		       bits_type, mask);
  return emit_to_size (emitter, mask);
}

/* Return a sizetype value that is 1 if LANE of MASK is active, else 0.  BITS is
   what emit_mask_bits returned for MASK.  */
static tree
emit_lane_active (counter_emitter *emitter, tree mask, tree bits, unsigned lane)
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
			  build_int_cst (integer_type_node, element_bits - 1));
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
  tree bits = (access.mask ? emit_mask_bits (emitter, access.mask) : NULL_TREE);

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

/* Emit the call that counts the accesses to TEXT.  */
static void
emit_text_call (counter_emitter *emitter, const text_access &text)
{
  const unsigned operation
    = text.operation | (arguments.histogram ? HEAPPROF_TEXT_HISTOGRAM : 0);
  tree limit = text.limit ? emit_to_size (emitter, text.limit)
			  : build_all_ones_cst (sizetype);
  tree stop = text.stop ? gimple_convert (&emitter->seq, emitter->location,
					  integer_type_node, text.stop)
			: integer_zero_node;
  gcall *call
    = gimple_build_call (access_text_decl (), 5, text.a,
			 text.b ? text.b : null_pointer_node, limit, stop,
			 build_int_cst (unsigned_type_node, operation));
  gimple_seq_add_stmt (&emitter->seq, call);
}

/* Count the accesses of ACCESS, a call of memcmp:

     if (bytes - 1 < 8)				one access to each
       counter[a >> 6]++, counter[b >> 6]++;
     else
       __heapprof_access_text (a, b, bytes, 0, operation);  */
static void
emit_comparison (counter_emitter *emitter, const heap_access &access)
{
  const text_access &text = access.text;
  basic_block near, far;

  tree last
    = emit_binary (emitter, MINUS_EXPR, emit_to_size (emitter, text.limit),
		   size_constant (1));
  last = emit_opaque (emitter, last);
  emit_branches (emitter, edge_before (access.statement), LT_EXPR, last,
		 size_constant (range_step_bytes), &near, &far);

  counter_emitter branch = { NULL, emitter->location, emitter->base };
  if (!(text.operation & HEAPPROF_TEXT_SKIP_A))
    emit_increment (&branch, emit_to_size (&branch, text.a), size_constant (1));
  if (!(text.operation & HEAPPROF_TEXT_SKIP_B))
    emit_increment (&branch, emit_to_size (&branch, text.b), size_constant (1));
  emit_at_start (&branch, near);
  branch.seq = NULL;
  emit_text_call (&branch, text);
  emit_at_start (&branch, far);
  emitter->seq = NULL;
}

/* If the result of CALL tells how far it reads its first argument, and it reads
   nothing else in the heap according to TEXT, return that result, else NULL. It
   is the number of bytes before the last one that is read.  */
static tree
length_read (gimple *call, const text_access &text)
{
  tree result = gimple_call_lhs (call);

  if (!gimple_call_builtin_p (call, BUILT_IN_NORMAL) || !result
      || TREE_CODE (result) != SSA_NAME || stmt_ends_bb_p (call)
      || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (result)
      || (TREE_CODE (text.a) == SSA_NAME
	  && SSA_NAME_OCCURS_IN_ABNORMAL_PHI (text.a))
      || (text.operation & HEAPPROF_TEXT_SKIP_A))
    return NULL_TREE;
  switch (DECL_FUNCTION_CODE (gimple_call_fndecl (call)))
    {
    case BUILT_IN_STRLEN:
      return result;
    case BUILT_IN_STRSPN:
    case BUILT_IN_STRCSPN:
      return text.operation & HEAPPROF_TEXT_SKIP_B ? result : NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* Count the text that ACCESS, a call with the result LENGTH, reads, after the
   call.  */
static void
emit_length_read (counter_emitter *emitter, const heap_access &access,
		  tree length)
{
  tree address = emit_to_size (emitter, access.text.a);
  tree bytes = emit_binary (emitter, PLUS_EXPR, emit_to_size (emitter, length),
			    size_constant (1));

  if (arguments.totals_only)
    {
      emit_increment (emitter, address, emit_steps (emitter, bytes));
      emit_after (emitter, access.statement);
      emitter->seq = NULL;
      return;
    }
  emit_open_range (emitter,
		   split_block (gimple_bb (access.statement), access.statement),
		   address, bytes, false);
}

static void
emit_text (counter_emitter *emitter, const heap_access &access)
{
  const unsigned operation = access.text.operation & HEAPPROF_TEXT_OPERATION;

  if (operation == HEAPPROF_TEXT_COMPARE_BYTES
      && shall_branch_p (access.statement, access.text.limit))
    {
      emit_comparison (emitter, access);
      return;
    }
  tree length = length_read (access.statement, access.text);
  if (length && shall_branch_p (access.statement, length))
    emit_length_read (emitter, access, length);
  else
    emit_text_call (emitter, access.text);
}

/* True if ACCESS is the only use in the program of its address, an SSA name.
   Then updating the counter after the access saves a copy of the address.  */
static bool
last_use_of_address_p (const heap_access &access)
{
  const_tree reference = access.reference;

  return (access.shape == ACCESS_SINGLE && reference
	  && TREE_CODE (reference) == MEM_REF
	  && integer_zerop (TREE_OPERAND (reference, 1))
	  && TREE_CODE (TREE_OPERAND (reference, 0)) == SSA_NAME
	  && has_single_use (TREE_OPERAND (reference, 0)));
}

static bool
ordinary_assignment_p (gimple *statement)
{
  return is_gimple_assign (statement) && !stmt_ends_bb_p (statement);
}

/* Return the statement after which the counter of ACCESS is best updated, or
   NULL if it is best updated before the access.  If a single statement uses the
   loaded value, it may be combined with the load into one instruction and must
   stay next to it.  */
static gimple *
statement_before_counter (const heap_access &access)
{
  gimple *statement = access.statement;
  use_operand_p use;
  gimple *user;

  if (access.shape == ACCESS_TEXT)
    return access.text.is_after ? statement : NULL;
  if (!optimize || !ordinary_assignment_p (statement)
      || !last_use_of_address_p (access))
    return NULL;
  gimple_stmt_iterator gsi = gsi_for_stmt (statement);
  tree loaded = gimple_assign_lhs (statement);
  gsi_next_nondebug (&gsi);
  if (TREE_CODE (loaded) != SSA_NAME || gsi_end_p (gsi)
      || !single_imm_use (loaded, &use, &user) || user != gsi_stmt (gsi))
    return statement;
  return ordinary_assignment_p (user) ? user : NULL;
}

/* Count ACCESS, to a scalar or to all lanes of a vector.  */
static void
emit_single (counter_emitter *emitter, const heap_access &access)
{
  tree address = emit_address (emitter, access);
  unsigned HOST_WIDE_INT words = 1;

  if (arguments.histogram && access.weight > 1 && access.reference
      && tree_fits_uhwi_p (TYPE_SIZE_UNIT (TREE_TYPE (access.reference))))
    words = tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (access.reference)))
	    / HEAPPROF_COUNTER_BYTES;
  /* Count at the address only, unless each word has one lane or several.  */
  if (words <= 1 || access.weight % words)
    {
      emit_granule_increment (emitter, address, access.granules_further,
			      size_constant (access.weight));
      if (arguments.histogram)
	emit_histogram_increment (emitter, address,
				  size_constant (access.weight));
      return;
    }
  emit_granule_increment (emitter, address, 0, size_constant (access.weight));
  for (unsigned i = 0; i < words; i++)
    emit_histogram_increment (
      emitter,
      emit_binary (emitter, PLUS_EXPR, address,
		   size_constant (i * HEAPPROF_COUNTER_BYTES)),
      size_constant (access.weight / words));
}

static void
emit_access (const heap_access &access, tree base)
{
  counter_emitter emitter = { NULL, gimple_location (access.statement), base };

  switch (access.shape)
    {
    case ACCESS_SINGLE:
      emit_single (&emitter, access);
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
    case ACCESS_TEXT:
      emit_text (&emitter, access);
      break;
    }

  if (gimple *behind = statement_before_counter (access))
    emit_after (&emitter, behind);
  else
    emit_before (&emitter, access.statement);
}

void
emit_counters (function_accesses *accesses, const known_addresses &known,
	       tree base)
{
  /* Emission moves statements to other blocks.  */
  if (optimize && (arguments.coalesce & COALESCE_BLOCK))
    {
      calculate_dominance_info (CDI_DOMINATORS);
      for (heap_access &access : accesses->heap)
	use_known_address (known, &access);
    }
  for (const heap_access &access : accesses->heap)
    emit_access (access, base);
}
