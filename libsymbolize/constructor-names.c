/* Linkage names of inlined constructors and destructors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "constructor-names.h"
#include "function-id.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A name in the debug information, identified by its address, and the resolved
   name.  */
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
  function_base_variant (entry->base_name);
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
