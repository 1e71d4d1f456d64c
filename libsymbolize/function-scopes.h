/* Scopes of the functions in the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   Instances of a template are at the same place of the source, and so are the
   constructors that a compiler generates for a class.  They differ in the names
   of the scopes around them or in their parameters, and so in the hash of
   these, which doc/site-names.md defines.  */

#ifndef HEAPPROF_FUNCTION_SCOPES_H
#define HEAPPROF_FUNCTION_SCOPES_H

#include <elfutils/libdw.h>
#include <libiberty/hashtab.h>
#include <stdbool.h>
#include <stdint.h>

/* All zeros is an empty store.  */
struct function_scopes
{
  htab_t units;
};

/* Set *HASH to the hash of scopes and parameters of the function entry DIE,
   which may be an instance of another.  Return false if its scope is unknown or
   memory is exhausted.  */
bool function_scope_hash (struct function_scopes *scopes, Dwarf_Die *die,
			  uint32_t *hash);

/* Set *CLASS to the innermost class around the function entry DIE.  Return
   false if there is none, its scope is unknown, or memory is exhausted.  */
bool function_scope_class (struct function_scopes *scopes, Dwarf_Die *die,
			   Dwarf_Die *class);

void function_scopes_release (struct function_scopes *scopes);

#endif /* HEAPPROF_FUNCTION_SCOPES_H */
