/* The contexts of a raw profile of libheapprof to nodes of the model.
   SPDX-License-Identifier: GPL-3.0-or-later

   The contexts are a tree already, in which almost always a context of its own
   becomes a node of its own: then no node need be looked for.  That is so below
   a context which shares its node with no other, for an address of which the
   outermost frame is in the frames of no other address.  */

#ifndef HEAPPROF_SYMBOLIZE_TREE_H
#define HEAPPROF_SYMBOLIZE_TREE_H

#include "symbolize-addresses.h"
#include <stdbool.h>
#include <stdint.h>

/* What contexts are called.  */
struct named_contexts
{
  const struct raw_profile *raw;
  const uint32_t *numbers;	/* by context but the root: of its address */
  const struct frame_list *const *lists; /* by number of the address */
  uint32_t list_count;
};

/* Called with each context, and its node in the model.  False ends all.  */
typedef bool tree_visitor (void *data, uint32_t context, uint32_t node);

/* Add CONTEXTS to the profile of SYMBOLIZER, callers before their callees, and
   VISIT them.  False if memory is exhausted or VISIT said so.  */
bool symbolize_tree (struct profile_symbolizer *symbolizer,
		     const struct named_contexts *contexts,
		     tree_visitor *visit, void *data);

#endif /* HEAPPROF_SYMBOLIZE_TREE_H */
