/* Matching of the locations of a function before and after its source changed.
   SPDX-License-Identifier: GPL-3.0-or-later

   Calls are the anchors: the longest common subsequence of called functions is
   what did not change.  The lines between two calls moved with one of them, or
   by other numbers of lines; where these change is chosen so that most
   locations have code in the new function, with as few changes as possible.  */

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
  uint32_t part;  /* number of the part that it moved with plus 1; 0: none */
  bool is_call;	  /* a call of the same function */
  bool is_joined; /* other places lead there, too */
};

/* Code that became a function of its own (function-splits.h).  */
struct moved_part
{
  uint32_t name;		/* of the function */
  struct sample_location call;	/* of it, where the code was; new */
  struct sample_location start; /* of the code; old */
  bool is_inlined;		/* everywhere: the function has no own copy */
};

/* All zeros is empty.  */
struct function_alignment
{
  struct place_pair *pairs; /* for each place of the old function, in order */
  size_t count;
  uint32_t *partners; /* for each call of the old function: that of the new one,
			 or SUBSEQUENCE_NONE */
  size_t call_count;  /* calls with a partner */
  struct moved_part *parts;
  size_t part_count;
};

/* Match BEFORE with AFTER.  Names of BEFORE are looked up in RENAMED, which has
   all names.  Return false if memory is exhausted; release ALIGNMENT in any
   case.  */
bool function_align (struct function_alignment *alignment,
		     const struct function_outline *before,
		     const struct function_outline *after,
		     const uint32_t *renamed);
void function_alignment_release (struct function_alignment *alignment);

/* Return the pair of LOCATION; NULL if it is not a place of the old function.
 */
const struct place_pair *
function_alignment_pair (const struct function_alignment *alignment,
			 struct sample_location location);

/* Return where LOCATION is now in the same function; LOCATION itself if it is
   not a place of the old one, or moved to another one.  */
struct sample_location
function_alignment_find (const struct function_alignment *alignment,
			 struct sample_location location);

#endif /* HEAPPROF_FUNCTION_ALIGN_H */
