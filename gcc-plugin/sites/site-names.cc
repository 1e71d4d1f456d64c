/* Linkage names of functions that the debug information does not give.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC gives a DW_AT_linkage_name to public functions alone.  One that is
   static, in an anonymous namespace, a lambda, or has a type of an anonymous
   namespace for a template argument is known there by its plain name.  Where
   it has code of its own the symbol table helps; where it was inlined, nothing
   does.  So its linkage name goes into a section of its own beside the debug
   information, with what the debug information says of it as the key.
   doc/site-names.md has the bytes.

   All such functions of a unit are written, whether inlined or not: this is
   done before inlining, for two reasons.  The names that DWARF has for
   template instances are known to the front end alone; and for link-time
   optimization they must, like all DWARF, be in the object already.  GCC
   copies debug sections whose names begin with .gnu.debuglto_ into the
   program.  */

#include "gcc-compat.h"
#include "debug-texts.h"
#include "site-names.h"

/* Texts of the entries.  No trees: those may be collected.  */
static auto_vec<char *> entries;

/* FNV-1a, 32 bits: HASH with TEXT added.  */
static unsigned
hash_text (unsigned hash, const char *text)
{
  for (; *text; text++)
    hash = (hash ^ (unsigned char) *text) * 0x01000193u;
  return hash;
}

static const unsigned empty_hash = 0x811c9dc5u;

/* The name that DWARF has for DECL, "" if none.  Valid until the next call:
   the front end may have one place for all names.  */
static const char *
name_of_decl (tree decl, int verbosity)
{
  const char *name = NULL;

  if (DECL_NAME (decl) && !DECL_NAMELESS (decl))
    name = lang_hooks.dwarf_name (decl, verbosity);
  return name ? name : "";
}

/* The same for the type, namespace or function SCOPE.  */
static const char *
name_of_scope (tree scope)
{
  if (!TYPE_P (scope))
    return name_of_decl (scope, 0);
  tree name = TYPE_NAME (scope);
  if (!name)
    return "";
  return TREE_CODE (name) == TYPE_DECL ? name_of_decl (name, 2)
				       : IDENTIFIER_POINTER (name);
}

/* HASH with the names of SCOPE and of what it stands in added, outermost
   first.  */
static unsigned
hash_scope (unsigned hash, tree scope)
{
  while (scope && TREE_CODE (scope) == BLOCK)
    scope = BLOCK_SUPERCONTEXT (scope);
  if (!scope || TREE_CODE (scope) == TRANSLATION_UNIT_DECL)
    return hash;
  hash = hash_scope (hash, TYPE_P (scope) ? TYPE_CONTEXT (scope)
					  : DECL_CONTEXT (scope));
  return hash_text (hash_text (hash, name_of_scope (scope)), "::");
}

/* A letter for each parameter that the source has: constructors of one class
   often differ in nothing else.  */
static unsigned
hash_parameters (unsigned hash, tree function)
{
  for (tree parm = DECL_ARGUMENTS (function); parm; parm = DECL_CHAIN (parm))
    {
      tree type = TREE_TYPE (parm);
      if (DECL_ARTIFICIAL (parm) && DECL_NAME (parm))
	continue;
      if (DECL_BY_REFERENCE (parm))
	type = TREE_TYPE (type);
      if (TREE_CODE (type) == REFERENCE_TYPE)
	hash = hash_text (hash, TYPE_REF_IS_RVALUE (type) ? "R" : "&");
      else
	hash = hash_text (hash, TREE_CODE (type) == POINTER_TYPE ? "*" : ".");
    }
  return hash;
}

static const char *
linkage_name_of (tree function)
{
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function));

  return targetm.strip_name_encoding (name);
}

/* Add an entry for the function of NAME and LINKAGE_NAME that is declared
   where DECL is; NULL if the debug information does not say where.  */
static void
add_entry (tree decl, unsigned hash, const char *name, const char *linkage_name)
{
  expanded_location at = {};
  if (decl)
    at = expand_location (DECL_SOURCE_LOCATION (decl));
  const char *file = at.file ? lbasename (at.file) : "";

  if (field_p (file))
    entries.safe_push (xasprintf ("%d\t%d\t%08x\t%s\t%s\t%s", at.line,
				  debug_column_info ? at.column : 0, hash, file,
				  name, linkage_name));
}

/* The declaration of the class that FUNCTION, made by the compiler, is a member
   of, if that stands elsewhere; else NULL.  DWARF may give such a function the
   place of either.  */
static tree
other_place (tree function)
{
  tree scope = DECL_CONTEXT (function);

  if (!DECL_ARTIFICIAL (function) || !scope || !TYPE_P (scope))
    return NULL_TREE;
  tree name = TYPE_NAME (scope);
  if (!name || TREE_CODE (name) != TYPE_DECL
      || DECL_SOURCE_LOCATION (name) == DECL_SOURCE_LOCATION (function))
    return NULL_TREE;
  return name;
}

/* True if DWARF does not say where FUNCTION is declared: the compiler made it,
   and it describes no class of which it is a member.  */
static bool
placeless_p (tree function)
{
  tree scope = DECL_CONTEXT (function);

  return (DECL_ARTIFICIAL (function)
	  && (!scope || !TYPE_P (scope)
	      || debug_info_level <= DINFO_LEVEL_TERSE));
}

/* Add the entry of FUNCTION, if the debug information lacks its linkage
   name.  */
static void
collect_function (tree function)
{
  if (TREE_PUBLIC (function) || DECL_IGNORED_P (function)
      || !DECL_NAME (function))
    return;
  const char *linkage_name = linkage_name_of (function);
  char *name = xstrdup (name_of_decl (function, 0));

  if (*name && strcmp (name, linkage_name) != 0 && field_p (name)
      && field_p (linkage_name))
    {
      unsigned hash = hash_scope (empty_hash, DECL_CONTEXT (function));
      tree place = other_place (function);
      hash = hash_parameters (hash, function);
      add_entry (function, hash, name, linkage_name);
      if (place)
	add_entry (place, hash, name, linkage_name);
      if (placeless_p (function))
	add_entry (NULL_TREE, hash, name, linkage_name);
    }
  free (name);
}

void
site_names_collect (void)
{
  hash_set<tree> done;
  cgraph_node *node;

  if (debug_info_level == DINFO_LEVEL_NONE)
    return;
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      /* All variants of a constructor have one description, the original's;
	 so have they here.  */
      tree function = DECL_ORIGIN (node->decl);
      if (!done.add (function))
	collect_function (function);
    }
}

void
site_names_output (FILE *file, bool for_lto)
{
  debug_texts_output (file, entries,
		      for_lto ? ".gnu.debuglto_.debug_heapprof_names"
			      : ".debug_heapprof_names",
		      for_lto);
}
