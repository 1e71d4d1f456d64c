/* Matching of the locations of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   Calls are the anchors: the longest common subsequence of called functions is
   what did not change.  The lines between two calls moved with one of them; the
   line where that changes is chosen so that most locations have code in the new
   function.  */

#ifndef HEAPPROF_FUNCTION_ALIGN_H
#define HEAPPROF_FUNCTION_ALIGN_H

#include "function-outline.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place_pair
{
  struct sample_location from;
  struct sample_location to;
  bool is_call; /* a call of the same function */
};

/* All zeros is empty.  */
struct function_alignment
{
  struct place_pair *pairs; /* for each place of the old function, in order */
  size_t count;
  uint32_t *partners; /* for each call of the old function: that of the new one,
			 or SUBSEQUENCE_NONE */
  size_t call_count;  /* calls with a partner */
};

/* Match BEFORE with AFTER.  Names of BEFORE are looked up in RENAMED, which has
   all names.  Return false if memory is exhausted; release ALIGNMENT in any
   case.  */
bool function_align (struct function_alignment *alignment,
		     const struct function_outline *before,
		     const struct function_outline *after,
		     const uint32_t *renamed);
void function_alignment_release (struct function_alignment *alignment);

/* Return where LOCATION is now; LOCATION itself if it is not a place of the old
   function.  */
struct sample_location
function_alignment_find (const struct function_alignment *alignment,
			 struct sample_location location);

#endif /* HEAPPROF_FUNCTION_ALIGN_H */
