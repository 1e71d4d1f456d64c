/* The scopes around the functions that the debug information describes.
   SPDX-License-Identifier: GPL-3.0-or-later

   Instances of a template stand in one place of the source, and so do the
   constructors that a compiler makes for a class.  They differ in the names of
   the scopes around them or in their parameters, and so in the hash of
   those, which doc/site-names.md defines.  */

#ifndef HEAPPROF_FUNCTION_SCOPES_H
#define HEAPPROF_FUNCTION_SCOPES_H

#include <elfutils/libdw.h>
#include <libiberty/hashtab.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero is an empty store of what is known about units.  */
struct function_scopes
{
  htab_t units;
};

/* Put the hash of scopes and parameters of the function entry DIE, which may be
   an instance of another, into *HASH.  False if its scope is unknown or memory
   is exhausted.  */
bool function_scope_hash (struct function_scopes *scopes, Dwarf_Die *die,
			  uint32_t *hash);

/* Put the innermost class around the function entry DIE into *CLASS.  False if
   there is none, or as above.  */
bool function_scope_class (struct function_scopes *scopes, Dwarf_Die *die,
			   Dwarf_Die *class);

void function_scopes_release (struct function_scopes *scopes);

#endif /* HEAPPROF_FUNCTION_SCOPES_H */
