/* The functions of one compilation unit by address, inlined ones included.
   SPDX-License-Identifier: GPL-3.0-or-later

   The unit's tree of debugging information entries is walked once, and every
   function body and every inlined call in it becomes a node; a look-up is then
   a binary search.  libdw's own dwarf_getscopes walks the tree for every
   address, which is a thousand times slower, and loses frames.  */

#ifndef HEAPPROF_INLINE_INDEX_H
#define HEAPPROF_INLINE_INDEX_H

#include "range-map.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE_INDEX_NONE UINT32_MAX

struct inline_node
{
  Dwarf_Die die;		/* subprogram or inlined subroutine */
  uint32_t outer;		/* node it is inlined into; INLINE_INDEX_NONE
				   for a function's own body */
};

/* All zero is an empty index.  */
struct inline_index
{
  struct inline_node *nodes;
  size_t count;
  size_t capacity;
  struct range_map map;
};

/* Fill INDEX from the unit whose outermost entry is UNIT.  False if memory is
   exhausted.  */
bool inline_index_build (struct inline_index *index, Dwarf_Die *unit);

/* Number of the innermost node with ADDRESS, or INLINE_INDEX_NONE.  */
uint32_t inline_index_find (const struct inline_index *index,
			    uint64_t address);

void inline_index_release (struct inline_index *index);

#endif /* HEAPPROF_INLINE_INDEX_H */
