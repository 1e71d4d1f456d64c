/* What the debug information says of functions: names, where they are declared.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-facts.h"
#include "entry-attributes.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static hashval_t
hash_facts (const void *facts)
{
  return htab_hash_pointer (((const struct function_facts *) facts)->entry);
}

static int
equal_facts (const void *facts, const void *entry)
{
  return ((const struct function_facts *) facts)->entry == entry;
}

void
function_facts_release (struct function_facts_store *store)
{
  if (store->table != NULL)
    htab_delete (store->table);
  store->table = NULL;
  constructor_names_release (&store->constructors);
  site_names_release (&store->site_names);
  function_scopes_release (&store->scopes);
}

/* The number in the attribute NAME of DIE or of what it is an instance of, 0
   if there is none.  */
static uint32_t
number_of (Dwarf_Die *die, unsigned int name)
{
  Dwarf_Attribute attribute;
  return attribute_number (dwarf_attr_integrate (die, name, &attribute));
}

static const char *
string_of (Dwarf_Die *die, unsigned int name, Dwarf_CU **unit)
{
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate (die, name, &attribute) == NULL)
    return NULL;
  if (unit != NULL)
    *unit = attribute.cu;
  return dwarf_formstring (&attribute);
}

/* Does the compiler of UNIT number the columns of calls otherwise than clang?
   Measured on calls by name, through pointers, through members, of
   constructors and nested in arguments: GNU C++ points past the callee or at
   the parenthesis and agrees in 3 of 16; GNU C agrees in 8 of 11, but gives a
   call among the arguments of another the outer one's column.  clang matches
   by line alone where a function has no columns at all, so none are better
   than some wrong ones.  */
static bool
columns_differ (struct function_facts_store *store, Dwarf_CU *unit)
{
  if (unit == store->producer_unit)
    return store->columns_differ;
  Dwarf_Die die;
  Dwarf_Attribute attribute;
  const char *producer = NULL;
  if (dwarf_cu_die (unit, &die, NULL, NULL, NULL, NULL, NULL, NULL) != NULL
      && dwarf_attr (&die, DW_AT_producer, &attribute) != NULL)
    producer = dwarf_formstring (&attribute);
  store->producer_unit = unit;
  store->columns_differ
    = producer == NULL || strstr (producer, "clang") == NULL;
  return store->columns_differ;
}

/* The linkage name that the compiler plugin left for the function entry DIE of
   the plain name NAME, which is declared as DECLARED says; NULL if none.  */
static const char *
site_name (struct function_facts_store *store, Dwarf_Die *die, const char *name,
	   Dwarf_Die *declared)
{
  if (store->site_names.count == 0)
    return NULL;
  Dwarf_Attribute file;
  struct site_key key
    = { .line = number_of (declared, DW_AT_decl_line),
	.column = number_of (declared, DW_AT_decl_column),
	.file = attribute_file (dwarf_attr_integrate (declared, DW_AT_decl_file,
						      &file)),
	.name = name };
  /* Of what only the compiler made.  */
  if (key.line == 0 && key.file == NULL)
    key.file = "";
  bool is_ambiguous;
  const char *found
    = site_names_find (&store->site_names, &key, NULL, &is_ambiguous);
  uint32_t scope;
  if (is_ambiguous && function_scope_hash (&store->scopes, die, &scope))
    found = site_names_find (&store->site_names, &key, &scope, &is_ambiguous);
  return found;
}

/* The entry that says where the function of the entry DIE is declared.  GCC
   does not say it of what the source does not name, such as the operator of a
   lambda; it is where the class is.  */
static Dwarf_Die
declaring_entry (struct function_facts_store *store, Dwarf_Die *die)
{
  Dwarf_Die class;
  if (number_of (die, DW_AT_decl_line) != 0
      || !function_scope_class (&store->scopes, die, &class))
    return *die;
  return class;
}

/* Fill FACTS from the function entry DIE.  GCC describes functions that are not
   public without their linkage names; the compiler plugin has left those.  */
static void
fill_facts (struct function_facts_store *store, struct function_facts *facts,
	    Dwarf_Die *die)
{
  Dwarf_Die declared = declaring_entry (store, die);
  /* The source of an inlined function, and of any function after link-time
     optimization, belongs to another unit than its code.  */
  Dwarf_CU *unit = die->cu;
  facts->name = string_of (die, DW_AT_name, &unit);
  facts->columns_differ = columns_differ (store, unit);
  facts->start_line = number_of (&declared, DW_AT_decl_line);
  const char *linkage_name = string_of (die, DW_AT_linkage_name, NULL);
  if (linkage_name == NULL)
    linkage_name = string_of (die, DW_AT_MIPS_linkage_name, NULL);
  facts->is_described = linkage_name != NULL;
  facts->described_name = linkage_name != NULL ? linkage_name : facts->name;
  if (linkage_name == NULL)
    linkage_name = site_name (store, die, facts->name, &declared);
  if (linkage_name != NULL)
    linkage_name
      = constructor_names_resolve (&store->constructors, linkage_name);
  facts->linkage_name = linkage_name;
}

/* The entry that DIE is an instance of, or DIE if it is none, or has a name of
   its own: that of one variant of a constructor.  */
static Dwarf_Die
abstract_entry (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  Dwarf_Die abstract;
  if (dwarf_hasattr (die, DW_AT_linkage_name)
      || dwarf_attr (die, DW_AT_abstract_origin, &attribute) == NULL
      || dwarf_formref_die (&attribute, &abstract) == NULL)
    return *die;
  return abstract;
}

const struct function_facts *
function_facts_find (struct function_facts_store *store, Dwarf_Die *die)
{
  if (store->table == NULL)
    store->table
      = htab_create_alloc (1000, hash_facts, equal_facts, free, calloc, free);
  if (store->table == NULL)
    return NULL;
  Dwarf_Die abstract = abstract_entry (die);
  void **slot
    = htab_find_slot_with_hash (store->table, abstract.addr,
				htab_hash_pointer (abstract.addr), INSERT);
  if (slot == NULL || *slot != NULL)
    return slot != NULL ? *slot : NULL;
  struct function_facts *facts = calloc (1, sizeof *facts);
  if (facts == NULL)
    {
      htab_clear_slot (store->table, slot);
      return NULL;
    }
  facts->entry = abstract.addr;
  fill_facts (store, facts, &abstract);
  *slot = facts;
  return facts;
}
