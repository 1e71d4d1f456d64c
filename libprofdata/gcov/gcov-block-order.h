/* The blocks of a function in the order in which its source has them.
   SPDX-License-Identifier: GPL-3.0-or-later

   gcc puts the condition of a loop behind its body, and ends a block at a call
   that may not return.  Neither is so in the source: the condition comes before
   the body, the step behind it, and what is executed in one go is one.  */

#ifndef HEAPPROF_GCOV_BLOCK_ORDER_H
#define HEAPPROF_GCOV_BLOCK_ORDER_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include <stdbool.h>
#include <stdint.h>

/* Set PLACES, one for each block of FUNCTION, to where it stands in that order.
   Blocks that only a call parts have the same place.  False if memory cannot be
   had.  */
bool gcov_block_order (const struct gcov_notes_function *function,
		       const struct gcov_flow *flow, uint32_t *places);

#endif /* HEAPPROF_GCOV_BLOCK_ORDER_H */
