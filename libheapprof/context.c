/* Calling contexts: paths to nodes and MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context.h"
#include "context-tree.h"
#include "raw-file.h"
#include "segment.h"

/* Increased when remembered paths become invalid.  Never 0.  */
static uint32_t generation = 1;

/* Add the step from PARENT to ADDRESS unless another thread just did.  Return
   where it leads, 0 if there is no room.  rt_raw_lock is held.  */

static uint32_t
add_step (uint32_t parent, uintptr_t address)
{
  uint32_t node = rt_tree_find (parent, address);
  if (node != 0)
    return node;
  node = rt_record_count (RT_CONTEXTS);
  if (!rt_tree_prepare (node))
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

/* Take the steps along PATH that the tree does not know yet, from its frame
   LEVEL on.  */

static void
add_steps (struct rt_path *path, unsigned level, uint32_t node)
{
  /* Before the lock is taken: asks the dynamic linker.  */
  for (unsigned i = level; i < path->depth; i++)
    rt_segment_notice (path->frames[i].pc);
  rt_lock (&rt_raw_lock);
  for (; level < path->depth; level++)
    {
      node = add_step (node, path->frames[level].pc);
      if (node == 0)
	break;
      path->frames[level].node = node;
    }
  rt_unlock (&rt_raw_lock);
  path->known = level;
}

/* Find the nodes of PATH's frames, of which the outermost COMMON have theirs;
   path->known says how far that worked.  */

static void
find_nodes (struct rt_path *path, unsigned common)
{
  uint32_t node
    = common == path->base ? 0 : path->frames[common - 1].node;
  for (unsigned level = common; level < path->depth; level++)
    {
      const uint32_t next = rt_tree_find (node, path->frames[level].pc);
      if (next == 0)
	{
	  add_steps (path, level, node);
	  return;
	}
      path->frames[level].node = node = next;
    }
  path->known = path->depth;
}

/* Give NODE a MIB; that of the root if there is no room.  */

static uint32_t
add_mib (uint32_t node)
{
  struct heapprof_raw_context *const context = rt_context_at (node);
  rt_lock (&rt_raw_lock);
  uint32_t mib = context->mib;
  struct heapprof_raw_mib *record;
  if (mib == HEAPPROF_RAW_NO_INDEX
      && (record = rt_raw_next (RT_MIBS)) != NULL)
    {
      mib = rt_tables[RT_MIBS].count;
      record->context = node;
      rt_raw_commit (RT_MIBS, 1);
      __atomic_store_n (&context->mib, mib, __ATOMIC_RELEASE);
    }
  rt_unlock (&rt_raw_lock);
  return mib;
}

static uint32_t
dropped (void)
{
  rt_raw_count (&rt_raw_header->dropped_contexts);
  return RT_ROOT_MIB;
}

uint32_t
rt_context_mib (struct rt_thread *thread, unsigned common)
{
  struct rt_path *const path = &thread->path;
  const uint32_t now = __atomic_load_n (&generation, __ATOMIC_ACQUIRE);
  if (path->generation != now)
    common = 0;
  path->generation = now;
  if (common > path->known)
    common = path->known;
  if (common < path->base)
    common = path->base;
  find_nodes (path, common);
  if (path->known < path->depth)
    return dropped ();
  const uint32_t node
    = path->depth == path->base ? 0 : path->frames[path->depth - 1].node;
  uint32_t mib = __atomic_load_n (&rt_context_at (node)->mib,
				  __ATOMIC_ACQUIRE);
  if (mib == HEAPPROF_RAW_NO_INDEX)
    mib = add_mib (node);
  return mib != HEAPPROF_RAW_NO_INDEX ? mib : dropped ();
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
  __atomic_fetch_add (&generation, 1, __ATOMIC_ACQ_REL);
}

bool
rt_context_start (void)
{
  return rt_tree_start ();
}

bool
rt_context_is_valid (void)
{
  return rt_tree_is_valid (rt_record_count (RT_CONTEXTS));
}
