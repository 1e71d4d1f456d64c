/* Functions whose code was moved to where they were called.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of a function that is gone is gone, too, and what is there now has
   code at the same lines as the function had.  */

#ifndef HEAPPROF_FUNCTION_MERGES_H
#define HEAPPROF_FUNCTION_MERGES_H

#include "function-align.h"

/* A call in whose place is now the code of what it called.  */
struct merged_call
{
  uint32_t caller; /* names before */
  uint32_t name;
  struct sample_location call;	       /* before */
  struct function_alignment alignment; /* of the called function's places with
					  those of the caller */
  uint64_t count;		       /* of the call, if it was not inlined */
};

/* All zeros is empty.  */
struct merged_calls
{
  struct merged_call *calls; /* by caller, in the order of their addition */
  size_t count;
};

struct function_merge_names
{
  const uint32_t *renamed; /* new names, by old name */
  const bool *is_gone;	   /* by name: not in the new version, nor renamed */
};

/* Add the calls of BEFORE whose functions, which ALL has, are part of AFTER
   now, to MERGED.  ALIGNMENT is that of BEFORE with AFTER.  Nothing is
   found if BEFORE has only calls.  Return false if memory is exhausted; release
   MERGED in any case.  */
bool function_merges_find (struct merged_calls *merged,
			   const struct function_alignment *alignment,
			   const struct function_outline *before,
			   const struct function_outline *after,
			   const struct function_outlines *all,
			   const struct function_merge_names *names);
void merged_calls_release (struct merged_calls *merged);

/* Return the entry of CALLER's call of NAME at CALL; NULL if there is none.  */
struct merged_call *merged_calls_find (const struct merged_calls *merged,
				       uint32_t caller,
				       struct sample_location call,
				       uint32_t name);

#endif /* HEAPPROF_FUNCTION_MERGES_H */
