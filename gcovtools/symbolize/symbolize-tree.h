/* The contexts of a raw profile of libheapprof to nodes of the model.
   SPDX-License-Identifier: GPL-3.0-or-later

   The contexts are a tree already, in which almost always a context of its own
   becomes a node of its own: then no node need be looked for.  That is so below
   a context which shares its node with no other, for an address of which the
   outermost frame is in the frames of no other address.  */

#ifndef HEAPPROF_SYMBOLIZE_TREE_H
#define HEAPPROF_SYMBOLIZE_TREE_H

#include "scratch.h"
#include "symbolize-addresses.h"
#include <stdbool.h>
#include <stdint.h>

/* What contexts are called.  */
struct named_contexts
{
  const struct raw_profile *raw;
  const uint32_t *numbers; /* by context but the root: of its address */
  const struct frame_list *const *lists; /* by number of the address */
  uint32_t list_count;
};

/* Add CONTEXTS to the profile of SYMBOLIZER, callers before their callees. Fill
   NODES, by context, and ORDER, the contexts in the order of a walk over the
   tree that goes to the callees of each before anything else.  Nobody need know
   the MIBs yet.  What is needed meanwhile is of *SCRATCH.  False if memory is
   exhausted.  */
bool symbolize_tree (struct profile_symbolizer *symbolizer,
		     const struct named_contexts *contexts, uint32_t *nodes,
		     uint32_t *order, struct scratch *scratch);

#endif /* HEAPPROF_SYMBOLIZE_TREE_H */
