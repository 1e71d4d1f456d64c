/* Guards of objects for LTO: linking them without the plugin fails.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heapprof/mip-format.h"
#include "arguments.h"
#include "asm-section.h"
#include "lto-guard.h"
#include "runtime-decls.h"

void
lto_guard_build (const char *symbol, tree initialiser)
{
  tree body = NULL_TREE;

  append_to_statement_list (guard_decl (symbol), &body);
  if (initialiser)
    append_to_statement_list (build_call_expr (initialiser, 0), &body);
  cgraph_build_static_cdtor ('I', body, HEAPPROF_INIT_PRIORITY);
  /* The next pass expects control flow graphs.  */
  symtab->process_new_functions ();
}

void
lto_guard_output (FILE *file, const char *symbol)
{
  fprintf (file, "\t.pushsection\t.rodata\n%s:\n\t.byte\t0\n\t.popsection\n",
	   symbol);
}

/* If a link has several partitions, GCC makes another constructor that calls
   these, so that only the names that it gave them are left: "sub_I_00001_0" and
   so on, with prefixes and suffixes.  */
bool
lto_guard_constructor_p (tree function)
{
  char name[sizeof "sub_I_00000_"];

  snprintf (name, sizeof name, "sub_I_%.5d_", HEAPPROF_INIT_PRIORITY);
  return ((DECL_STATIC_CONSTRUCTOR (function)
	   && DECL_INIT_PRIORITY (function) == HEAPPROF_INIT_PRIORITY)
	  || (DECL_ARTIFICIAL (function)
	      && strstr (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function)),
			 name)));
}

/* True if an object of this link needs the guard SYMBOL.  */
static bool
guard_needed_p (const char *symbol)
{
  return symtab_node::get_for_asmname (get_identifier (symbol));
}

/* PLUGIN_ALL_IPA_PASSES_START.  */
static void
check_link (void *, void *)
{
  if (!in_lto_p || seen_error ())
    return;
  if (!arguments.generate && guard_needed_p (HEAPPROF_SYMBOL_LTO_GUARD))
    error ("objects in this link count heap accesses: add"
	   " %<-fplugin-arg-heapprof-generate%> to the link");
  else if (!arguments.mip.kind
	   && guard_needed_p (HEAPPROF_MIP_SYMBOL_LTO_GUARD))
    error ("objects in this link have machine-level profiles: add their"
	   " %<-fplugin-arg-heapprof-mip=%> to the link");
}

void
lto_guard_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START, check_link,
		     NULL);
}
