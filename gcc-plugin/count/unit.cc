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
#include "required-options.h"
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

static void
before_ipa_passes (void *, void *)
{
  if (seen_error ())
    return;
  required_options_of_functions ();
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
