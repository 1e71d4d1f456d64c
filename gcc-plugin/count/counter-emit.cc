/* Building blocks of counter updates.
   SPDX-License-Identifier: GPL-3.0-or-later

   For the access

     x_1 = p_2->f;

   the code becomes

     base_3 = (counter *) __heapprof_window_base;		    (1)
     ...
     _4 = (sizetype) p_2 + 8;					    (2)
     _5 = _4 >> 6;						    (3)
     _6 = MEM[base_3 + _5 * 8];					    (4)
     _7 = _6 + 1;
     MEM[base_3 + _5 * 8] = _7;
     x_1 = p_2->f;

   (1) is placed when all uses are known: counter-base.cc.  (4) is a
   TARGET_MEM_REF, which becomes one instruction on x86.  It is not marked as
   non-trapping, although it cannot trap at this place: the mark would let the
   optimizers load the counter of a pointer before the program has tested the
   pointer.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"
#include "arguments.h"
#include "counter-emit.h"
#include "runtime-decls.h"

tree
size_constant (HOST_WIDE_INT value)
{
  return build_int_cst (sizetype, value);
}

tree
emit_binary (counter_emitter *emitter, tree_code code, tree left, tree right)
{
  return gimple_build (&emitter->seq, emitter->location, code, sizetype, left,
		       right);
}

tree
emit_to_size (counter_emitter *emitter, tree value)
{
  return gimple_convert (&emitter->seq, emitter->location, sizetype, value);
}

/* Return a gimple value for any expression VALUE.  */
tree
emit_value (counter_emitter *emitter, tree value)
{
  gimple_seq statements = NULL;

  value
    = force_gimple_operand (unshare_expr (value), &statements, true, NULL_TREE);
  gimple_seq_add_seq (&emitter->seq, statements);
  return emit_to_size (emitter, value);
}

/* Return the address of the memory reference REFERENCE as a sizetype value.
   The address of a bit-field is that of its first byte.  */
static tree
emit_reference_address (counter_emitter *emitter, tree reference)
{
  poly_int64 bit_size, bit_position;
  tree offset, address;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;
  tree base
    = get_inner_reference (reference, &bit_size, &bit_position, &offset, &mode,
			   &is_unsigned, &is_reverse, &is_volatile);
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
    address
      = emit_binary (emitter, PLUS_EXPR, address, emit_value (emitter, offset));
  return emit_binary (emitter, PLUS_EXPR, address,
		      build_int_cst (sizetype, constant));
}

tree
emit_address (counter_emitter *emitter, const heap_access &access)
{
  return (access.reference ? emit_reference_address (emitter, access.reference)
			   : emit_to_size (emitter, access.pointer));
}

/* Add the sizetype value WEIGHT to the counter at BASE + (INDEX + FURTHER) *
   STEP.  */
static void
emit_addition (counter_emitter *emitter, tree base, tree index,
	       unsigned further, HOST_WIDE_INT step, tree weight)
{
  tree offset = build_int_cst (counter_pointer_type (), further * step);
  tree counter = build5 (TARGET_MEM_REF, counter_type (), base, offset, index,
			 size_constant (step), NULL_TREE);
  tree before = make_ssa_name (sizetype);
  tree after = make_ssa_name (sizetype);

  gimple_seq_add_stmt (&emitter->seq, gimple_build_assign (before, counter));
  gimple_seq_add_stmt (&emitter->seq,
		       gimple_build_assign (after, PLUS_EXPR, before, weight));
  gimple_seq_add_stmt (&emitter->seq,
		       gimple_build_assign (unshare_expr (counter), after));
}

/* Load VARIABLE, a volatile variable of the run-time library, as a TYPE.  */
static tree
emit_load (counter_emitter *emitter, tree variable, tree type)
{
  tree value = make_ssa_name (sizetype);

  gimple_seq_add_stmt (&emitter->seq, gimple_build_assign (value, variable));
  return gimple_convert (&emitter->seq, emitter->location, type, value);
}

void
emit_histogram_increment (counter_emitter *emitter, tree address, tree weight)
{
  tree base
    = emit_load (emitter, histogram_base_decl (), counter_pointer_type ());
  tree mask = emit_load (emitter, histogram_mask_decl (), sizetype);

  emit_addition (emitter, base,
		 emit_binary (emitter, BIT_AND_EXPR, address, mask), 0, 1,
		 weight);
}

/* Emit (3) and (4).  */
void
emit_granule_increment (counter_emitter *emitter, tree address,
			unsigned further, tree weight)
{
  tree index
    = emit_binary (emitter, RSHIFT_EXPR, address,
		   build_int_cst (integer_type_node, HEAPPROF_GRANULE_SHIFT));

  emit_addition (emitter, emitter->base, index, further, HEAPPROF_COUNTER_BYTES,
		 weight);
}

