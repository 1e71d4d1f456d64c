/* The blocks of an attached program: a table by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   In an attached program blocks belong to the program's own allocator, and have
   no header of ours.  What a header would say is in a record of this table.
   Only blocks that were allocated since the library was attached have one, so a
   release that is missed, or a pointer that was allocated before, costs a count
   but never the program.

   The table implements the parts of arena.h that deal with all blocks.  None of
   these functions may be called in a signal handler that interrupted the
   library.  */

#ifndef HEAPPROF_BLOCK_TABLE_H
#define HEAPPROF_BLOCK_TABLE_H

#include "block.h"

/* Return a record for the block at DATA, to be filled in and added or dropped.
   NULL if memory is exhausted.  It keeps its address until it is dropped.  */
struct rt_block *rt_noted_make (const void *data, size_t size);

/* Add BLOCK to the table.  If the table has a record for the same address,
   whose release was missed, remove and return that one; otherwise NULL.  */
struct rt_block *rt_noted_add (struct rt_block *block);

/* Remove and return the record of the block at DATA; NULL if there is none.  */
struct rt_block *rt_noted_take (const void *data);

/* Give a record back that is not in the table.  */
void rt_noted_drop (struct rt_block *block);

/* Remove all records, while no thread uses any.  */
void rt_noted_forget (void);

#endif /* HEAPPROF_BLOCK_TABLE_H */
