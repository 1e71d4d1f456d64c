/* Walking the stack for the calling context.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_UNWIND_H
#define HEAPPROF_UNWIND_H

#include "walker.h"

/* How a walk ended.  */
enum rt_walk_end
{
  RT_WALK_OUTERMOST, /* no further caller */
  RT_WALK_TRUNCATED, /* at the requested depth */
  RT_WALK_STOPPED    /* at a frame that could not be passed */
};

/* Store the context of the frame at FRAME, a frame address of the calling
   thread, in WALKER->walk: its return address and those of its callers.  All of
   them, if they are not too many, but the context consists of the innermost
   MAX_DEPTH ones, those from walk.base on; if recursion is folded and the walk
   is complete, of all.  Return the number of outermost frames that are reused
   from the previous walk, with their nodes.  Reads only this stack, and never
   faults whatever is on it.  */
unsigned rt_unwind (struct rt_walker *walker, const void *frame,
		    unsigned max_depth);

#endif /* HEAPPROF_UNWIND_H */
