/* Statements across which counts must not be moved.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_REGION_H
#define HEAPPROF_MERGE_REGION_H

/* True if the function may end in STATEMENT, because the program exits, an
   exception is thrown or longjmp is called.  Accesses after STATEMENT must then
   not be counted before it, and vice versa.  */
bool may_not_return_p (const function *fun, gimple *statement);

/* True if STATEMENT may free a heap block, or pass it to other code that frees
   it.  Accesses before STATEMENT must be counted before it, unless the block is
   accessed afterwards too.  */
bool may_lose_block_p (gimple *statement);

#endif /* HEAPPROF_MERGE_REGION_H */
