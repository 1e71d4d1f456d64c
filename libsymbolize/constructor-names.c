/* Linkage names of inlined constructors and destructors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "constructor-names.h"
#include <libiberty/demangle.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A name as the debug information has it, by its address, and the resolved
   one.  */
struct resolved
{
  const char *name;
  char base_name[];
};

static hashval_t
hash_resolved (const void *entry)
{
  return htab_hash_pointer (((const struct resolved *) entry)->name);
}

static int
equal_resolved (const void *entry, const void *name)
{
  return ((const struct resolved *) entry)->name == name;
}

/* Turn the 4 of KIND in the mangled NAME into the base variant's 2 in place,
   where that makes a base variant of it.  KIND may also be part of an identifier,
   so each one is tried.  False if it is nowhere.  */
static int
replace_kind (char *name, const char *kind, int is_constructor)
{
  size_t number = strlen (kind) - 1;
  for (char *at = strstr (name, kind); at != NULL; at = strstr (at + 1, kind))
    {
      at[number] = '2';
      if (is_constructor
	  ? is_gnu_v3_mangled_ctor (name) == gnu_v3_base_object_ctor
	  : is_gnu_v3_mangled_dtor (name) == gnu_v3_base_object_dtor)
	return 1;
      at[number] = '4';
    }
  return 0;
}

/* Turn NAME into the base variant's in place, if it is that of a unified
   constructor, an inherited one, or a destructor.  False if NAME is another.  */
static int
make_base_name (char *name)
{
  int is_constructor = is_gnu_v3_mangled_ctor (name) == gnu_v3_unified_ctor;
  if (!is_constructor
      && is_gnu_v3_mangled_dtor (name) != gnu_v3_unified_dtor)
    return 0;
  if (!is_constructor)
    return replace_kind (name, "D4", 0);
  return replace_kind (name, "C4", 1) || replace_kind (name, "CI4", 1);
}

/* Add NAME, whose slot in the table is SLOT.  */
static const char *
add_name (void **slot, const char *name)
{
  size_t bytes = strlen (name) + 1;
  struct resolved *entry = malloc (sizeof *entry + bytes);
  if (entry == NULL)
    return name;
  entry->name = name;
  memcpy (entry->base_name, name, bytes);
  make_base_name (entry->base_name);
  *slot = entry;
  return entry->base_name;
}

const char *
constructor_names_resolve (struct constructor_names *names, const char *name)
{
  if (strstr (name, "C4") == NULL && strstr (name, "CI4") == NULL
      && strstr (name, "D4") == NULL)
    return name;
  if (names->table == NULL)
    names->table = htab_create_alloc (64, hash_resolved, equal_resolved, free,
				      calloc, free);
  if (names->table == NULL)
    return name;
  void **slot = htab_find_slot_with_hash (names->table, name,
					  htab_hash_pointer (name), INSERT);
  if (slot == NULL)
    return name;
  if (*slot != NULL)
    return ((const struct resolved *) *slot)->base_name;
  return add_name (slot, name);
}

void
constructor_names_release (struct constructor_names *names)
{
  if (names->table != NULL)
    htab_delete (names->table);
  names->table = NULL;
}
