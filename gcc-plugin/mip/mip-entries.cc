/* Machine-level profiles: entries behind the probe that counts a function's
   calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A direct call is counted at its site, so the function need not count it, too:
   it is called at a label behind its first probe.

     foo:	incq .Lhpmc3(%rip)
     .Lhpme7:	...				7 is DECL_UID
		.set foo.hpm, .Lhpme7
		.globl foo.hpm
		.hidden foo.hpm

   This is only for functions that the linker cannot replace, and that it does
   not discard without their callers.  If it turns out that the function has no
   probe, the label is an alias of it.

   Calls in other assembler files use the name foo.hpm.  It is not known there
   whether foo has such an entry: it may be in a file without probes, or in a
   shared object.  So these files have an entry to use then, in a group of which
   the linker keeps one; a function's own is not weak and takes precedence.

		.section .text.unlikely.hpm,"axG",@progbits,foo.hpm,comdat
		.weak foo.hpm
		.hidden foo.hpm
     foo.hpm:	jmp foo@PLT  */

#include "gcc-compat.h"
#include "arguments.h"
#include "machine.h"
#include "mip-asm.h"
#include "mip-parts.h"

typedef int_hash<unsigned, 0, UINT_MAX> uid_hash;
typedef hash_set<nofree_string_hash> name_set;

/* The suffix of the names of entries for other files.  */
#define SUFFIX ".hpm"

/* The names of the functions called by way of their labels, malloced, and those
   functions that have their labels; by DECL_UID.  */
static hash_map<uid_hash, char *> called;
static hash_set<uid_hash> labelled;

/* The functions of other files that are called by way of their entries, and
   those of this one that have entries for other files; malloced names.  */
static name_set called_elsewhere;
static name_set exported;

/* A name under which other files may call a function's label.  */
struct exported_entry
{
  const char *name; /* in EXPORTED */
  unsigned uid;
};

static auto_vec<exported_entry> exported_entries;

/* Return the name of SYMBOL in assembler text.  */
static const char *
text_of (const char *symbol)
{
  return *symbol == '*' ? symbol + 1 : symbol;
}

static const char *
text_of (tree decl)
{
  return text_of (XSTR (XEXP (DECL_RTL (decl), 0), 0));
}

/* True if something may be at the entry of DECL that must run whenever the
   function is called: the calls that -pg inserts, and patches.  */
static bool
has_patches_p (tree decl)
{
  return (profile_flag || flag_patchable_function_entry
	  || lookup_attribute ("patchable_function_entry",
			       DECL_ATTRIBUTES (decl)));
}

/* True if the linker may choose another definition of DECL.  */
static bool
replaceable_p (tree decl)
{
  return (DECL_WEAK (decl) || DECL_ONE_ONLY (decl) || DECL_COMDAT (decl)
	  || DECL_COMDAT_GROUP (decl));
}

bool
mip_entry_p (tree decl)
{
  cgraph_node *node
    = TREE_CODE (decl) == FUNCTION_DECL ? cgraph_node::get (decl) : NULL;

  return (node && node->definition && !node->alias && !node->thunk
	  && !node->in_other_partition && !DECL_EXTERNAL (decl)
	  && !replaceable_p (decl) && decl_binds_to_current_def_p (decl)
	  && !has_patches_p (decl));
}

/* True if other files may call DECL, a function of this one or an alias, behind
   its probe, if it has one.  */
static bool
exported_p (tree decl)
{
  return (arguments.mip.program_entries && TREE_PUBLIC (decl)
	  && !DECL_EXTERNAL (decl) && !replaceable_p (decl)
	  && !has_patches_p (decl)
	  && !lookup_attribute ("ifunc", DECL_ATTRIBUTES (decl)));
}

/* True if a call of DECL, which is not in this file, certainly goes to the
   program's or shared object's own function, if it has one.  Functions of
   system libraries hardly have probes.  */
bool
mip_entry_elsewhere_p (tree decl)
{
  if (TREE_CODE (decl) != FUNCTION_DECL || !arguments.mip.program_entries)
    return false;
  cgraph_node *node = cgraph_node::get (decl);
  bool is_here = (node && node->definition && !node->in_other_partition
		  && !DECL_EXTERNAL (decl));

  return (!is_here && TREE_PUBLIC (decl) && !replaceable_p (decl)
	  && (!flag_shlib || targetm.binds_local_p (decl))
	  && !fndecl_built_in_p (decl) && !DECL_IN_SYSTEM_HEADER (decl)
	  && !lookup_attribute ("target_clones", DECL_ATTRIBUTES (decl)));
}

