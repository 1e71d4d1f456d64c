/* Linkage names of inlined constructors and destructors.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC describes all variants of a constructor by one entry, whose linkage name
   is that of none of them: `C4' where the symbols have `C1' and `C2'.  No
   compiler looks a profile up by that name.  The variant that is called, and
   whose code is inlined, is the base one, C2 (D2).  */

#ifndef HEAPPROF_CONSTRUCTOR_NAMES_H
#define HEAPPROF_CONSTRUCTOR_NAMES_H

#include <stddef.h>
#include <libiberty/hashtab.h>

/* All zero is an empty store of resolved names.  */
struct constructor_names
{
  htab_t table;
};

/* If NAME, a linkage name that stays valid, is that of a unified constructor
   or destructor, return the base variant's name, valid until
   constructor_names_release; else NAME, as also if memory is exhausted.  */
const char *constructor_names_resolve (struct constructor_names *names,
				       const char *name);

void constructor_names_release (struct constructor_names *names);

#endif /* HEAPPROF_CONSTRUCTOR_NAMES_H */
