/* Output for each translation unit: start-up of the run-time library, the
   folder for raw profiles, and the guard of LTO objects.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every assembler file ends with

     .section .init_array.00001, comdat	  address of the initialiser
     .section .rodata..., comdat	  __heapprof_directory: "DIR"

   The table of constructors itself contains the initialiser's address, so no
   constructor function is needed, and every front end, and lto1 as well, can
   use the same code.  00001 runs before any constructor of the user.  Without
   the run-time library, the linker reports the initialiser as undefined; its
   name tells what to add.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "arguments.h"
#include "asm-section.h"
#include "lto-guard.h"
#include "runtime-decls.h"
#include "site-names.h"
#include "site-types.h"
#include "site-types-gimple.h"
#include "unit.h"

static unsigned n_functions;
static unsigned n_heap_accesses;

void
unit_note_function (unsigned n_accesses)
{
  n_functions++;
  n_heap_accesses += n_accesses;
}

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
unit_force_options (void)
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
   optimization level and lose what unit_force_options has set.  Give each
   function that has its own options a copy of them with the required options
   set.  Functions that must pass control on keep their sibling calls, and
   contexts then lack their frames.  */
static void
force_options_of_functions (void)
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

static void
before_ipa_passes (void *, void *)
{
  if (seen_error ())
    return;
  force_options_of_functions ();
  if (!in_lto_p)
    {
      site_names_collect ();
      site_types_collect ();
    }
  if (flag_generate_lto && !in_lto_p)
    lto_guard_build (HEAPPROF_SYMBOL_LTO_GUARD, init_function_decl ());
}

static void
output_initialisers (void)
{
  asm_initialiser (arguments.only_allocations ? HEAPPROF_SYMBOL_START_ALLOC
					      : HEAPPROF_SYMBOL_START,
		   false);
  if (arguments.histogram)
    asm_initialiser (HEAPPROF_SYMBOL_INIT_HISTOGRAM, false);
  if (arguments.totals_only)
    asm_initialiser (HEAPPROF_SYMBOL_INIT_TOTALS, false);
}

static void
output_directory (FILE *file)
{
  fprintf (file,
	   "\t.pushsection\t.rodata." HEAPPROF_SYMBOL_DIRECTORY
	   ",\"aG\",@progbits," HEAPPROF_SYMBOL_DIRECTORY ",comdat\n"
	   "\t.globl\t" HEAPPROF_SYMBOL_DIRECTORY "\n"
	   "\t.type\t" HEAPPROF_SYMBOL_DIRECTORY ", @object\n"
	   "\t.size\t" HEAPPROF_SYMBOL_DIRECTORY
	   ", %d\n" HEAPPROF_SYMBOL_DIRECTORY ":\n",
	   (int) strlen (arguments.directory) + 1);
  /* One byte at a time, so that no character of the folder's name needs
     quoting.  */
  for (const char *p = arguments.directory; *p; p++)
    fprintf (file, "\t.byte\t%d\n", (unsigned char) *p);
  fprintf (file, "\t.byte\t0\n\t.popsection\n");
}

static void
finish_unit (void *, void *)
{
  if (arguments.verbose && !flag_wpa)
    inform (UNKNOWN_LOCATION,
	    "heapprof: accesses to the heap counted: %u;"
	    " functions: %u",
	    n_heap_accesses, n_functions);

  /* There is no assembler text after errors, or in WPA, the stage of LTO that
     only makes decisions.  */
  if (!asm_out_file || seen_error () || flag_syntax_only || flag_wpa)
    return;
  if (flag_generate_lto)
    {
      site_names_output (asm_out_file, true);
      site_types_output (asm_out_file, true);
    }
  /* A slim LTO object has no code.  */
  if (flag_generate_lto && !flag_fat_lto_objects)
    return;
  site_names_output (asm_out_file, false);
  site_types_output (asm_out_file, false);
  output_initialisers ();
  if (arguments.directory)
    output_directory (asm_out_file);
  if (in_lto_p || flag_generate_lto)
    lto_guard_output (asm_out_file, HEAPPROF_SYMBOL_LTO_GUARD);
}

void
unit_register_callbacks (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START,
		     before_ipa_passes, NULL);
  register_callback (plugin_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
  site_types_register (plugin_name);
  site_types_gimple_register (plugin_name);
}
