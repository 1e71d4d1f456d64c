/* Linkage names of inlined constructors and destructors.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC describes all variants of a constructor by one entry, whose linkage name
   belongs to none of them: `C4' where the symbols have `C1' and `C2'.  No
   compiler looks up a profile by that name.  The variant that is called, and
   whose code is inlined, is the base variant, C2 (D2).  */

#ifndef HEAPPROF_CONSTRUCTOR_NAMES_H
#define HEAPPROF_CONSTRUCTOR_NAMES_H

#include <stddef.h>
#include <libiberty/hashtab.h>

/* All zeros is an empty store of resolved names.  */
struct constructor_names
{
  htab_t table;
};

/* If NAME, a linkage name that stays valid, is that of a unified constructor or
   destructor, return the base variant's name, valid until
   constructor_names_release; otherwise, and if memory is exhausted, return
   NAME.  */
const char *constructor_names_resolve (struct constructor_names *names,
				       const char *name);

void constructor_names_release (struct constructor_names *names);

#endif /* HEAPPROF_CONSTRUCTOR_NAMES_H */
