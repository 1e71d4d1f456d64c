/* Direct calls of virtual functions, guarded by comparisons.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of a virtual function

     vptr = object->_vptr;
     slot = vptr[1];
     result = slot (object);

   becomes, if the profile shows that most objects are of one class,

     vptr = object->_vptr;
     slot = vptr[1];
     if (vptr == &_ZTV4tile + 16)
       result = tile::area (object);
     else
       result = slot (object);

   The load of the slot moves to the branch that needs it, and the direct call
   can be inlined.  If several tables have the same function in that slot, one
   comparison of the slot with the function replaces those of the tables.  */

#include "gcc-compat.h"
#include "sample-profile.h"
#include "virtual-names.h"
#include "virtual-promote.h"
#include "virtual-tables.h"
#include "virtual-tests.h"

/* Return the pointer to the virtual table from which CALL loads its function,
   or NULL if it is not visible.  */
static tree
vptr_of (gcall *call)
{
  tree slot = OBJ_TYPE_REF_EXPR (gimple_call_fn (call));

  if (TREE_CODE (slot) != SSA_NAME
      || !gimple_assign_load_p (SSA_NAME_DEF_STMT (slot)))
    return NULL_TREE;
  tree memory = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (slot));
  if (TREE_CODE (memory) != MEM_REF)
    return NULL_TREE;
  tree vptr = TREE_OPERAND (memory, 0);
  while (TREE_CODE (vptr) == SSA_NAME)
    {
      gimple *add = SSA_NAME_DEF_STMT (vptr);
      if (!is_gimple_assign (add)
	  || gimple_assign_rhs_code (add) != POINTER_PLUS_EXPR
	  || TREE_CODE (gimple_assign_rhs2 (add)) != INTEGER_CST)
	return vptr;
      vptr = gimple_assign_rhs1 (add);
    }
  return NULL_TREE;
}

/* ---- Candidates.  */

/* Find the function that objects with the table of FOUND have for the call of
   REFERENCE.  Return the reason if it cannot be called directly, or NULL.  */
static const char *
find_target (tree reference, promoted_table *found)
{
  HOST_WIDE_INT token = tree_to_shwi (OBJ_TYPE_REF_TOKEN (reference));
  bool can_refer = true;

  found->table = virtual_tables_find (found->guid);
  if (!found->table)
    return "the table is not known in this unit";
  if (const char *reason
      = virtual_table_offset (found->table, obj_type_ref_class (reference),
			      &found->offset))
    return reason;
  tree target = gimple_get_virt_method_for_vtable (token, found->table,
						   found->offset, &can_refer);
  if (!can_refer)
    return "this unit cannot refer to the function";
  if (!target || TREE_CODE (target) != FUNCTION_DECL
      || !DECL_VIRTUAL_P (target))
    return "the function is not known in this unit";
  found->target = target;
  return NULL;
}

static void
find_targets (tree reference, const vec<sample_table> &samples,
	      vec<promoted_table> *result)
{
  for (const sample_table &sample : samples)
    {
      promoted_table found = {};
      found.guid = sample.guid;
      found.name = sample.name;
      found.count = sample.count;
      found.reason = find_target (reference, &found);
      result->safe_push (found);
    }
}

/* True if TEST must compare the slot, not VPTR, the pointer to the table, which
   is NULL if it is not visible.  */
static bool
slot_test_p (const table_test &test, tree vptr)
{
  return (test.tables.length () > 1 || !vptr || !test.tables[0]->table
	  || !virtual_table_usable_p (test.tables[0]->table));
}

/* ---- Transformation.  */

/* Return the value that VPTR has for objects with the table of FOUND.  */
static tree
table_address (const promoted_table &found, tree vptr)
{
  tree type = TREE_TYPE (vptr);
  tree base = build_fold_addr_expr (found.table);
  tree memory = build2 (MEM_REF, TREE_TYPE (type), base,
			build_int_cst (ptr_type_node, found.offset));

  return build1 (ADDR_EXPR, type, memory);
}

/* CONDITION compares the called function with the target.  Change it to compare
   VPTR with the address of FOUND's table.  */
static void
compare_table (gcond *condition, tree vptr, const promoted_table &found)
{
  tree operands[]
    = { gimple_cond_lhs (condition), gimple_cond_rhs (condition) };

  virtual_table_refer (found.table);
  TREE_ADDRESSABLE (found.table) = 1;
  gimple_cond_set_condition (condition, EQ_EXPR, vptr,
			     table_address (found, vptr));
  update_stmt (condition);
  for (tree operand : operands)
    {
      gimple *copy = SSA_NAME_DEF_STMT (operand);
      gimple_stmt_iterator gsi = gsi_for_stmt (copy);
      gsi_remove (&gsi, true);
      release_defs (copy);
    }
}

/* Add TEST and its direct call before CALL.  COUNT of REST calls pass it.  */
static void
make_test (gcall *call, tree vptr, const table_test &test, uint64_t rest)
{
  promoted_table &first = *test.tables[0];
  basic_block block = gimple_bb (call);
  bool by_slot = slot_test_p (test, vptr);

  gcall *direct = gimple_ic (call, cgraph_node::get_create (first.target),
			     table_test_likelihood (test.count, rest));
  gcond *condition = as_a<gcond *> (compat_last_statement (block));
  gimple_set_location (condition, gimple_location (call));
  compat_copy_discriminator (block, gimple_bb (direct));
  compat_copy_discriminator (block, gimple_bb (call));
  if (!by_slot)
    compare_table (condition, vptr, first);
  for (promoted_table *table : test.tables)
    table->is_slot_test = by_slot;
}

unsigned
virtual_promote (gcall *call, const vec<sample_table> &samples,
		 const vec<sample_table> &targets, vec<promoted_table> *result)
{
  auto_vec<table_test *> tests;
  uint64_t all = 0;
  unsigned n = 0;

  tree reference = gimple_call_fn (call);
  find_targets (reference, samples, result);
  virtual_names_add (obj_type_ref_class (reference),
		     tree_to_shwi (OBJ_TYPE_REF_TOKEN (reference)), targets,
		     result);
  for (const promoted_table &table : *result)
    sample_count_add (&all, table.count);
  table_tests_make (*result, &tests);
  tree vptr = vptr_of (call);
  uint64_t rest = all;
  for (table_test *test : tests)
    {
      const char *reason = table_test_reason (test->count, rest, all, n);
      for (promoted_table *table : test->tables)
	table->reason = reason;
      if (!reason)
	{
	  make_test (call, vptr, *test, rest);
	  rest -= test->count;
	  n++;
	}
      delete test;
    }
  return n;
}