void
emit_increment (counter_emitter *emitter, tree address, tree weight)
{
  emit_granule_increment (emitter, address, 0, weight);
  if (arguments.histogram)
    emit_histogram_increment (emitter, address, weight);
}

/* Add WEIGHT, which may be 0, to the counter of ADDRESS.  If it is 0, the
   program makes no access and ADDRESS may be any value, so use an address that
   is certain to have a counter.  */
void
emit_increment_if_any (counter_emitter *emitter, tree address, tree weight)
{
  tree safe
    = emit_to_size (emitter, build_fold_addr_expr (shadow_base_decl ()));
  tree is_access = gimple_build (&emitter->seq, emitter->location, NE_EXPR,
				 boolean_type_node, weight, size_constant (0));

  address = gimple_build (&emitter->seq, emitter->location, COND_EXPR, sizetype,
			  is_access, address, safe);
  emit_increment (emitter, address, weight);
}

bool
may_count_in_neighbour_p (void)
{
  return arguments.coalesce && !arguments.exact_granules;
}

/* Give the emitted statements their location and suppress warnings about
   them.  */
static void
finish_sequence (counter_emitter *emitter)
{
  annotate_all_with_location (emitter->seq, emitter->location);
  for (gimple_stmt_iterator gsi = gsi_start (emitter->seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    compat_suppress_warnings (gsi_stmt (gsi));
}

void
emit_before (counter_emitter *emitter, gimple *statement)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (statement);

  finish_sequence (emitter);
  compat_insert_before (&gsi, emitter->seq);
}

void
emit_after (counter_emitter *emitter, gimple *statement)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (statement);

  finish_sequence (emitter);
  gsi_insert_seq_after (&gsi, emitter->seq, GSI_SAME_STMT);
}

void
emit_at_start (counter_emitter *emitter, basic_block block)
{
  gimple_stmt_iterator gsi = gsi_after_labels (block);

  finish_sequence (emitter);
  gsi_insert_seq_before (&gsi, emitter->seq, GSI_NEW_STMT);
}

void
emit_on_edge (counter_emitter *emitter, edge where)
{
  finish_sequence (emitter);
  gsi_insert_seq_on_edge_immediate (where, emitter->seq);
}

edge
edge_before (gimple *statement)
{
  basic_block block = gimple_bb (statement);
  gimple_stmt_iterator gsi = gsi_for_stmt (statement);

  calculate_dominance_info (CDI_DOMINATORS);
  gsi_prev (&gsi);
  if (gsi_end_p (gsi) || gimple_code (gsi_stmt (gsi)) == GIMPLE_LABEL)
    return split_block_after_labels (block);
  return split_block (block, gsi_stmt (gsi));
}

tree
emit_opaque (counter_emitter *emitter, tree value)
{
  if (TREE_CODE (value) != SSA_NAME)
    return value;
  tree result = make_ssa_name (TREE_TYPE (value));
  vec<tree, va_gc> *outputs = NULL;
  vec<tree, va_gc> *inputs = NULL;
  vec_safe_push (outputs,
		 build_tree_list (build_tree_list (NULL_TREE,
						   build_string (2, "=r")),
				  result));
  vec_safe_push (inputs,
		 build_tree_list (build_tree_list (NULL_TREE,
						   build_string (1, "0")),
				  value));
  gasm *statement = gimple_build_asm_vec ("", inputs, outputs, NULL, NULL);
  gimple_set_location (statement, emitter->location);
  SSA_NAME_DEF_STMT (result) = statement;
  gimple_seq_add_stmt (&emitter->seq, statement);
  return result;
}

void
emit_branches (counter_emitter *emitter, edge where, tree_code code, tree left,
	       tree right, basic_block *then, basic_block *otherwise)
{
  gimple_seq_add_stmt (&emitter->seq, gimple_build_cond (code, left, right,
							 NULL_TREE, NULL_TREE));
  basic_block test = split_edge (where);
  *then = split_edge (single_succ_edge (test));
  basic_block join = split_edge (single_succ_edge (*then));
  *otherwise = create_empty_bb (*then);
  if (current_loops)
    add_bb_to_loop (*otherwise, test->loop_father);

  edge taken = single_succ_edge (test);
  const int irreducible = taken->flags & EDGE_IRREDUCIBLE_LOOP;
  (*otherwise)->flags |= test->flags & BB_IRREDUCIBLE_LOOP;
  taken->flags = (taken->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
  taken->probability = profile_probability::very_likely ();
  edge other = make_edge (test, *otherwise, EDGE_FALSE_VALUE | irreducible);
  other->probability = taken->probability.invert ();
  (*then)->count = taken->count ();
  (*otherwise)->count = other->count ();
  make_single_succ_edge (*otherwise, join, EDGE_FALLTHRU | irreducible);
  set_immediate_dominator (CDI_DOMINATORS, *otherwise, test);
  set_immediate_dominator (CDI_DOMINATORS, join, test);
  emit_at_start (emitter, test);
}
