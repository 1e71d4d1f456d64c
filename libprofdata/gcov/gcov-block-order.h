/* The blocks of a function in source order.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC puts the condition of a loop after its body, and ends a block at a call
   that may not return.  In the source, the condition comes before the body, the
   step after it, and blocks that are executed together are one.  */

#ifndef HEAPPROF_GCOV_BLOCK_ORDER_H
#define HEAPPROF_GCOV_BLOCK_ORDER_H

#include "gcov-flow.h"
#include "gcov-notes.h"
#include <stdbool.h>
#include <stdint.h>

/* Set PLACES, one for each block of FUNCTION, to the block's place in source
   order.  Blocks separated only by a call have the same place.  Return false if
   memory is exhausted.  */
bool gcov_block_order (const struct gcov_notes_function *function,
		       const struct gcov_flow *flow, uint32_t *places);

#endif /* HEAPPROF_GCOV_BLOCK_ORDER_H */
