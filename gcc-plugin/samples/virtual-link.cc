/* Promotion of virtual calls when a program is linked with LTO.
   SPDX-License-Identifier: GPL-3.0-or-later

   Units promote the calls for tables that they know (sample-use.cc).  The link
   knows the tables of all units, local ones too, and decides about the rest: in
   the call graph, calls get direct calls next to them (speculative-call.h),
   which the inliner sees before the program is partitioned.  GCC keeps only
   those that it inlines.  A second pass, after the inliner, adds the others
   again: like those that units promote, they are decided by the profile.

   There are no function bodies at this time.  GCC inserts the comparisons
   later, of the called function, not of the table.  */

#include "gcc-compat.h"
#include "function-id.h"
#include "sample-profile.h"
#include "speculative-call.h"
#include "virtual-link.h"
#include "virtual-names.h"
#include "virtual-tables.h"

/* ---- When a unit is compiled.  */

typedef hash_map<gcall *, undecided_call *> undecided_map;

/* The calls of the unit.  They stay alive although GCC may delete them, so that
   no other statement gets their address.  */
static undecided_map *left;
static void *left_root;

static void
mark_left (void *)
{
  if (!left)
    return;
  for (auto entry : *left)
    gt_ggc_mx_gimple (entry.first);
}

static const ggc_root_tab left_roots[]
  = { { &left_root, 1, sizeof left_root, mark_left, NULL }, LAST_GGC_ROOT_TAB };

undecided_call *
virtual_link_leave (gcall *call, const virtual_place &place,
		    const vec<promoted_table> &tables, uint64_t total,
		    unsigned n_tests)
{
  undecided_call *undecided = undecided_new (place);

  undecided->location = gimple_location (call);
  undecided->total = total;
  undecided->n_tests = n_tests;
  for (const promoted_table &table : tables)
    if (table.reason)
      undecided_add_table (undecided, table.guid, table.name, table.count,
			   table.reason);
  if (!left)
    left = new undecided_map;
  left->put (call, undecided);
  return undecided;
}

/* Report that the call of UNDECIDED does not exist any more.  */
static void
report_removed (undecided_call *undecided)
{
  for (promoted_table &table : undecided->tables)
    table.reason = "the compiler removed the call, or made it direct";
  virtual_remark (undecided->place, undecided->location, undecided->tables,
		  undecided->total);
}

/* Connect the calls of the unit's call graph with what is left to decide.  */
static void
collect_calls (void)
{
  cgraph_node *node;

  if (!left)
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    for (cgraph_edge *call = node->indirect_calls; call;
	 call = call->next_callee)
      if (undecided_call **undecided
	  = call->call_stmt ? left->get (call->call_stmt) : NULL)
	{
	  (*undecided)->is_found = true;
	  undecided_connect (call, *undecided);
	}
  for (undecided_call *undecided : undecided_all ())
    if (!undecided->is_found)
      report_removed (undecided);
  delete left;
  left = NULL;
}

/* ---- At the link.  */

/* Find the functions that objects with TABLE have at INDEX of the tables of
   TYPE, and add them to FOUND: several if classes of several units have the
   table's name.  If there is none, add TABLE with the reason.  */
static void
find_targets (tree type, HOST_WIDE_INT index, const promoted_table &table,
	      vec<promoted_table> *found)
{
  auto_vec<tree> variables;
  unsigned first = found->length ();
  promoted_table result = table;

  virtual_tables_find_all (table.guid, &variables);
  result.reason = "no unit of the link has the table";
  for (tree variable : variables)
    {
      bool can_refer = true;
      result.table = variable;
      result.reason = virtual_table_offset (variable, type, &result.offset);
      if (result.reason)
	continue;
      tree target
	= gimple_get_virt_method_for_vtable (index, variable, result.offset,
					     &can_refer);
      if (can_refer && target && TREE_CODE (target) == FUNCTION_DECL
	  && DECL_VIRTUAL_P (target))
	{
	  result.target = target;
	  result.is_slot_test = true;
	  found->safe_push (result);
	}
      else
	result.reason = (can_refer ? "the function is not known in the link"
				   : "the link cannot refer to the function");
    }
  unsigned n = found->length () - first;
  if (n == 0)
    found->safe_push (result);
  /* Samples do not tell tables of one name apart.  */
  for (unsigned i = 0; i < n; i++)
    {
      promoted_table &same = (*found)[first + i];
      same.count = table.count / n + (i < table.count % n);
    }
}

/* Decide about TESTS for a call of which REST calls were left to the link.  Set
   the reasons of their tables, and choose their functions.  */
static void
choose_tests (undecided_call *undecided, const vec<table_test *> &tests,
	      uint64_t rest)
{
  unsigned n = undecided->n_tests;

  for (table_test *test : tests)
    {
      const char *reason
	= table_test_reason (test->count, rest, undecided->total, n);
      for (promoted_table *table : test->tables)
	table->reason = reason;
      if (reason)
	continue;
      cgraph_node *target = cgraph_node::get_create (test->tables[0]->target);
      undecided->chosen.safe_push ({ target->ultimate_alias_target ()->order,
				     test->count });
      n++;
      rest -= test->count;
    }
}

/* Return the function that DIRECT, next to a call through a pointer, stands
   for.  It may call a clone or an inlined copy.  */
static int
symbol_of (cgraph_edge *direct)
{
  return direct->speculative_call_target_ref ()
    ->referred->ultimate_alias_target ()
    ->order;
}

/* True if CALL has a direct call of SYMBOL.  */
static bool
has_direct_call_p (cgraph_edge *call, int symbol)
{
  for (cgraph_edge *made = speculative_call_first (call); made;
       made = made->next_speculative_call_target ())
    if (symbol_of (made) == symbol)
      return true;
  return false;
}

