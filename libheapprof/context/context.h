/* Calling contexts: from return addresses to a node of the context tree, and
   to its MIB.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nodes are the context records of the raw file; context-tree.h leads down from
   one to its children, context-chain.h folds recursion.  Each thread remembers
   its last path from the root, so that the tree is asked only where a context
   parts from the one before.  */

#ifndef HEAPPROF_CONTEXT_H
#define HEAPPROF_CONTEXT_H

#include "thread.h"

/* Increased when remembered paths become invalid.  */
extern uint32_t rt_context_changes __attribute__ ((visibility ("hidden")));

/* Paths remembered under another generation than this, which is never 0, are
   no longer valid.  */
static inline uint32_t
rt_context_generation (void)
{
  return __atomic_load_n (&rt_context_changes, __ATOMIC_ACQUIRE);
}

/* Make the table usable.  False if there is no memory.  */
bool rt_context_start (void);

/* MIB index for the context in THREAD->path, of which the outermost COMMON
   frames have their nodes from the context before.  RT_ROOT_MIB if the file is
   full; that of a caller if the profile has no memory left.  */
uint32_t rt_context_mib (struct rt_thread *thread, unsigned common);

/* MIB index for what finds none of its own at NODE, for want of room in the
   file or under max_memory; counted.  */
uint32_t rt_context_substitute_mib (struct rt_thread *thread, uint32_t node);

/* Does max_memory allow so many MIBs more?  rt_raw_lock is held.  */
bool rt_context_may_add_mibs (uint32_t records);

/* Forget all nodes with addresses in [START, END): the module is gone, another
   may come there.  rt_raw_lock is held.  */
void rt_context_purge (uintptr_t start, uintptr_t end);

/* Threads' remembered paths are no longer valid.  */
void rt_context_invalidate_paths (void);

/* Is the tree sound?  For tests.  */
bool rt_context_is_valid (void);

#endif /* HEAPPROF_CONTEXT_H */
