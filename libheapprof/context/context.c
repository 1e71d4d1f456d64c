/* Calling contexts: paths to nodes and MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context.h"
#include "context-chain.h"
#include "context-tree.h"
#include "log.h"
#include "mib-table.h"
#include "options.h"
#include "raw-file.h"
#include "segment.h"

uint32_t rt_context_changes = 1;

/* Option max_memory: no more nodes or MIBs are added.  Set with rt_raw_lock
   held, for good.  */
static bool nodes_are_limited;
static bool mibs_are_limited;

/* What a MIB takes at most: its sums may outgrow it at any time, and are to
   stay exact.  */
#define MIB_BYTES (sizeof (struct heapprof_raw_mib)			      \
		   + sizeof (struct heapprof_raw_wide))

/* Bytes that the profile takes or may come to take, in memory and in the
   file.  */

static uint64_t
bytes_in_use (void)
{
  const uint32_t nodes = rt_tables[RT_CONTEXTS].count;
  return HEAPPROF_RAW_HEADER_BYTES + rt_tree_bytes (nodes)
	 + (uint64_t) nodes * sizeof (struct heapprof_raw_context)
	 + (uint64_t) rt_tables[RT_MIBS].count * MIB_BYTES
	 + (uint64_t) rt_tables[RT_SEGMENTS].count
	   * sizeof (struct heapprof_raw_segment)
	 + rt_tables[RT_STRINGS].count;
}

/* May the profile take BYTES more?  If not, *IS_LIMITED is set.  The last
   eighth is for MIBs of nodes that exist.  rt_raw_lock is held.  */

static bool
may_add (uint64_t bytes, bool is_mib, bool *is_limited)
{
  const uint64_t limit = rt_options.max_memory;
  if (limit == 0 || bytes_in_use () + bytes <= limit - (is_mib ? 0 : limit / 8))
    return true;
  __atomic_store_n (is_limited, true, __ATOMIC_RELAXED);
  return false;
}

static bool
is_set (const bool *flag)
{
  return __atomic_load_n (flag, __ATOMIC_RELAXED);
}

/* Add a child of PARENT, 0 if there is no room.  rt_raw_lock is held.  */

static uint32_t
add_child (uint32_t parent, uintptr_t address)
{
  const uint32_t node = rt_tables[RT_CONTEXTS].count;
  if (!may_add (sizeof (struct heapprof_raw_context)
		+ sizeof (struct rt_tree_node), false, &nodes_are_limited)
      || !rt_tree_prepare (node))
    return 0;
  struct heapprof_raw_context *const record = rt_raw_next (RT_CONTEXTS);
  if (record == NULL)
    return 0;
  record->return_address = address;
  record->parent = parent;
  record->mib = HEAPPROF_RAW_NO_INDEX;
  rt_raw_commit (RT_CONTEXTS, 1);
  rt_tree_add (parent, address, node);
  return node;
}

/* Where the step from NODE, to which the thread's path leads, to ADDRESS leads;
   0 if it was never taken.  */

static inline uint32_t
find_step (const struct rt_thread *thread, uint32_t node, uintptr_t address)
{
  const uint32_t known
    = rt_options.folds_recursion ? rt_chain_find (&thread->chain, address) : 0;
  return known != 0 ? known : rt_tree_find (node, address);
}

/* The thread's frame LEVEL is at NODE.  */

static inline void
enter (struct rt_thread *thread, unsigned level, uint32_t node)
{
  struct rt_frame *const frame = &thread->path.frames[level];
  frame->node = node;
  if (rt_options.folds_recursion)
    rt_chain_enter (&thread->chain, node, frame->pc);
}

/* Take the steps along the thread's path that the tree does not know yet, from
   NODE to its frame LEVEL and on.  */

static void
add_steps (struct rt_thread *thread, unsigned level, uint32_t node)
{
  struct rt_path *const path = &thread->path;
  path->known = level;
  if (is_set (&nodes_are_limited))
    return;
  /* Before the lock is taken: asks the dynamic linker.  */
  for (unsigned i = level; i < path->depth; i++)
    rt_segment_notice (path->frames[i].pc);
  rt_lock (&rt_raw_lock);
  for (; level < path->depth; level++)
    {
      const uintptr_t address = path->frames[level].pc;
      uint32_t next = find_step (thread, node, address);
      if (next == 0)
	next = add_child (node, address);
      if (next == 0)
	break;
      enter (thread, level, next);
      node = next;
    }
  rt_unlock (&rt_raw_lock);
  path->known = level;
}

