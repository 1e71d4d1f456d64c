/* Conversion of a raw profile's context tree to nodes of the model.
   SPDX-License-Identifier: GPL-3.0-or-later

   Almost always each raw context becomes a node of its own, which can be
   appended without a look-up.  This holds below a context that shares its node
   with no other, for an address whose outermost frame occurs in no other
   address's frames.  */

#ifndef HEAPPROF_SYMBOLIZE_TREE_H
#define HEAPPROF_SYMBOLIZE_TREE_H

#include "scratch.h"
#include "symbolize-addresses.h"
#include <stdbool.h>
#include <stdint.h>

/* Raw contexts with the frames of their addresses.  */
struct named_contexts
{
  const struct raw_profile *raw;
  const uint32_t *numbers; /* address number, by context except the root */
  const struct frame_list *const *lists; /* by address number */
  uint32_t list_count;
};

/* Add CONTEXTS to the profile of SYMBOLIZER, callers before their callees.
   Fill NODES, by context, and ORDER, the contexts in depth-first order.  MIBs
   need not be available yet.  Temporary memory comes from *SCRATCH.  Return
   false if memory is exhausted.  */
bool symbolize_tree (struct profile_symbolizer *symbolizer,
		     const struct named_contexts *contexts, uint32_t *nodes,
		     uint32_t *order, struct scratch *scratch);

#endif /* HEAPPROF_SYMBOLIZE_TREE_H */
