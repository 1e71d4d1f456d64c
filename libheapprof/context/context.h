/* Calling contexts: from return addresses to a node of the context tree.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nodes are the context records of the raw file; context-tree.h leads down from
   one to its children, context-chain.h folds recursion.  Each thread remembers
   its last walk from the root, so that the tree is asked only where a context
   parts from the one before.  */

#ifndef HEAPPROF_CONTEXT_H
#define HEAPPROF_CONTEXT_H

#include "walker.h"

/* Increased when remembered walks become invalid.  */
extern uint32_t rt_context_changes __attribute__ ((visibility ("hidden")));

/* Walks remembered under another generation than this, which is never 0, are
   no longer valid.  */
static inline uint32_t
rt_context_generation (void)
{
  return __atomic_load_n (&rt_context_changes, __ATOMIC_ACQUIRE);
}

/* Make the table usable.  False if there is no memory.  */
bool rt_context_start (void);

/* Find the node of the context in WALKER->walk, of which the outermost COMMON
   frames have their nodes from the context before.  False, and *NODE is that of
   the outermost frames for which there is room, if there is none for all.  */
bool rt_context_find (struct rt_walker *walker, unsigned common,
		      uint32_t *node);

/* Forget all nodes with addresses in [START, END): the module is gone, another
   may come there.  rt_raw_lock is held.  */
void rt_context_purge (uintptr_t start, uintptr_t end);

/* Threads' remembered walks are no longer valid.  */
void rt_context_invalidate_walks (void);

/* Is the tree sound?  For tests.  */
bool rt_context_is_valid (void);

/* Does each frame of WALK that has a node have a child of the one before?  With
   --enable-checking, and without folded recursion.  */
bool rt_walk_is_valid (const struct rt_walk *walk);

#endif /* HEAPPROF_CONTEXT_H */