/* Return a symbol of the function DECL with NAME, which is freed.  */
static rtx
make_symbol (tree decl, char *name)
{
  rtx symbol = gen_rtx_SYMBOL_REF (Pmode, ggc_strdup (name));

  free (name);
  SYMBOL_REF_FLAGS (symbol) = SYMBOL_FLAG_FUNCTION | SYMBOL_FLAG_LOCAL;
  SET_SYMBOL_REF_DECL (symbol, decl);
  return symbol;
}

/* Add a copy of NAME to NAMES.  Return the name there.  */
static const char *
remember (name_set *names, const char *name)
{
  if (!names->contains (name))
    names->add (xstrdup (name));
  return name;
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
  return make_symbol (decl, xasprintf ("*.Lhpme%u", DECL_UID (decl)));
}

rtx
mip_entry_elsewhere (rtx symbol)
{
  tree decl = SYMBOL_REF_DECL (symbol);

  if (!mip_entry_elsewhere_p (decl))
    return NULL_RTX;
  const char *name = text_of (XSTR (symbol, 0));
  remember (&called_elsewhere, name);
  return make_symbol (decl, xasprintf ("*%s" SUFFIX, name));
}

/* Let other files call the function with UID by the name of DECL.  */
static void
export_name (unsigned uid, tree decl)
{
  const char *name = text_of (decl);

  if (!exported_p (decl) || exported.contains (name))
    return;
  exported_entry entry = { xstrdup (name), uid };
  exported.add (entry.name);
  exported_entries.safe_push (entry);
}

/* Likewise, by the names of all aliases of NODE.  */
static void
export_aliases (unsigned uid, cgraph_node *node)
{
  ipa_ref *ref;

  for (unsigned i = 0; node->iterate_direct_aliases (i, ref); i++)
    if (cgraph_node *alias = dyn_cast<cgraph_node *> (ref->referring))
      {
	export_name (uid, alias->decl);
	export_aliases (uid, alias);
      }
}

/* Return the lesser of NAME and those under which other files may call
   aliases of NODE.  */
static const char *
least_alias (cgraph_node *node, const char *name)
{
  ipa_ref *ref;

  for (unsigned i = 0; node->iterate_direct_aliases (i, ref); i++)
    if (cgraph_node *alias = dyn_cast<cgraph_node *> (ref->referring))
      {
	if (exported_p (alias->decl)
	    && strcmp (text_of (alias->decl), name) < 0)
	  name = text_of (alias->decl);
	name = least_alias (alias, name);
      }
  return name;
}

const char *
mip_entry_least_name (tree decl)
{
  cgraph_node *node = cgraph_node::get (decl);

  if (mip_entry_elsewhere_p (decl))
    return text_of (decl);
  if (!exported_p (decl))
    return NULL;
  return node ? least_alias (node, text_of (decl)) : text_of (decl);
}

rtx
mip_entry_label (tree decl)
{
  cgraph_node *node = cgraph_node::get (decl);
  unsigned uid = DECL_UID (decl);

  labelled.add (uid);
  export_name (uid, decl);
  if (node)
    export_aliases (uid, node);
  return mip_asm (xasprintf (".Lhpme%u:%s", uid,
			     exported_p (decl) ? machine_landing () : ""),
		  {});
}

/* Write an entry of the function NAME, of another file, for the case that it
   has none.  */
static void
output_substitute (const char *name)
{
  fprintf (asm_out_file,
	   "\t.pushsection\t.text.unlikely.hpm,\"axG\",@progbits,%s" SUFFIX
	   ",comdat\n"
	   "\t.balign\t4\n"
	   "\t.weak\t%s" SUFFIX "\n"
	   "\t.hidden\t%s" SUFFIX "\n"
	   "%s" SUFFIX ":%s\n",
	   name, name, name, name, machine_landing ());
  machine_output_jump (name);
  fprintf (asm_out_file, "\t.popsection\n");
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
  for (const exported_entry &entry : exported_entries)
    fprintf (asm_out_file,
	     "\t.set\t%s" SUFFIX ",.Lhpme%u\n"
	     "\t.globl\t%s" SUFFIX "\n"
	     "\t.hidden\t%s" SUFFIX "\n",
	     entry.name, entry.uid, entry.name, entry.name);
  for (const char *name : called_elsewhere)
    if (!exported.contains (name))
      output_substitute (name);
}
