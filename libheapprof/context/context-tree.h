/* The context tree in memory: from a node and a return address to the child.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The nodes (node.h) point to children.  Those of a node form a ring, entered
   at the most recently used one.  Nodes created one after another, as by a
   recursion, are adjacent, and so are found again with few cache misses.  A
   hash table holds the rest: children beyond the sixteenth, and all those of a
   node whose link is to its MIB.

   Lookups take no lock; all writers hold rt_raw_lock.  */

#ifndef HEAPPROF_CONTEXT_TREE_H
#define HEAPPROF_CONTEXT_TREE_H

#include "node.h"
#include "raw-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of rt_node.sibling besides the number of a node.  */
#define RT_TREE_NODE 0x3fffffffu
#define RT_TREE_MORE 0x40000000u /* there are children in the hash table */
#define RT_TREE_GONE 0x80000000u /* this node cannot be found any more */

/* Allocate the tables.  False if memory is exhausted.  */
bool rt_tree_start (void);

/* Part of rt_tree_find: look in the hash table.  */
uint32_t rt_tree_find_more (uint32_t parent, uintptr_t address);

/* Return the child of PARENT with ADDRESS, 0 if there is none.  */

static inline uint32_t
rt_tree_find (uint32_t parent, uintptr_t address)
{
  struct rt_node *const nodes = rt_nodes;
  const uint64_t *const sites = rt_sites;
  struct rt_node *const above = &nodes[parent];
  const uint32_t first
    = rt_link_child (__atomic_load_n (&above->link, __ATOMIC_ACQUIRE));
  uint32_t node = first;
  for (unsigned steps = 0; node != 0; steps++)
    {
      const uint32_t next
	= __atomic_load_n (&nodes[node].sibling, __ATOMIC_ACQUIRE);
      if (sites[nodes[node].site] == address && (next & RT_TREE_GONE) == 0)
	{
	  /* The first and the second are found equally fast.  */
	  if (steps > 1)
	    __atomic_store_n (&above->link, node, __ATOMIC_RELEASE);
	  return node;
	}
      node = next & RT_TREE_NODE;
      if (node == first)
	break;
    }
  if ((__atomic_load_n (&above->sibling, __ATOMIC_ACQUIRE) & RT_TREE_MORE) == 0)
    return 0;
  return rt_tree_find_more (parent, address);
}

/* Return the number of frames from the root, whose depth is 0, to NODE.  */

static inline unsigned
rt_tree_depth (uint32_t node)
{
  unsigned depth = 0;
  for (; node != 0; node = rt_context_at (node)->parent)
    depth++;
  return depth;
}

/* Prepare for adding NODE, the next node, for ADDRESS.  False if there is no
   space.  */
bool rt_tree_prepare (uint32_t node, uintptr_t address);

/* Add the context record NODE as a child of PARENT.  Call rt_tree_prepare
   first.  */
void rt_tree_add (uint32_t parent, uintptr_t address, uint32_t node);

/* Make nodes with addresses in (START, END] unfindable.  */
void rt_tree_purge (uintptr_t start, uintptr_t end);

/* Return the bytes of memory in use for COUNT nodes and the tables.  */
uint64_t rt_tree_bytes (uint32_t count);

/* True if each of the COUNT nodes that was not purged is found from its parent.
   For tests.  */
bool rt_tree_is_valid (uint32_t count);

#endif /* HEAPPROF_CONTEXT_TREE_H */
