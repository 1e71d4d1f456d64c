/* Calling contexts: mapping walks to nodes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "context.h"
#include "context-chain.h"
#include "context-tree.h"
#include "debug-log.h"
#include "interpreted.h"
#include "invariant.h"
#include "log.h"
#include "options.h"
#include "python.h"
#include "raw-file.h"
#include "resident.h"
#include "room.h"
#include "segment.h"
#include "unwind-cfi.h"

uint32_t rt_context_changes = 1;

/* Add a child of PARENT; return 0 if there is no space.  rt_raw_lock is
   held.  */

static uint32_t
add_child (uint32_t parent, uintptr_t address)
{
  const uint32_t node = rt_tables[RT_CONTEXTS].count;
  if (!RT_HOLDS (parent < node) || !rt_room_for_node (sizeof (struct rt_node))
      || !rt_tree_prepare (node, address))
    return 0;
  struct heapprof_raw_context *const record = rt_raw_next (RT_CONTEXTS);
  if (record == NULL)
    return 0;
  record->return_address = address;
  record->parent = parent;
  record->mib = HEAPPROF_RAW_NO_INDEX;
  rt_raw_commit (RT_CONTEXTS, 1);
  rt_tree_add (parent, address, node);
  rt_resident_leave_behind (node);
  return node;
}

/* Return the node reached by the step from NODE, where the thread's walk is, to
   ADDRESS; 0 if that step is new.  */

static inline uint32_t
find_step (const struct rt_walker *walker, uint32_t node, uintptr_t address)
{
  const uint32_t known
    = rt_options.folds_recursion ? rt_chain_find (&walker->chain, address) : 0;
  return known != 0 ? known : rt_tree_find (node, address);
}

/* Record that frame LEVEL of WALK, the thread's, is at NODE.  */

static inline void
enter (struct rt_walker *walker, struct rt_walk *walk, unsigned level,
       uint32_t node)
{
  struct rt_frame *const frame = &walk->frames[level];
  frame->node = node;
  if (rt_options.folds_recursion)
    rt_chain_enter (&walker->chain, node, frame->pc);
}

/* Add the steps of WALK, the thread's, that the tree does not contain yet, from
   NODE to its frame LEVEL and on.  */

static void
add_steps (struct rt_walker *walker, struct rt_walk *walk, unsigned level,
	   uint32_t node)
{
  walk->known = level;
  if (rt_room_has_no_nodes ())
    return;
  /* Before taking the lock, as this calls the dynamic linker.  */
  for (unsigned i = level; i < walk->depth; i++)
    if (!rt_is_interpreted (walk->frames[i].pc))
      rt_segment_notice (walk->frames[i].pc);
  rt_lock (&rt_raw_lock);
  for (; level < walk->depth; level++)
    {
      const uintptr_t address = walk->frames[level].pc;
      uint32_t next = find_step (walker, node, address);
      if (next == 0)
	{
	  next = add_child (node, address);
	  RT_DEBUG (2, "context %u: caller %u, return address 0x%x",
		    (uint64_t) next, (uint64_t) node, (uint64_t) address);
	}
      if (next == 0)
	break;
      enter (walker, walk, level, next);
      node = next;
    }
  rt_unlock (&rt_raw_lock);
  walk->known = level;
}

/* Return the node that the first COUNT frames of WALK lead to.  */

static uint32_t
node_at (const struct rt_walk *walk, unsigned count)
{
  return count == walk->base ? 0 : walk->frames[count - 1].node;
}

/* Find the nodes of the frames of WALK, the thread's, the outermost COMMON of
   which have theirs already; set walk->known to the number found.  */

static void
find_nodes (struct rt_walker *walker, struct rt_walk *walk, unsigned common)
{
  uint32_t node = node_at (walk, common);
  if (rt_options.folds_recursion)
    rt_chain_set (&walker->chain, node);
  for (unsigned level = common; level < walk->depth; level++)
    {
      const uint32_t next = find_step (walker, node, walk->frames[level].pc);
      if (next == 0)
	{
	  add_steps (walker, walk, level, node);
	  return;
	}
      enter (walker, walk, level, next);
      node = next;
    }
  walk->known = walk->depth;
}

/* After folding recursion, count that, and limit the context's length: cut its
   outermost frames, like those of any other, and fold again.  */

static void
finish_folding (struct rt_walker *walker, struct rt_walk *walk)
{
  if (walker->chain.depth > rt_options.max_depth)
    {
      walk->base = walk->depth - rt_options.max_depth;
      rt_raw_count (&rt_raw_header->truncated_contexts);
      find_nodes (walker, walk, walk->base);
    }
  if (walker->chain.depth < walk->known - walk->base)
    rt_raw_count (&rt_raw_header->folded_contexts);
}

bool
rt_context_find (struct rt_walker *walker, struct rt_walk *walk,
		 unsigned common, uint32_t *node)
{
  const uint32_t now = rt_context_generation ();
  if (walk->generation != now)
    common = 0;
  walk->generation = now;
  if (common > walk->known)
    common = walk->known;
  if (common < walk->base)
    common = walk->base;
  find_nodes (walker, walk, common);
  if (rt_options.folds_recursion)
    finish_folding (walker, walk);
  *node = node_at (walk, walk->known);
  return walk->known == walk->depth;
}

void
rt_context_invalidate_walks (void)
{
  __atomic_fetch_add (&rt_context_changes, 1, __ATOMIC_ACQ_REL);
}

void
rt_context_purge (uintptr_t start, uintptr_t end)
{
  rt_tree_purge (start, end);
  rt_context_invalidate_walks ();
}

bool
rt_context_start (void)
{
  if (!rt_tree_start ())
    {
      rt_log ("out of memory for contexts; no profile is written");
      return false;
    }
  rt_room_start (rt_tree_bytes);
  rt_segment_when_gone (rt_context_purge);
  rt_segment_when_gone (rt_cfi_forget);
  rt_segment_when_gone (rt_python_forget);
  return true;
}

bool
rt_context_is_valid (void)
{
  return rt_tree_is_valid (rt_record_count (RT_CONTEXTS));
}

#if HEAPPROF_CHECKING > 0

bool
rt_walk_is_valid (const struct rt_walk *walk)
{
  if (walk->generation != rt_context_generation ())
    return true;
  if (walk->depth > RT_MAX_DEPTH || walk->known > walk->depth
      || walk->base > walk->depth)
    return false;
  for (uint32_t i = walk->base; i < walk->known; i++)
    {
      const struct rt_frame *const frame = &walk->frames[i];
      if (frame->node >= rt_record_count (RT_CONTEXTS)
	  || rt_context_at (frame->node)->return_address != frame->pc
	  || rt_context_at (frame->node)->parent != node_at (walk, i))
	return false;
    }
  return true;
}

#endif
