/* What a block needs, and writing the header of one that is far.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_PLACE_H
#define HEAPPROF_PLACE_H

#include "block.h"
#include <stdbool.h>
#include <stddef.h>

/* Blocks with at least this many bytes are far: RT_CLASS_SMALL_BYTES + 1, or 0
   once the time does not fit into headers.  */
extern size_t rt_far_bytes __attribute__ ((visibility ("hidden")));

/* What a block needs.  */
struct rt_need
{
  size_t bytes;	  /* of the slot or mapping; 0 if they are too many */
  unsigned index; /* the slot's class, RT_CLASS_LARGE for a mapping */
  bool is_far;	  /* but for one in a mapping, which always is */
};

/* Return the need of a far block of SIZE bytes aligned to ALIGNMENT in a class
   of far blocks, or mapped.  */
struct rt_need rt_need_far (size_t size, size_t alignment);

/* Return the need of a block of SIZE bytes aligned to ALIGNMENT.  */
struct rt_need rt_need_of (size_t size, size_t alignment);

/* Write the header of a far block of SIZE bytes aligned to ALIGNMENT in the
   slot or mapping that SLOT is the header of, after a redirecting header if the
   block is not at its start.  */
struct rt_block *rt_place_far (struct rt_block *slot, size_t size,
			       size_t alignment);

/* The same for a block that is not far.  */
struct rt_block *rt_place_small (struct rt_block *slot, size_t size,
				 size_t alignment);

#endif /* HEAPPROF_PLACE_H */
