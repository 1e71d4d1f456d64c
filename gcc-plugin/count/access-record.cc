/* Recording of the accesses of a statement, with their kind and shape.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "heapprof/abi.h"

access_column
access_column_of (const heap_access &access)
{
  switch (access.shape)
    {
    case ACCESS_RANGE:
      return COLUMN_RANGES;
    case ACCESS_MASKED:
    case ACCESS_LENGTH:
      return COLUMN_MASKED;
    case ACCESS_INDEXED:
      return COLUMN_GATHERS;
    case ACCESS_TEXT:
      return COLUMN_TEXTS;
    case ACCESS_SINGLE:
      break;
    }
  if (access.kind == ACCESS_ATOMIC)
    return COLUMN_ATOMICS;
  if (access.reference ? VECTOR_TYPE_P (TREE_TYPE (access.reference))
		       : access.weight > 1)
    return COLUMN_VECTORS;
  return access.kind == ACCESS_LOAD ? COLUMN_LOADS : COLUMN_STORES;
}

/* Write the decision about ACCESS to the dump, in one line.  */
static void
dump_decision (const heap_access &access, access_place place)
{
  static const char *const kinds[] = { "load", "store", "atomic" };
  static const char *const shapes[]
    = { "single", "range", "masked", "length", "indexed", "text" };
  static const char *const places[]
    = { "heap", "stack", "global", "constant", "address space" };

  if (place == PLACE_HEAP)
    fprintf (dump_file, "heapprof: count %s %s", shapes[access.shape],
	     kinds[access.kind]);
  else
    fprintf (dump_file, "heapprof: skip (%s) %s %s", places[place],
	     shapes[access.shape], kinds[access.kind]);
  if (access.shape == ACCESS_RANGE)
    {
      fprintf (dump_file, " of ");
      print_generic_expr (dump_file, access.bytes, TDF_SLIM);
      fprintf (dump_file, " bytes");
    }
  else if (access.weight != 1)
    fprintf (dump_file, " of %u", access.weight);
  fprintf (dump_file, ": ");
  if (access.reference)
    print_generic_expr (dump_file, access.reference, TDF_SLIM);
  else
    {
      fprintf (dump_file, "at ");
      print_generic_expr (dump_file, access.pointer, TDF_SLIM);
    }
  fprintf (dump_file, "\n");
}

void
record_access (function_accesses *accesses, const heap_access &access)
{
  access_place place = (access.reference ? reference_place (access.reference)
					 : pointer_place (access.pointer));

  if (dump_file && (dump_flags & TDF_DETAILS))
    dump_decision (access, place);
  if (place != PLACE_HEAP)
    {
      accesses->skipped[place]++;
      return;
    }
  accesses->counted[access_column_of (access)]++;
  accesses->heap.safe_push (access);
}

heap_access
make_access (gimple *statement, access_kind kind, access_shape shape,
	     tree pointer)
{
  heap_access access = {};

  access.statement = statement;
  access.kind = kind;
  access.shape = shape;
  access.pointer = pointer;
  access.weight = 1;
  return access;
}

void
record_range (function_accesses *accesses, gimple *statement, access_kind kind,
	      tree pointer, tree bytes)
{
  heap_access access = make_access (statement, kind, ACCESS_RANGE, pointer);

  if (integer_zerop (bytes))
    return;
  access.bytes = bytes;
  record_access (accesses, access);
}

/* True if TEXT is that of a memcmp on few bytes, which is one access to each of
   them wherever they differ.  */
static bool
short_comparison_p (const text_access &text)
{
  return (text.operation == HEAPPROF_TEXT_COMPARE_BYTES
	  && tree_fits_uhwi_p (text.limit) && !integer_zerop (text.limit)
	  && tree_to_uhwi (text.limit) <= range_step_bytes);
}

