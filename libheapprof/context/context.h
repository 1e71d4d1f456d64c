/* Calling contexts: from return addresses to a node of the context tree.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nodes are the context records of the raw file; context-tree.h leads from one
   to its children, context-chain.h folds recursion.  Each thread remembers its
   last walk from the root, so that the tree is searched only from where a
   context differs from the previous one.  */

#ifndef HEAPPROF_CONTEXT_H
#define HEAPPROF_CONTEXT_H

#include "walker.h"

/* Increased when remembered walks become invalid.  */
extern uint32_t rt_context_changes __attribute__ ((visibility ("hidden")));

/* The current generation, never 0.  Walks remembered under another generation
   are invalid.  */
static inline uint32_t
rt_context_generation (void)
{
  return __atomic_load_n (&rt_context_changes, __ATOMIC_ACQUIRE);
}

/* Initialize the table.  False if memory is exhausted.  */
bool rt_context_start (void);

/* Find the node of the context in WALK, one of WALKER's, the outermost COMMON
   frames of which have their nodes from the previous context.  Return false,
   with *NODE set to that of the outermost frames that fit, if there is no space
   for all.  */
bool rt_context_find (struct rt_walker *walker, struct rt_walk *walk,
		      unsigned common, uint32_t *node);

/* Drop all nodes with addresses in [START, END): the module was unloaded, and
   another may be loaded there.  rt_raw_lock is held.  */
void rt_context_purge (uintptr_t start, uintptr_t end);

/* Invalidate the walks that threads remember.  */
void rt_context_invalidate_walks (void);

/* True if the tree is valid.  For tests.  */
bool rt_context_is_valid (void);

/* True if each frame of WALK that has a node has a child of the preceding
   frame's.  With --enable-checking, and without folded recursion.  */
bool rt_walk_is_valid (const struct rt_walk *walk);

#endif /* HEAPPROF_CONTEXT_H */
