/* Preorder numbering of the nodes of a context tree.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PREORDER_H
#define HEAPPROF_PREORDER_H

#include "context-table.h"
#include "scratch.h"
#include <stdbool.h>
#include <stdint.h>

/* Number those of the COUNT NODES for which WANTED is true: a node after its
   caller, and the callees of a node in the order of FRAME_PLACES [frame], all
   less than PLACE_COUNT, or of the frames themselves if FRAME_PLACES is NULL.
   WANTED must be true for the root and for the caller of every wanted node.
   PLACES [node] gets the number, UINT32_MAX if the node is not wanted; NODES_AT
   [number] gets the node; both have COUNT elements.  Temporary memory comes
   from *SCRATCH.  Return the number of numbered nodes, 0 if memory is
   exhausted.  */
uint32_t preorder_number (const struct context_node *nodes, uint32_t count,
			  const uint32_t *frame_places, uint32_t place_count,
			  const bool *wanted, uint32_t *places,
			  uint32_t *nodes_at, struct scratch *scratch);

#endif /* HEAPPROF_PREORDER_H */
