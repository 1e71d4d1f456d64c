/* Windows: accesses that one counter update can count.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every access is reduced to a pointer, variable parts and a constant offset.
   A pointer that is computed from another one by adding constants is replaced
   by that one.  Accesses that differ only in the constant are to one object,
   and so to one heap block, which shares no granule with other blocks.  So the
   block gets the count of all these accesses, whichever of its granules counts
   them.

   To preserve the number of granules of a block that are accessed, only
   accesses to one window are merged.  Most heap blocks begin with a granule,
   and those of up to 32 bytes are in one granule.  If the pointer is the start
   of such a block, an aligned window of 64 bytes is in one granule.  If it
   points into the middle of a block, or is the start of one of more than 1 KiB,
   which begins in the middle of a granule, the granule may be off by one,
   unless -fplugin-arg-heapprof-exact-granules forbids such merges.
   -fplugin-arg-heapprof-totals-only gives up on granules: then a
   window is a whole object (merge-object.cc).  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"
#include "arguments.h"
#include "merge-window.h"

/* log2 of the alignment of heap blocks.  */
static const unsigned block_alignment_shift = HEAPPROF_GRANULE_SHIFT;

/* The maximum number of pointer definitions to follow.  */
static const int max_definitions = 16;

/* If POINTER is another SSA name plus a constant, return that name and add the
   constant to *CONSTANT; else return NULL.  */
static tree
previous_root (tree pointer, HOST_WIDE_INT *constant)
{
  gimple *definition = SSA_NAME_DEF_STMT (pointer);
  const bool phi = gimple_code (definition) == GIMPLE_PHI;
  poly_int64 offset = 0;
  HOST_WIDE_INT added = 0;

  if (!phi && !is_gimple_assign (definition))
    return NULL_TREE;
  tree operand = phi ? copied_value (pointer) : gimple_assign_rhs1 (definition);
  switch (phi ? SSA_NAME : gimple_assign_rhs_code (definition))
    {
    case POINTER_PLUS_EXPR:
      if (!ptrdiff_tree_p (gimple_assign_rhs2 (definition), &offset))
	return NULL_TREE;
      break;
    case ADDR_EXPR:
      operand
	= get_addr_base_and_unit_offset (TREE_OPERAND (operand, 0), &offset);
      if (!operand || TREE_CODE (operand) != MEM_REF)
	return NULL_TREE;
      offset += mem_ref_offset (operand).force_shwi ();
      operand = TREE_OPERAND (operand, 0);
      break;
    case SSA_NAME:
    CASE_CONVERT:
      break;
    default:
      return NULL_TREE;
    }
  if (!operand || operand == pointer || TREE_CODE (operand) != SSA_NAME
      || !POINTER_TYPE_P (TREE_TYPE (operand))
      || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (operand)
      || !offset.is_constant (&added))
    return NULL_TREE;
  *constant += added;
  return operand;
}

/* Fill in WINDOW from the memory reference REFERENCE.  Return false if it does
   not have the form of a window.  */
static bool
reduce_reference (tree reference, access_window *window)
{
  poly_int64 bit_size, bit_position;
  machine_mode mode;
  int is_unsigned, is_reverse, is_volatile;
  tree base = get_inner_reference (reference, &bit_size, &bit_position,
				   &window->variable, &mode, &is_unsigned,
				   &is_reverse, &is_volatile);

  poly_int64 constant = bits_to_bytes_round_down (bit_position);

  if (TREE_CODE (base) == MEM_REF)
    constant += mem_ref_offset (base).force_shwi ();
  if (!constant.is_constant (&window->constant))
    return false;
  if (TREE_CODE (base) == MEM_REF)
    {
      window->root = TREE_OPERAND (base, 0);
      return true;
    }
  if (TREE_CODE (base) != TARGET_MEM_REF)
    return false;
  window->root = TMR_BASE (base);
  window->index = TMR_INDEX (base);
  window->step = TMR_STEP (base);
  window->second_index = TMR_INDEX2 (base);
  window->constant += tree_to_shwi (TMR_OFFSET (base));
  return true;
}

/* Fill in BEGIN and SHIFT of WINDOW.  */
static void
set_window_bounds (access_window *window)
{
  /* Bytes from the start of a window to the root.  */
  HOST_WIDE_INT phase = 0;
  unsigned align_bits = 0;
  unsigned HOST_WIDE_INT phase_bits = 0;
  unsigned shift = 0;

  if (POINTER_TYPE_P (TREE_TYPE (window->root)) && !window->variable
      && !window->index && !window->second_index)
    {
      get_pointer_alignment_1 (window->root, &align_bits, &phase_bits);
      shift = MIN (floor_log2 (MAX (align_bits / BITS_PER_UNIT, 1)),
		   HEAPPROF_GRANULE_SHIFT);
    }
  if (shift < block_alignment_shift && !arguments.exact_granules)
    shift = block_alignment_shift;
  else
    phase = (phase_bits / BITS_PER_UNIT) & ((HOST_WIDE_INT_1U << shift) - 1);
  window->shift = shift;
  window->begin
    = ((window->constant + phase) & -(HOST_WIDE_INT_1 << shift)) - phase;
}

