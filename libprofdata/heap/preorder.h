/* Numbering the nodes of a context tree in preorder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PREORDER_H
#define HEAPPROF_PREORDER_H

#include "context-table.h"
#include "scratch.h"
#include <stdbool.h>
#include <stdint.h>

/* Number those of the COUNT NODES for which WANTED is true: a node after its
   caller, the callees of a node in the order of their frames' places, which are
   FRAME_PLACES [frame], all less than PLACE_COUNT, or the frames themselves if
   FRAME_PLACES is NULL.  WANTED holds for the caller of every node for which
   it holds, and for the root.  PLACES [node] gets the number, UINT32_MAX if the
   node is not wanted; NODES_AT [number] the node; both have room for COUNT.
   What is needed meanwhile is of *SCRATCH.  Return how many are numbered, 0 if
   memory cannot be had.  */
uint32_t preorder_number (const struct context_node *nodes, uint32_t count,
			  const uint32_t *frame_places, uint32_t place_count,
			  const bool *wanted, uint32_t *places,
			  uint32_t *nodes_at, struct scratch *scratch);

#endif /* HEAPPROF_PREORDER_H */
