/* Machine-level profiles: entries behind the probe that counts a function's
   calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A direct call is counted at its site, so the function need not count it, too:
   it is called at a label behind its first probe.

     foo:	incq .Lhpmc3(%rip)
     .Lhpme7:	...				7 is DECL_UID

   The label is only for calls in the same assembler file, of functions that the
   linker cannot replace, and that it does not discard without their callers.
   If it turns out that the function has no probe, the label is an alias of
   it.  */

#include "gcc-compat.h"
#include "mip-asm.h"
#include "mip-parts.h"

typedef int_hash<unsigned, 0, UINT_MAX> uid_hash;

/* The names of the functions called by way of their labels, malloced, and those
   functions that have their labels; by DECL_UID.  */
static hash_map<uid_hash, char *> called;
static hash_set<uid_hash> labelled;

/* Something may be at the entry that must run whenever a function is called:
   the calls that -pg inserts, and patches.  */
bool
mip_entry_p (tree decl)
{
  cgraph_node *node
    = TREE_CODE (decl) == FUNCTION_DECL ? cgraph_node::get (decl) : NULL;

  return (node && node->definition && !node->alias && !node->thunk
	  && !node->in_other_partition && !DECL_EXTERNAL (decl)
	  && !DECL_WEAK (decl) && !DECL_ONE_ONLY (decl)
	  && !DECL_COMDAT_GROUP (decl) && decl_binds_to_current_def_p (decl)
	  && !profile_flag && !flag_patchable_function_entry
	  && !lookup_attribute ("patchable_function_entry",
				DECL_ATTRIBUTES (decl)));
}

rtx
mip_entry_for_call (rtx symbol)
{
  tree decl = SYMBOL_REF_DECL (symbol);

  if (!mip_entry_p (decl))
    return NULL_RTX;
  bool is_known;
  char *&name = called.get_or_insert (DECL_UID (decl), &is_known);
  if (!is_known)
    name = xstrdup (XSTR (symbol, 0));
  char *label = xasprintf ("*.Lhpme%u", DECL_UID (decl));
  rtx entry = gen_rtx_SYMBOL_REF (Pmode, ggc_strdup (label));
  free (label);
  SYMBOL_REF_FLAGS (entry) = SYMBOL_FLAG_FUNCTION | SYMBOL_FLAG_LOCAL;
  SET_SYMBOL_REF_DECL (entry, decl);
  return entry;
}

rtx
mip_entry_label (tree decl)
{
  labelled.add (DECL_UID (decl));
  return mip_asm (xasprintf (".Lhpme%u:", DECL_UID (decl)), {});
}

void
mip_entries_output (void)
{
  for (auto each : called)
    {
      if (!labelled.contains (each.first))
	{
	  fprintf (asm_out_file, "\t.set\t.Lhpme%u,", each.first);
	  assemble_name (asm_out_file, each.second);
	  putc ('\n', asm_out_file);
	}
      free (each.second);
    }
  called.empty ();
}
