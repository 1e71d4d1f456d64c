/* Folding recursion: the nodes from the root to the current position of a walk.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With folding, a step to a return address that is already in the chain leads
   back to its node, and the calls since then are omitted from the context.  So
   a chain has each address at most once: contexts of recursive code are at most
   as long as the number of calls in the program.  The innermost frame is kept,
   and each remaining frame was indeed called by its caller.  */

#ifndef HEAPPROF_CONTEXT_CHAIN_H
#define HEAPPROF_CONTEXT_CHAIN_H

#include "context-tree.h"
#include "walker.h"

/* Make CHAIN lead to NODE, keeping any common part.  */
void rt_chain_set (struct rt_chain *chain, uint32_t node);

/* Return the node of CHAIN whose address is ADDRESS, 0 if there is none.  */

static inline uint32_t
rt_chain_find (const struct rt_chain *chain, uintptr_t address)
{
  for (uint32_t i = chain->depth; i-- > 0;)
    if (chain->pcs[i] == address)
      return chain->nodes[i];
  return 0;
}

/* Return the depth of NODE if it is in CHAIN, 0 otherwise.  */

static inline uint32_t
rt_chain_place (const struct rt_chain *chain, uint32_t node)
{
  uint32_t depth = chain->depth;
  while (depth > 0 && chain->nodes[depth - 1] != node)
    depth--;
  return depth;
}

/* Extend or cut CHAIN to end at NODE, whose address is ADDRESS: a child of the
   last node, or a node of the chain.  */

static inline void
rt_chain_enter (struct rt_chain *chain, uint32_t node, uintptr_t address)
{
  const uint32_t last = chain->depth == 0 ? 0 : chain->nodes[chain->depth - 1];
  uint32_t depth = chain->depth + 1;
  if (rt_context_at (node)->parent != last)
    depth = rt_chain_place (chain, node);
  chain->nodes[depth - 1] = node;
  chain->pcs[depth - 1] = address;
  chain->depth = depth;
}

/* True if each node of CHAIN is a child of the preceding one.  With
   --enable-checking.  */
bool rt_chain_is_valid (const struct rt_chain *chain);

#endif /* HEAPPROF_CONTEXT_CHAIN_H */
