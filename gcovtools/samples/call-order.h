/* An order of the functions of a profile in which callers come first.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CALL_ORDER_H
#define HEAPPROF_CALL_ORDER_H

#include "call-tree.h"
#include <stdint.h>

/* Return the names of all functions in TREE, *COUNT of them, malloced.
   Functions come before those they call, except in circles of calls, where
   frequent calls decide; calls of at most COLD times do not count unless that
   is 0.  NULL if memory is exhausted.  */
uint32_t *call_order_make (struct call_tree *tree, uint64_t cold,
			   uint32_t *count);

/* Return how often NODE, which has samples, was called from its parent.  */
uint64_t context_call_count (const struct call_node *node);

#endif /* HEAPPROF_CALL_ORDER_H */
