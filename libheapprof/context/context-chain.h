/* Folding recursion: the nodes from the root to where a walk has come.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With folding, a step to a return address that the chain has already leads
   back to the node that has it, and what was called since then is left out of
   the context.  So a chain has each address at most once: contexts of recursive
   code are no longer than the program has calls.  What remains of a stack
   keeps its innermost frame, and each frame is still one that its caller
   called.  */

#ifndef HEAPPROF_CONTEXT_CHAIN_H
#define HEAPPROF_CONTEXT_CHAIN_H

#include "context-tree.h"
#include "walker.h"

/* Make CHAIN that of NODE.  What it has of it already stays.  */
void rt_chain_set (struct rt_chain *chain, uint32_t node);

/* The node of CHAIN whose address is ADDRESS, 0 if there is none.  */

static inline uint32_t
rt_chain_find (const struct rt_chain *chain, uintptr_t address)
{
  for (uint32_t i = chain->depth; i-- > 0;)
    if (chain->pcs[i] == address)
      return chain->nodes[i];
  return 0;
}

/* Go on to NODE, whose address is ADDRESS: a child of the last node, or in the
   chain itself.  */

static inline void
rt_chain_enter (struct rt_chain *chain, uint32_t node, uintptr_t address)
{
  const unsigned depth = rt_tree_depth (node);
  chain->nodes[depth - 1] = node;
  chain->pcs[depth - 1] = address;
  chain->depth = depth;
}

/* Is each node of CHAIN a child of the one before it?  With
   --enable-checking.  */
bool rt_chain_is_valid (const struct rt_chain *chain);

#endif /* HEAPPROF_CONTEXT_CHAIN_H */