/* The node that the first COUNT frames of PATH lead to.  */

static uint32_t
node_at (const struct rt_path *path, unsigned count)
{
  return count == path->base ? 0 : path->frames[count - 1].node;
}

/* Find the nodes of the frames of the thread's path, of which the outermost
   COMMON have theirs; path->known says how far that worked.  */

static void
find_nodes (struct rt_thread *thread, unsigned common)
{
  struct rt_path *const path = &thread->path;
  uint32_t node = node_at (path, common);
  if (rt_options.folds_recursion)
    rt_chain_set (&thread->chain, node);
  for (unsigned level = common; level < path->depth; level++)
    {
      const uint32_t next = find_step (thread, node, path->frames[level].pc);
      if (next == 0)
	{
	  add_steps (thread, level, node);
	  return;
	}
      enter (thread, level, next);
      node = next;
    }
  path->known = path->depth;
}

/* Recursion was folded: count that, and see to it that the context is not
   longer than wanted.  Then its outermost frames are cut, like those of any
   other, and it is folded again.  */

static void
finish_folding (struct rt_thread *thread)
{
  struct rt_path *const path = &thread->path;
  if (thread->chain.depth > rt_options.max_depth)
    {
      path->base = path->depth - rt_options.max_depth;
      rt_raw_count (&rt_raw_header->truncated_contexts);
      find_nodes (thread, path->base);
    }
  if (thread->chain.depth < path->known - path->base)
    rt_raw_count (&rt_raw_header->folded_contexts);
}

bool
rt_context_may_add_mibs (uint32_t records)
{
  return !is_set (&mibs_are_limited)
	 && may_add (records * MIB_BYTES, true, &mibs_are_limited);
}

/* Of what may not have a MIB of its own: that of NODE, or of the first of its
   callers that the thread has one of, or the root's.  */

static uint32_t
pruned (struct rt_thread *thread, uint32_t node)
{
  uint32_t mib = HEAPPROF_RAW_NO_INDEX;
  rt_raw_count (&rt_raw_header->pruned_contexts);
  for (; node != 0 && mib == HEAPPROF_RAW_NO_INDEX;
       node = rt_context_at (node)->parent)
    mib = rt_mib_for_context (thread, node);
  return mib != HEAPPROF_RAW_NO_INDEX ? mib : RT_ROOT_MIB;
}

uint32_t
rt_context_substitute_mib (struct rt_thread *thread, uint32_t node)
{
  if (is_set (&nodes_are_limited) || is_set (&mibs_are_limited))
    return pruned (thread, node);
  rt_raw_count (&rt_raw_header->dropped_contexts);
  return RT_ROOT_MIB;
}

uint32_t
rt_context_mib (struct rt_thread *thread, unsigned common)
{
  struct rt_path *const path = &thread->path;
  const uint32_t now = rt_context_generation ();
  if (path->generation != now)
    common = 0;
  path->generation = now;
  if (common > path->known)
    common = path->known;
  if (common < path->base)
    common = path->base;
  find_nodes (thread, common);
  if (rt_options.folds_recursion)
    finish_folding (thread);
  const uint32_t node = node_at (path, path->known);
  const uint32_t mib = path->known < path->depth
		       ? HEAPPROF_RAW_NO_INDEX
		       : rt_mib_for_context (thread, node);
  return mib != HEAPPROF_RAW_NO_INDEX
	 ? mib : rt_context_substitute_mib (thread, node);
}

void
rt_context_purge (uintptr_t start, uintptr_t end)
{
  rt_tree_purge (start, end);
  rt_context_invalidate_paths ();
}

void
rt_context_invalidate_paths (void)
{
  __atomic_fetch_add (&rt_context_changes, 1, __ATOMIC_ACQ_REL);
}

bool
rt_context_start (void)
{
  if (rt_tree_start ())
    return true;
  rt_log ("no memory for calling contexts; no profile is written");
  return false;
}

bool
rt_context_is_valid (void)
{
  return rt_tree_is_valid (rt_record_count (RT_CONTEXTS));
}