void
record_text (function_accesses *accesses, gimple *statement, text_access text)
{
  if (short_comparison_p (text))
    {
      record_access (accesses, make_access (statement, ACCESS_LOAD,
					    ACCESS_SINGLE, text.a));
      record_access (accesses, make_access (statement, ACCESS_LOAD,
					    ACCESS_SINGLE, text.b));
      return;
    }
  const access_place a = pointer_place (text.a);
  const access_place b = text.b ? pointer_place (text.b) : a;
  heap_access access
    = make_access (statement, ACCESS_LOAD, ACCESS_TEXT, text.a);

  if (a != PLACE_HEAP)
    {
      text.operation |= HEAPPROF_TEXT_SKIP_A;
      if (b == PLACE_HEAP)
	access.pointer = text.b;
    }
  if (b != PLACE_HEAP)
    text.operation |= HEAPPROF_TEXT_SKIP_B;
  access.text = text;
  record_access (accesses, access);
}

/* True if REFERENCE is a small memcpy that the compiler has turned into an
   access to one wide integer that may alias anything.  It must count like the
   memcpy.  An integer in the source that may alias because of its type, or is
   volatile, must not.  */
static bool
folded_memcpy_p (tree reference)
{
  tree type = TREE_TYPE (reference);

  return (TREE_CODE (reference) == MEM_REF && INTEGRAL_TYPE_P (type)
	  && !TREE_THIS_VOLATILE (reference)
	  && !lookup_attribute ("may_alias", TYPE_ATTRIBUTES (type))
	  && TYPE_REF_CAN_ALIAS_ALL (TREE_TYPE (TREE_OPERAND (reference, 1)))
	  && tree_to_uhwi (TYPE_SIZE_UNIT (type)) > range_step_bytes);
}

/* Set the shape and weight of ACCESS from the type of its reference.  */
static void
set_shape_from_type (heap_access *access, tree type)
{
  if (TREE_CODE (type) == COMPLEX_TYPE)
    access->weight = 2;
  else if (VECTOR_TYPE_P (type))
    access->weight = constant_lower_bound (TYPE_VECTOR_SUBPARTS (type));
  else if (AGGREGATE_TYPE_P (type) || folded_memcpy_p (access->reference))
    {
      tree bytes = TYPE_SIZE_UNIT (type);
      /* A variable size is not a gimple value here; the front end copies such
	 objects with calls of memcpy.  Count one access, which is certain.  */
      if (bytes && TREE_CODE (bytes) == INTEGER_CST)
	{
	  access->shape = ACCESS_RANGE;
	  access->bytes = bytes;
	}
    }
}

bool
memory_operand_p (tree operand)
{
  if (!operand
      || !(DECL_P (operand) || handled_component_p (operand)
	   || TREE_CODE (operand) == STRING_CST
	   || TREE_CODE (operand) == MEM_REF
	   || TREE_CODE (operand) == TARGET_MEM_REF))
    return false;

  tree base = get_base_address (operand);
  return (base && !is_gimple_reg (base)
	  && (!CONSTANT_CLASS_P (base) || TREE_CODE (base) == STRING_CST)
	  && TREE_CODE (base) != FUNCTION_DECL
	  && TREE_CODE (base) != LABEL_DECL);
}

void
record_reference (function_accesses *accesses, gimple *statement,
		  access_kind kind, tree reference)
{
  heap_access access = make_access (statement, kind, ACCESS_SINGLE, NULL_TREE);
  tree bytes = NULL_TREE;

  if (reference && TREE_CODE (reference) == WITH_SIZE_EXPR)
    {
      bytes = TREE_OPERAND (reference, 1);
      reference = TREE_OPERAND (reference, 0);
    }
  if (!memory_operand_p (reference))
    return;
  access.reference = reference;
  set_shape_from_type (&access, TREE_TYPE (reference));
  if (bytes)
    {
      access.shape = ACCESS_RANGE;
      access.bytes = bytes;
    }
  if (access.shape == ACCESS_RANGE && integer_zerop (access.bytes))
    return;
  record_access (accesses, access);
}
