/* Which statements always run together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_REGION_H
#define HEAPPROF_MERGE_REGION_H

/* True if the function may end in STATEMENT: by an exit from the program, an
   exception, a longjmp.  What follows STATEMENT must then not be counted in
   front of it, nor the reverse.  */
bool may_not_return_p (const function *fun, gimple *statement);

/* True if STATEMENT may hand a heap block to somebody who frees it, or free
   it.  An access in front of STATEMENT must be counted in front of it, unless
   the block is accessed afterwards too.  */
bool may_lose_block_p (gimple *statement);

#endif /* HEAPPROF_MERGE_REGION_H */
