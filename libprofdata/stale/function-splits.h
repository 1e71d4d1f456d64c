/* Code that was moved out of a function into a new one.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of a new function that the old one did not have stands where the code
   was.  What was between the nearest calls that both have stays before it,
   moves to the new function, or stays after it: these three parts, and the
   numbers of lines by which they moved, are chosen so that most locations have
   code.  */

#ifndef HEAPPROF_FUNCTION_SPLITS_H
#define HEAPPROF_FUNCTION_SPLITS_H

#include "function-align.h"

struct function_split_names
{
  const uint32_t *renamed; /* new names, by old name */
  const bool *is_new; /* by name: not in the old version, and no new name */
};

/* Add to ALIGNMENT, of BEFORE with AFTER, the parts that moved to new functions
   among ALL, and move their places.  Return false if memory is exhausted.  */
bool function_splits_find (struct function_alignment *alignment,
			   const struct function_outline *before,
			   const struct function_outline *after,
			   const struct function_outlines *all,
			   const struct function_split_names *names);

#endif /* HEAPPROF_FUNCTION_SPLITS_H */
