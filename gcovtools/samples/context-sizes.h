/* Sizes of machine code by calling context.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function has a size of its own in each function that it is inlined into,
   and one where it is not inlined.  */

#ifndef HEAPPROF_CONTEXT_SIZES_H
#define HEAPPROF_CONTEXT_SIZES_H

#include "call-tree.h"
#include "sampled-functions.h"
#include "stack-unwinder.h"
#include <stdbool.h>
#include <stdint.h>

/* A tree of callers: the children of a node are the functions that it is
   inlined into.  */
struct context_sizes
{
  struct call_tree tree;
};

/* Begin without sizes, with names of PROFILE.  Return false if memory is
   exhausted.  */
bool context_sizes_open (struct context_sizes *sizes,
			 struct sample_profile *profile);
void context_sizes_close (struct context_sizes *sizes);

/* Add the functions of the current image of FUNCTIONS that STACKS came through,
   with what is inlined into them.  Return false if memory is exhausted.  */
bool context_sizes_add (struct context_sizes *sizes,
			const struct sampled_functions *functions,
			const struct stack_counts *stacks);

/* Return how many bytes of code the function of NODE has in its context; in the
   most callers that are known, or in any others.  */
uint32_t context_sizes_find (const struct context_sizes *sizes,
			     const struct call_node *node);

#endif /* HEAPPROF_CONTEXT_SIZES_H */
