/* The functions of one compilation unit by address, inlined ones included.
   SPDX-License-Identifier: GPL-3.0-or-later

   The unit's tree of debugging information entries is walked once, and every
   function body and every inlined call in it becomes a node; a lookup is then a
   binary search. libdw's own dwarf_getscopes walks the tree for every address,
   which is a thousand times slower, and loses frames.  */

#ifndef HEAPPROF_INLINE_INDEX_H
#define HEAPPROF_INLINE_INDEX_H

#include "range-map.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE_INDEX_NONE UINT32_MAX

struct function_facts;

/* Large programs have millions of nodes, so they do not store a Dwarf_Die,
   which is twice as large and only adds the unit.  */
struct inline_node
{
  void *entry; /* subprogram or inlined subroutine: the addr of its
		  Dwarf_Die */
  const struct function_facts *facts; /* for the user of the index; initially
					 NULL */
  uint32_t outer; /* node it is inlined into; INLINE_INDEX_NONE for a function's
		     own body */
};

/* All zeros is an empty index.  */
struct inline_index
{
  Dwarf_CU *unit; /* of all entries */
  struct inline_node *nodes;
  size_t count;
  size_t capacity;
  struct range_map map;
};

/* Fill INDEX from the unit whose outermost entry is UNIT.  Return false if
   memory is exhausted.  */
bool inline_index_build (struct inline_index *index, Dwarf_Die *unit);

/* Return the number of the innermost node that contains ADDRESS, or
   INLINE_INDEX_NONE.  */
uint32_t inline_index_find (const struct inline_index *index, uint64_t address);

/* Return the entry of NODE, a node of INDEX.  */
Dwarf_Die inline_index_entry (const struct inline_index *index,
			      const struct inline_node *node);

void inline_index_release (struct inline_index *index);

#endif /* HEAPPROF_INLINE_INDEX_H */
