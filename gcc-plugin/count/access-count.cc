/* The passes that count heap accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is instrumented once, at one of two places.  A function with
   loops: before induction variable optimization.  That is after the vectorizer,
   which counters would block, and while the loops are still analyzed well
   enough to move counters out of them.  Any other function: before "sanopt",
   the last pass that runs at all optimization levels.  Both places come after
   inlining and after objects for LTO are written.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "access-count.h"
#include "arguments.h"
#include "counter-emit.h"
#include "merge-address.h"
#include "merge-window.h"
#include "unit.h"

/* DECL_UIDs of the functions that are done.  Not their trees, which may be
   garbage collected.  */
static hash_set<int_hash<int, -1, -2>> instrumented_functions;

/* True if FUN must not be instrumented.  Check the attribute
   "no_instrument_function": the front ends set its flag for other reasons
   too.  */
static bool
function_excluded_p (const function *fun)
{
  tree decl = fun->decl;
  tree attributes = DECL_ATTRIBUTES (decl);
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl));

  return (fun->is_thunk
	  || lookup_attribute ("no_instrument_function", attributes)
	  || lookup_attribute ("naked", attributes)
	  || lookup_attribute ("no_profile_instrument_function", attributes)
	  || startswith (name, "__heapprof_"));
}

/* True if FUN is the resolver of an indirect function.  It runs while the
   program is being relocated, before there are counters.  */
static bool
ifunc_resolver_p (const function *fun)
{
  cgraph_node *node = cgraph_node::get (fun->decl);
  ipa_ref *alias;

  for (unsigned i = 0; node && node->iterate_direct_aliases (i, alias); i++)
    if (alias->referring->ifunc_resolver)
      return true;
  return false;
}

/* If N is not 0, append "N NAME" to TEXT, which has room for SIZE bytes,
   followed by PLURAL unless N is 1.  */
static void
append_count (char *text, size_t size, unsigned n, const char *name,
	      const char *plural)
{
  const size_t length = strlen (text);

  if (n)
    snprintf (text + length, size - length, "%s%u %s%s", length ? ", " : "", n,
	      name, n == 1 ? "" : plural);
}

/* Write a summary line for -fopt-info and the dump.  */
static void
report_summary (const function *fun, const function_accesses &accesses)
{
  static const char *const columns[]
    = { "load",	 "store",	  "atomic", "vector",
	"range", "masked vector", "gather", "text" };
  static const char *const places[]
    = { "heap", "stack", "global", "constant", "address space" };
  char counted[160] = "", skipped[160] = "", merged[40] = "";

  if (!dump_enabled_p ())
    return;
  for (unsigned i = 0; i < ARRAY_SIZE (columns); i++)
    append_count (counted, sizeof counted, accesses.counted[i], columns[i],
		  "s");
  for (unsigned i = 0; i < ARRAY_SIZE (places); i++)
    append_count (skipped, sizeof skipped, accesses.skipped[i], places[i], "");
  if (accesses.merged)
    snprintf (merged, sizeof merged, "; merged %u", accesses.merged);
  dump_printf_loc (MSG_OPTIMIZED_LOCATIONS,
		   dump_user_location_t::from_function_decl (fun->decl),
		   "heapprof: counted %s; skipped %s%s\n",
		   *counted ? counted : "none", *skipped ? skipped : "none",
		   merged);
}

/* Instrument FUN.  Return the TODO flags for the pass manager.  */
static unsigned
instrument_function (function *fun)
{
  function_accesses accesses = {};

  instrumented_functions.add (DECL_UID (fun->decl));
  collect_accesses (fun, &accesses);
  if (accesses.heap.is_empty ())
    {
      report_summary (fun, accesses);
      return 0;
    }
  unit_note_function (accesses.heap.length ());
  tree base = make_base ();
  find_copies (fun);
  merge_accesses (fun, &accesses);
  known_addresses known;
  note_addresses (&accesses, &known);
  count_loop_accesses (fun, &accesses, base);
  merge_paths (fun, &accesses, known, base);
  report_summary (fun, accesses);
  emit_counters (&accesses, known, base);
  forget_copies ();
  prefetch_counters (fun, base);
  place_base (fun, base);
  mark_virtual_operands_for_renaming (fun);
  if (current_loops && loops_state_satisfies_p (LOOP_CLOSED_SSA))
    {
      rewrite_into_loop_closed_ssa (NULL, TODO_update_ssa_only_virtuals);
      return 0;
    }
  return TODO_update_ssa_only_virtuals;
}

static bool
shall_instrument_p (const function *fun)
{
  return (!seen_error ()
	  && !instrumented_functions.contains (DECL_UID (fun->decl))
	  && !function_excluded_p (fun) && !ifunc_resolver_p (fun));
}

static const pass_data pass_data_count_accesses = {
  GIMPLE_PASS, "heapprof", OPTGROUP_OTHER, TV_NONE, PROP_cfg | PROP_ssa, 0, 0,
  0,	       0
};

/* The pass at the late place.  */
class pass_count_accesses : public gimple_opt_pass
{
public:
  pass_count_accesses (gcc::context *context)
    : gimple_opt_pass (pass_data_count_accesses, context)
  {}

  bool gate (function *fun) override { return shall_instrument_p (fun); }
  unsigned int execute (function *fun) final override
  {
    return instrument_function (fun);
  }
};

/* The pass for functions that have loops and have not lost all of them to
   complete unrolling.  */
class pass_count_accesses_in_loops : public pass_count_accesses
{
public:
  pass_count_accesses_in_loops (gcc::context *context)
    : pass_count_accesses (context)
  {}

  bool gate (function *fun) final override
  {
    return number_of_loops (fun) > 1 && shall_instrument_p (fun);
  }
};

static void
register_before (const char *plugin_name, opt_pass *pass, const char *reference)
{
  register_pass_info info = { pass, reference, 1, PASS_POS_INSERT_BEFORE };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void
access_count_register (const char *plugin_name)
{
  opt_pass *late = new pass_count_accesses (g);
  opt_pass *in_loops = new pass_count_accesses_in_loops (g);

  register_before (plugin_name, late, "sanopt");
  register_before (plugin_name, in_loops, "ivopts");
  /* The pass number selects the dump file.  Let both passes write to the same
     file, which then has each function once.  */
  in_loops->static_pass_number = late->static_pass_number;
}
