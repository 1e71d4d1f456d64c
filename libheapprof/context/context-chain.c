/* Folding recursion.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context-chain.h"
#include "invariant.h"
#include "raw-file.h"

void
rt_chain_set (struct rt_chain *chain, uint32_t node)
{
  const uint32_t known = chain->depth;
  uint32_t depth = rt_chain_place (chain, node);
  if (depth > 0)
    {
      chain->depth = depth;
      return;
    }
  depth = rt_tree_depth (node);
  chain->depth = depth;
  for (; depth > 0 && (depth > known || chain->nodes[depth - 1] != node);
       depth--)
    {
      const struct heapprof_raw_context *const context = rt_context_at (node);
      chain->nodes[depth - 1] = node;
      chain->pcs[depth - 1] = context->return_address;
      node = context->parent;
    }
}

#if HEAPPROF_CHECKING > 0

bool
rt_chain_is_valid (const struct rt_chain *chain)
{
  uint32_t parent = 0;
  if (chain->depth > RT_MAX_DEPTH)
    return false;
  for (uint32_t i = 0; i < chain->depth; parent = chain->nodes[i++])
    {
      const struct heapprof_raw_context *const context
	= rt_context_at (chain->nodes[i]);
      if (chain->nodes[i] >= rt_record_count (RT_CONTEXTS)
	  || context->parent != parent
	  || context->return_address != chain->pcs[i])
	return false;
    }
  return true;
}

#endif
