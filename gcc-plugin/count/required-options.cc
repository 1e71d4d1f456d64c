/* The options that instrumented code needs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "arguments.h"
#include "required-options.h"

/* True if the options of the unit enable sibling calls.  */
static bool wanted_sibling_calls;

/* Set the options that instrumented code requires.  The run-time library walks
   the stack faster by frame pointers; GCC never keeps one in a function that
   calls nothing, but such a function is never part of a calling context.  Code
   that does not count is to run like any other: its frames are found by its
   unwind tables.  A sibling call removes a frame from the calling context, and
   so does merging two identical functions, which also gives one of them the
   other's name.  */
static void
set_required_options (gcc_options *options)
{
  if (!arguments.only_allocations)
    options->x_flag_omit_frame_pointer = 0;
  options->x_flag_optimize_sibling_calls = 0;
  options->x_flag_ipa_icf_functions = 0;
}

void
required_options_force (void)
{
  wanted_sibling_calls = flag_optimize_sibling_calls;
  set_required_options (&global_options);
  if (!arguments.only_allocations)
    global_options_set.x_flag_omit_frame_pointer = 1;
  global_options_set.x_flag_optimize_sibling_calls = 1;
  global_options_set.x_flag_ipa_icf_functions = 1;
}

/* True if NODE makes calls that, according to the front end, must not use stack
   space.  Coroutines that resume each other do: without sibling calls, a loop
   of them overflows the stack.  */
static bool
passes_control_on_p (cgraph_node *node)
{
  function *fun = DECL_STRUCT_FUNCTION (node->decl);
  basic_block block;

  if (!fun || !fun->cfg)
    return false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gcall *call = dyn_cast<gcall *> (gsi_stmt (gsi));
	if (call
	    && (gimple_call_tail_p (call) || gimple_call_must_tail_p (call)))
	  return true;
      }
  return false;
}

/* The attribute and the pragma "optimize" start from the options of the
   optimization level and lose what required_options_force has set.  Give each
   function that has its own options a copy of them with the required options
   set.  Functions that must pass control on keep their sibling calls, and
   contexts then lack their frames.  */
void
required_options_of_functions (void)
{
  cl_optimization saved;
  cgraph_node *node;

  cl_optimization_save (&saved, &global_options, &global_options_set);
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      tree options = DECL_FUNCTION_SPECIFIC_OPTIMIZATION (node->decl);
      const bool passes_on = !in_lto_p && passes_control_on_p (node);
      if (!options && !(passes_on && wanted_sibling_calls))
	continue;
      cl_optimization_restore (&global_options, &global_options_set,
			       options ? TREE_OPTIMIZATION (options) : &saved);
      const bool wants
	= options ? flag_optimize_sibling_calls : wanted_sibling_calls;
      /* With LTO there are no bodies here.  But a function that has the other
	 required options and not this one was compiled with them, so its
	 sibling calls are intentional.  */
      const bool keeps
	= (in_lto_p ? (!flag_omit_frame_pointer || arguments.only_allocations)
			&& !flag_ipa_icf_functions
		    : passes_on);
      set_required_options (&global_options);
      if (keeps)
	flag_optimize_sibling_calls = wants;
      DECL_FUNCTION_SPECIFIC_OPTIMIZATION (node->decl)
	= build_optimization_node (&global_options, &global_options_set);
    }
  cl_optimization_restore (&global_options, &global_options_set, &saved);
}