typedef hash_map<int_hash<int, -1, -2>, cgraph_node *> symbol_map;

/* Give CALL the direct calls of the functions chosen for it that it lacks.
   Return their number.  */
static unsigned
make_calls (cgraph_edge *call, const undecided_call &undecided,
	    symbol_map *symbols)
{
  profile_count all = call->count;
  uint64_t rest = undecided.left;
  unsigned n = 0;

  for (const chosen_function &chosen : undecided.chosen)
    if (has_direct_call_p (call, chosen.symbol))
      rest -= chosen.count;
  /* Calls that were not sampled may still happen.  */
  sample_count_add (&rest, rest / 1024 + 1);
  for (const chosen_function &chosen : undecided.chosen)
    {
      cgraph_node **target = symbols->get (chosen.symbol);
      if (!target || (*target)->inlined_to
	  || has_direct_call_p (call, chosen.symbol))
	continue;
      profile_probability part = table_test_likelihood (chosen.count, rest);
      speculative_call_add (call, *target, all.apply_probability (part));
      n++;
    }
  return n;
}

/* Store the functions of the link in *SYMBOLS by the numbers of their
   symbols.  */
static void
collect_symbols (symbol_map *symbols)
{
  cgraph_node *node;

  FOR_EACH_FUNCTION (node)
    if (!node->inlined_to && !node->alias)
      symbols->put (node->order, node);
}

/* Call ACTION for each call that is undecided.  */
static void
for_undecided (void (*action) (cgraph_edge *call, undecided_call *undecided,
			       symbol_map *symbols))
{
  auto_vec<cgraph_edge *> calls;
  symbol_map symbols;
  cgraph_node *node;

  FOR_EACH_FUNCTION (node)
    for (cgraph_edge *call = node->indirect_calls; call;
	 call = call->next_callee)
      if (undecided_of (call))
	calls.safe_push (call);
  if (calls.is_empty ())
    return;
  collect_symbols (&symbols);
  for (cgraph_edge *call : calls)
    action (call, undecided_of (call), &symbols);
}

static void
decide (cgraph_edge *call, undecided_call *undecided, symbol_map *symbols)
{
  auto_vec<promoted_table> found;
  auto_vec<table_test *> tests;
  uint64_t rest = 0;
  tree type;
  HOST_WIDE_INT index;

  if (!compat_virtual_call (call, &type, &index))
    return;
  for (const promoted_table &table : undecided->tables)
    find_targets (type, index, table, &found);
  virtual_names_add (type, index, undecided->targets, &found);
  for (const promoted_table &table : found)
    sample_count_add (&rest, table.count);
  /* The unit knew neither tables nor functions.  */
  if (undecided->total == 0)
    undecided->total = rest;
  undecided->left = rest;
  table_tests_make (found, &tests);
  choose_tests (undecided, tests, rest);
  for (table_test *test : tests)
    delete test;
  virtual_remark (undecided->place, UNKNOWN_LOCATION, found, undecided->total);
  unsigned n = make_calls (call, *undecided, symbols);
  if (dump_file)
    fprintf (dump_file, "%s: %u direct calls for a virtual call\n",
	     call->caller->dump_name (), n);
}

static void
decide_calls (void)
{
  virtual_tables_collect ();
  virtual_names_collect ();
  for_undecided (decide);
  virtual_names_release ();
  virtual_tables_release ();
}

static void
complete (cgraph_edge *call, undecided_call *undecided, symbol_map *symbols)
{
  unsigned n = make_calls (call, *undecided, symbols);

  speculative_calls_sort (call);
  if (dump_file && n > 0)
    fprintf (dump_file, "%s: %u direct calls that are not inlined\n",
	     call->caller->dump_name (), n);
}

/* ---- The passes.  */

static const pass_data pass_data_virtual
  = { IPA_PASS, "heapprof-virtual", OPTGROUP_INLINE, TV_NONE, 0, 0, 0, 0, 0 };

class pass_virtual : public ipa_opt_pass_d
{
public:
  pass_virtual (gcc::context *context)
    : ipa_opt_pass_d (pass_data_virtual, context, collect_calls,
		      undecided_write, undecided_read, NULL, NULL, NULL, 0,
		      NULL, NULL)
  {}

  bool gate (function *) final override
  {
    return (in_lto_p || flag_generate_lto) && !seen_error ();
  }
  unsigned int execute (function *) final override
  {
    if (in_lto_p)
      decide_calls ();
    return 0;
  }
};

static const pass_data pass_data_virtual_rest = {
  IPA_PASS, "heapprof-virtual-rest", OPTGROUP_INLINE, TV_NONE, 0, 0, 0, 0, 0
};

class pass_virtual_rest : public ipa_opt_pass_d
{
public:
  pass_virtual_rest (gcc::context *context)
    : ipa_opt_pass_d (pass_data_virtual_rest, context, NULL, NULL, NULL, NULL,
		      NULL, NULL, 0, NULL, NULL)
  {}

  bool gate (function *) final override { return in_lto_p && !seen_error (); }
  unsigned int execute (function *) final override
  {
    for_undecided (complete);
    undecided_finish ();
    return 0;
  }
};

void
virtual_link_start (const char *plugin_name)
{
  register_pass_info decide
    = { new pass_virtual (g), "icf", 1, PASS_POS_INSERT_BEFORE };
  register_pass_info rest
    = { new pass_virtual_rest (g), "inline", 1, PASS_POS_INSERT_AFTER };

  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
		     const_cast<ggc_root_tab *> (left_roots));
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &decide);
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &rest);
}
