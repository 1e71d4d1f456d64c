/* Linkage names of functions that are missing in the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC gives a DW_AT_linkage_name only to public functions.  The debug
   information has only the plain name of a function that is static, in an
   anonymous namespace, a lambda, or an instance with a template argument whose
   type is in an anonymous namespace.  If it has its own code, the symbol table
   has the linkage name; if it was inlined, it is lost.  So its linkage name is
   written to a section next to the debug information.  The key is the
   description of the function there.  doc/site-names.md has the format.

   All such functions of a unit are written, whether inlined or not, and before
   inlining, for two reasons.  Only the front end knows the names that DWARF has
   for template instances; and for link-time optimization the names, like all
   DWARF, must be in the object already.  GCC copies debug sections whose names
   begin with .gnu.debuglto_ to the program.  */

#include "gcc-compat.h"
#include "debug-texts.h"
#include "site-names.h"

/* Texts of the entries.  Not trees, which may be garbage collected.  */
static auto_vec<char *> entries;

/* Return HASH with TEXT added: FNV-1a, 32 bits.  */
static unsigned
hash_text (unsigned hash, const char *text)
{
  for (; *text; text++)
    hash = (hash ^ (unsigned char) *text) * 0x01000193u;
  return hash;
}

static const unsigned empty_hash = 0x811c9dc5u;

/* Return the name that DWARF has for DECL, or "".  It is valid until the next
   call, because the front end may use one buffer for all names.  */
static const char *
name_of_decl (tree decl, int verbosity)
{
  const char *name = NULL;

  if (DECL_NAME (decl) && !DECL_NAMELESS (decl))
    name = lang_hooks.dwarf_name (decl, verbosity);
  return name ? name : "";
}

/* Return the name that DWARF has for SCOPE, a type, namespace or function.  */
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

/* Return HASH with the names of SCOPE and of the scopes around it added,
   outermost first.  */
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

/* Add a letter for each parameter in the source: often this is the only
   difference between constructors of a class.  */
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

/* Add an entry for the function with NAME and LINKAGE_NAME that is declared
   where DECL is.  DECL is NULL if the debug information has no location.  */
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

/* If FUNCTION was made by the compiler and is a member of a class declared at
   another place, return the declaration of the class; else NULL.  DWARF may
   give such a function either location.  */
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

/* True if DWARF has no location for FUNCTION: the compiler made it, and DWARF
   does not describe a class of which it is a member.  */
static bool
placeless_p (tree function)
{
  tree scope = DECL_CONTEXT (function);

  return (DECL_ARTIFICIAL (function)
	  && (!scope || !TYPE_P (scope)
	      || debug_info_level <= DINFO_LEVEL_TERSE));
}

/* Add an entry for FUNCTION if its linkage name is missing in the debug
   information.  */
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
      /* All variants of a constructor share one description in DWARF, that of
	 the original, so they share one entry here.  */
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
