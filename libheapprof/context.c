/* Calling contexts: the table of the context tree.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context.h"
#include "raw-file.h"
#include "segment.h"
#include "sys.h"

#define FIRST_SLOTS 4096u

/* An entry is 0 if unused, else the upper half of the hash and the node's
   index, never 0: the root is nobody's child.  Entries are written once; a
   removed one keeps its place, as DEAD.  */
#define DEAD UINT64_MAX

struct table
{
  uint64_t slots;		/* a power of two */
  uint64_t used;		/* dead ones included */
  uint64_t entries[];
};

/* A table that became too small stays mapped: threads may be reading it.  */
static struct table *table;

/* Increased when remembered paths become invalid.  Never 0.  */
static uint32_t generation = 1;

static uint64_t
hash_of (uint32_t parent, uintptr_t address)
{
  uint64_t hash = (address ^ (uint64_t) parent << 40) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  hash += parent;
  hash *= 0xd6e8feb86659fd93u;
  return hash ^ hash >> 29;
}

static uint64_t
make_entry (uint64_t hash, uint32_t node)
{
  return (hash & 0xffffffff00000000u) | node;
}

/* The node below PARENT with ADDRESS, 0 if there is none.  */

static uint32_t
find_child (const struct table *in, uint32_t parent, uintptr_t address)
{
  const uint64_t hash = hash_of (parent, address);
  for (uint64_t slot = hash;; slot++)
    {
      const uint64_t entry
	= __atomic_load_n (&in->entries[slot & (in->slots - 1)],
			   __ATOMIC_ACQUIRE);
      if (entry == 0)
	return 0;
      if (entry == DEAD || (entry ^ hash) >> 32 != 0)
	continue;
      const struct heapprof_raw_context *const node
	= rt_context_at ((uint32_t) entry);
      if (node->parent == parent && node->return_address == address)
	return (uint32_t) entry;
    }
}

static struct table *
new_table (uint64_t slots)
{
  struct table *const fresh
    = sys_map (sizeof *fresh + slots * sizeof fresh->entries[0]);
  if (fresh != NULL)
    fresh->slots = slots;
  return fresh;
}

static void
insert (struct table *in, uint64_t hash, uint32_t node)
{
  uint64_t slot = hash;
  while (in->entries[slot & (in->slots - 1)] != 0)
    slot++;
  __atomic_store_n (&in->entries[slot & (in->slots - 1)],
		    make_entry (hash, node), __ATOMIC_RELEASE);
  in->used++;
}

/* Replace the table by one of twice the slots; false if there is no memory.
   rt_raw_lock is held, as for everything that writes.  */

static bool
enlarge (void)
{
  struct table *const fresh = new_table (table->slots * 2);
  if (fresh == NULL)
    return false;
  for (uint64_t i = 0; i < table->slots; i++)
    {
      const uint64_t entry = table->entries[i];
      if (entry == 0 || entry == DEAD)
	continue;
      const struct heapprof_raw_context *const node
	= rt_context_at ((uint32_t) entry);
      insert (fresh, hash_of (node->parent, node->return_address),
	      (uint32_t) entry);
    }
  __atomic_store_n (&table, fresh, __ATOMIC_RELEASE);
  return true;
}

/* Add a child unless another thread just did; 0 if there is no room.  */

static uint32_t
add_child_locked (uint32_t parent, uintptr_t address)
{
  uint32_t node = find_child (table, parent, address);
  if (node != 0)
    return node;
  if (table->used >= table->slots / 2 && !enlarge ()
      && table->used >= table->slots / 8 * 7)
    return 0;
  struct heapprof_raw_context *const record = rt_raw_next (RT_CONTEXTS);
  if (record == NULL)
    return 0;
  node = rt_tables[RT_CONTEXTS].count;
  record->return_address = address;
  record->parent = parent;
  record->mib = HEAPPROF_RAW_NO_INDEX;
  rt_raw_commit (RT_CONTEXTS, 1);
  insert (table, hash_of (parent, address), node);
  return node;
}

static uint32_t
child_of (uint32_t parent, uintptr_t address)
{
  const uint32_t node
    = find_child (__atomic_load_n (&table, __ATOMIC_ACQUIRE), parent, address);
  if (__builtin_expect (node != 0, 1))
    return node;
  /* Before the lock is taken: asks the dynamic linker.  */
  rt_segment_notice (address);
  rt_lock (&rt_raw_lock);
  const uint32_t added = add_child_locked (parent, address);
  rt_unlock (&rt_raw_lock);
  return added;
}

/* How many frames, from the outermost, WALK of DEPTH has in common with
   PATH.  */

static unsigned
common_frames (const struct rt_path *path, const uintptr_t *walk,
	       unsigned depth)
{
  if (path->generation != __atomic_load_n (&generation, __ATOMIC_ACQUIRE))
    return 0;
  const unsigned limit = depth < path->depth ? depth : path->depth;
  unsigned common = 0;
  while (common < limit && path->address[common] == walk[depth - 1 - common])
    common++;
  return common;
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
rt_context_mib (struct rt_thread *thread, unsigned depth)
{
  struct rt_path *const path = &thread->path;
  const uint32_t now = __atomic_load_n (&generation, __ATOMIC_ACQUIRE);
  unsigned level = common_frames (path, thread->walk, depth);
  uint32_t node = level == 0 ? 0 : path->node[level - 1];
  path->generation = now;
  for (; level < depth; level++)
    {
      const uintptr_t address = thread->walk[depth - 1 - level];
      const uint32_t child = child_of (node, address);
      if (child == 0)
	{
	  path->depth = level;
	  return dropped ();
	}
      path->address[level] = address;
      path->node[level] = child;
      node = child;
    }
  path->depth = depth;
  uint32_t mib = __atomic_load_n (&rt_context_at (node)->mib,
				  __ATOMIC_ACQUIRE);
  if (mib == HEAPPROF_RAW_NO_INDEX)
    mib = add_mib (node);
  return mib != HEAPPROF_RAW_NO_INDEX ? mib : dropped ();
}

void
rt_context_purge (uintptr_t start, uintptr_t end)
{
  for (uint64_t i = 0; i < table->slots; i++)
    {
      const uint64_t entry = table->entries[i];
      if (entry == 0 || entry == DEAD)
	continue;
      const uintptr_t address
	= rt_context_at ((uint32_t) entry)->return_address;
      if (address > start && address <= end)
	__atomic_store_n (&table->entries[i], DEAD, __ATOMIC_RELEASE);
    }
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
  table = new_table (FIRST_SLOTS);
  return table != NULL;
}

bool
rt_context_is_valid (void)
{
  uint64_t used = 0;
  for (uint64_t i = 0; i < table->slots; i++)
    {
      const uint64_t entry = table->entries[i];
      used += entry != 0;
      if (entry == 0 || entry == DEAD)
	continue;
      const uint32_t index = (uint32_t) entry;
      if (index >= rt_record_count (RT_CONTEXTS))
	return false;
      const struct heapprof_raw_context *const node = rt_context_at (index);
      if (node->parent >= index
	  || find_child (table, node->parent, node->return_address) != index)
	return false;
    }
  return used == table->used && used < table->slots;
}
