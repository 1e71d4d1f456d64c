/* Observing an attached program's blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_OBSERVE_BLOCKS_H
#define HEAPPROF_OBSERVE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* The program's allocator has returned the block DATA of SIZE bytes.  FRAME is
   the frame address of the function that the program called.  */
void rt_attach_see_allocation (void *data, size_t size, const void *frame);

/* The program is about to release the block DATA.  */
void rt_attach_see_release (const void *data);

/* The program's allocator is about to resize the block DATA.  Return its
   record, which rt_attach_see_resize takes; NULL if it has none.  */
struct rt_block *rt_attach_before_resize (const void *data);

/* The allocator has resized it, to RESULT of SIZE bytes or, if that is NULL,
   has released it.  */
void rt_attach_see_resize (struct rt_block *block, void *result, size_t size,
			   const void *frame);

/* The allocator has failed to resize it.  */
void rt_attach_keep (struct rt_block *block);

#endif /* HEAPPROF_OBSERVE_BLOCKS_H */
