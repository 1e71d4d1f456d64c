/* Folding recursion.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context-chain.h"
#include "raw-file.h"

void
rt_chain_set (struct rt_chain *chain, uint32_t node)
{
  const uint32_t known = chain->depth;
  uint32_t depth = rt_tree_depth (node);
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
