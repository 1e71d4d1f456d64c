/* What LLVM sees of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A reduced profile has frames with a GUID, a line offset, a column and an
   inline flag, and without names; its contexts lack the frames without a
   function, and those of which no block was observed whole.  Contexts that
   LLVM cannot tell apart are one context there.  */

#ifndef HEAPPROF_LLVM_REDUCE_H
#define HEAPPROF_LLVM_REDUCE_H

#include "heap-profile.h"
#include <stdbool.h>

/* Fill REDUCED, which is empty, from PROFILE.  KEEP_COLUMNS as in struct
   indexed_profile_options.  False if memory cannot be had.  */
bool llvm_reduce (const struct heap_profile *profile,
		  struct heap_profile *reduced, bool keep_columns);

#endif /* HEAPPROF_LLVM_REDUCE_H */
