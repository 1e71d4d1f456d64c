/* The context tree in memory: from a node and a return address to the child.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The raw file's context records know their parents.  Here is the way down:
   16 bytes for each node, under the same index.  The children of a node form
   a ring, entered at the one that was used last.  Nodes that are made one
   after the other, as a recursion makes them, lie side by side, and so are
   found again with few cache misses.  What rings cannot hold is in a hash
   table: children beyond the sixteenth, and addresses of more than 47 bits.

   Lookups take no lock; everything that writes holds rt_raw_lock.  */

#ifndef HEAPPROF_CONTEXT_TREE_H
#define HEAPPROF_CONTEXT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of rt_tree_node.word.  */
#define RT_TREE_ADDRESS_BITS 47
#define RT_TREE_ADDRESS_MASK (((uint64_t) 1 << RT_TREE_ADDRESS_BITS) - 1)
#define RT_TREE_MORE ((uint64_t) 1 << RT_TREE_ADDRESS_BITS)
#define RT_TREE_DEPTH_SHIFT 48

struct rt_tree_node
{
  uint64_t word;    /* return address, 0 if it can no longer be
		       found or is too long; RT_TREE_MORE: the hash
		       table has children, too; depth */
  uint32_t child;   /* one of the ring of children, 0 if none */
  uint32_t sibling; /* the next in the ring that this node is in */
};

extern struct rt_tree_node *rt_tree_nodes
  __attribute__ ((visibility ("hidden")));

/* Make room for nodes.  False if there is no memory.  */
bool rt_tree_start (void);

/* Of rt_tree_find: look into the hash table.  */
uint32_t rt_tree_find_more (uint32_t parent, uintptr_t address);

/* The child of PARENT with ADDRESS, 0 if there is none.  */

static inline uint32_t
rt_tree_find (uint32_t parent, uintptr_t address)
{
  struct rt_tree_node *const nodes = rt_tree_nodes;
  struct rt_tree_node *const above = &nodes[parent];
  const uint32_t first = __atomic_load_n (&above->child, __ATOMIC_ACQUIRE);
  uint32_t node = first;
  for (unsigned steps = 0; node != 0; steps++)
    {
      const struct rt_tree_node *const at = &nodes[node];
      const uint64_t word = __atomic_load_n (&at->word, __ATOMIC_RELAXED);
      if ((word & RT_TREE_ADDRESS_MASK) == address)
	{
	  /* The first and the second are found equally well.  */
	  if (steps > 1)
	    __atomic_store_n (&above->child, node, __ATOMIC_RELEASE);
	  return node;
	}
      node = __atomic_load_n (&at->sibling, __ATOMIC_ACQUIRE);
      if (node == first)
	break;
    }
  if ((__atomic_load_n (&above->word, __ATOMIC_ACQUIRE) & RT_TREE_MORE) == 0)
    return 0;
  return rt_tree_find_more (parent, address);
}

/* Frames from the root, whose depth is 0, to NODE.  */

static inline unsigned
rt_tree_depth (uint32_t node)
{
  return (unsigned) (rt_tree_nodes[node].word >> RT_TREE_DEPTH_SHIFT);
}

/* Make sure that node NODE, the next one, can be added.  False if there is no
   room.  */
bool rt_tree_prepare (uint32_t node);

/* Add the context record NODE as a child of PARENT.  After rt_tree_prepare.  */
void rt_tree_add (uint32_t parent, uintptr_t address, uint32_t node);

/* Nodes with addresses in (START, END] are no longer found.  */
void rt_tree_purge (uintptr_t start, uintptr_t end);

/* Bytes of memory in use, COUNT being the number of nodes.  */
uint64_t rt_tree_bytes (uint32_t count);

/* Is each of the COUNT nodes, unless it was purged, found from its parent, and
   at the right depth?  For tests.  */
bool rt_tree_is_valid (uint32_t count);

#endif /* HEAPPROF_CONTEXT_TREE_H */
