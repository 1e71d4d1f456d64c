/* Calling contexts: the table of the context tree.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context.h"
#include "raw-file.h"
#include "segment.h"
#include "sys.h"

#define FIRST_SLOTS 4096u

/* The key is in the entry, so that finding a node touches no node.  NODE is
   written last and makes the entry valid; 0 is an unused one: the root is
   nobody's child.  Entries are written once; a removed one keeps its place, as
   DEAD.  */
#define DEAD UINT32_MAX

struct entry
{
  uintptr_t address;
  uint32_t parent;
  uint32_t node;
};

struct table
{
  uint64_t slots;		/* a power of two */
  uint64_t used;		/* dead ones included */
  struct entry entries[];
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

/* The node below PARENT with ADDRESS, 0 if there is none.  */

static uint32_t
find_child (const struct table *in, uint32_t parent, uintptr_t address)
{
  for (uint64_t slot = hash_of (parent, address);; slot++)
    {
      const struct entry *const entry = &in->entries[slot & (in->slots - 1)];
      const uint32_t node = __atomic_load_n (&entry->node, __ATOMIC_ACQUIRE);
      if (node == 0)
	return 0;
      if (entry->address == address && entry->parent == parent
	  && node != DEAD)
	return node;
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
insert (struct table *in, uint32_t parent, uintptr_t address, uint32_t node)
{
  uint64_t slot = hash_of (parent, address);
  while (in->entries[slot & (in->slots - 1)].node != 0)
    slot++;
  struct entry *const entry = &in->entries[slot & (in->slots - 1)];
  entry->address = address;
  entry->parent = parent;
  __atomic_store_n (&entry->node, node, __ATOMIC_RELEASE);
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
      const struct entry *const entry = &table->entries[i];
      if (entry->node != 0 && entry->node != DEAD)
	insert (fresh, entry->parent, entry->address, entry->node);
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
  insert (table, parent, address, node);
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
  if (common < path->base)
    common = path->base;
  uint32_t node
    = common == path->base ? 0 : path->frames[common - 1].node;
  for (unsigned level = common; level < path->depth; level++)
    {
      node = child_of (node, path->frames[level].pc);
      if (node == 0)
	{
	  path->is_own = false;
	  return dropped ();
	}
      path->frames[level].node = node;
    }
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
      struct entry *const entry = &table->entries[i];
      if (entry->node != 0 && entry->address > start && entry->address <= end)
	__atomic_store_n (&entry->node, DEAD, __ATOMIC_RELEASE);
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
      const uint32_t index = table->entries[i].node;
      used += index != 0;
      if (index == 0 || index == DEAD)
	continue;
      if (index >= rt_record_count (RT_CONTEXTS))
	return false;
      const struct heapprof_raw_context *const node = rt_context_at (index);
      if (node->parent >= index
	  || find_child (table, node->parent, node->return_address) != index)
	return false;
    }
  return used == table->used && used < table->slots;
}
