/* Which columns LLVM may see.
   SPDX-License-Identifier: GPL-3.0-or-later

   g++ and clang do not agree on the column of a call.  If a function's record
   has no columns at all, clang ignores columns when it matches that function.
   So columns that clang would not understand are written as 0: in all frames of
   a function or in none.  A record also holds the frames inlined into its
   function, so functions inlined into one another share the decision.  */

#ifndef HEAPPROF_LLVM_COLUMNS_H
#define HEAPPROF_LLVM_COLUMNS_H

#include "heap-profile.h"
#include <stdbool.h>

/* Return an array by frame id, malloced: true if the frame's column must be 0
   in the contexts for which WANTED, by context, is true.  NULL if memory is
   exhausted.  */
bool *llvm_columns_to_drop (const struct heap_profile *profile,
			    const bool *wanted);

#endif /* HEAPPROF_LLVM_COLUMNS_H */