/* True if WINDOW's root is known to be the pointer.  Induction variable
   optimization may make any part of a TARGET_MEM_REF the pointer.  */
static bool
object_known_p (const access_window &window)
{
  return (POINTER_TYPE_P (TREE_TYPE (window.root)) && !window.index
	  && !window.second_index);
}

/* Make WINDOW the whole object.  */
static void
extend_to_object (access_window *window)
{
  tree root = object_root (window->root);

  if (root != window->root || window->variable)
    window->constant = unknown_constant;
  window->root = root;
  window->variable = NULL_TREE;
  window->begin = 0;
  window->shift = object_shift;
}

bool
find_window (const heap_access &access, access_window *window)
{
  *window = {};
  window->root = access.pointer;
  if (access.reference)
    {
      if (!reduce_reference (access.reference, window))
	return false;
    }
  else if (TREE_CODE (access.pointer) == ADDR_EXPR
	   && !reduce_reference (TREE_OPERAND (access.pointer, 0), window))
    return false;
  if (!window->root || TREE_CODE (window->root) != SSA_NAME)
    return false;
  for (int i = 0; i < max_definitions; i++)
    {
      tree previous = previous_root (window->root, &window->constant);
      if (!previous)
	break;
      window->root = previous;
    }
  if (arguments.totals_only && object_known_p (*window))
    extend_to_object (window);
  else
    set_window_bounds (window);
  return true;
}

bool
in_one_object_p (const heap_access &access, class loop *loop)
{
  access_window window;

  return (arguments.totals_only && find_window (access, &window)
	  && window.shift == object_shift
	  && expr_invariant_in_loop_p (loop, window.root));
}

hashval_t
access_window_hasher::hash (const access_window *window)
{
  inchash::hash state;

  state.add_int (window->group);
  state.add_int (SSA_NAME_VERSION (window->root));
  state.add_hwi (window->begin);
  if (window->variable)
    inchash::add_expr (window->variable, state);
  if (window->index)
    inchash::add_expr (window->index, state);
  return state.end ();
}

static bool
same_operand_p (const_tree a, const_tree b)
{
  return a == b || (a && b && operand_equal_p (a, b, 0));
}

bool
access_window_hasher::equal (const access_window *a, const access_window *b)
{
  return (a->group == b->group && a->root == b->root && a->begin == b->begin
	  && a->shift == b->shift && same_operand_p (a->variable, b->variable)
	  && same_operand_p (a->index, b->index)
	  && same_operand_p (a->step, b->step)
	  && same_operand_p (a->second_index, b->second_index));
}

tree
window_reference (const access_window *window, HOST_WIDE_INT constant)
{
  if (window->variable || window->index || window->second_index
      || constant == unknown_constant
      || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (window->root))
    return NULL_TREE;
  return build2 (MEM_REF, unsigned_char_type_node, window->root,
		 build_int_cst (ptr_type_node, constant));
}

/* Do what split_range does if windows are whole objects.  */
static bool
range_in_object (const heap_access &access, vec<heap_access> *accesses)
{
  if (access.shape != ACCESS_RANGE || !tree_fits_uhwi_p (access.bytes)
      || tree_to_uhwi (access.bytes) > INT_MAX)
    return false;
  heap_access all = access;
  all.shape = ACCESS_SINGLE;
  all.weight = CEIL (tree_to_uhwi (access.bytes), range_step_bytes);
  accesses->safe_push (all);
  return true;
}

bool
split_range (const heap_access &access, vec<heap_access> *accesses)
{
  access_window window;

  if (arguments.totals_only)
    return range_in_object (access, accesses);
  if (access.shape != ACCESS_RANGE || !tree_fits_uhwi_p (access.bytes)
      || tree_to_uhwi (access.bytes) > HEAPPROF_GRANULE_BYTES
      || !find_window (access, &window) || window.shift < block_alignment_shift
      || !window_reference (&window, window.constant))
    return false;

  const HOST_WIDE_INT size = HOST_WIDE_INT_1 << window.shift;
  HOST_WIDE_INT left = tree_to_uhwi (access.bytes);
  HOST_WIDE_INT at = window.constant;
  HOST_WIDE_INT window_end = window.begin + size;
  while (left > 0)
    {
      const HOST_WIDE_INT steps
	= CEIL (MIN (left, window_end - at), range_step_bytes);
      heap_access part
	= make_access (access.statement, access.kind, ACCESS_SINGLE, NULL_TREE);
      part.reference = window_reference (&window, at);
      part.weight = steps;
      accesses->safe_push (part);
      at += steps * range_step_bytes;
      left -= steps * range_step_bytes;
      window_end += size;
    }
  return true;
}

void
dump_window (const access_window *window)
{
  const tree parts[]
    = { window->variable, window->index, window->second_index };
  const HOST_WIDE_INT size = HOST_WIDE_INT_1U << window->shift;

  print_generic_expr (dump_file, window->root, TDF_SLIM);
  for (tree part : parts)
    if (part)
      {
	fprintf (dump_file, " + ");
	print_generic_expr (dump_file, part, TDF_SLIM);
      }
  if (window->shift == object_shift)
    fprintf (dump_file, " + any\n");
  else
    fprintf (dump_file, " + [%ld, %ld)\n", (long) window->begin,
	     (long) (window->begin + size));
}
