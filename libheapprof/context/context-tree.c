/* The context tree in memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "context-tree.h"
#include "sys.h"

#define RING_MAX 16u
#define FIRST_SLOTS 256u

/* The key is in the entry, so that finding a node touches no node.  NODE is
   written last and makes the entry valid; 0 means unused, as nothing leads to
   the root.  Entries are written once; a removed one keeps its place, as
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
  uint64_t slots; /* a power of two */
  uint64_t used;  /* dead ones included */
  struct entry entries[];
};

/* A table that became too small stays mapped: threads may be reading it.  */
static struct table *table;
static uint64_t table_bytes; /* of all tables */

static uint64_t
hash_of (uint32_t parent, uintptr_t address)
{
  uint64_t hash = (address ^ (uint64_t) parent << 40) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  hash += parent;
  hash *= 0xd6e8feb86659fd93u;
  return hash ^ hash >> 29;
}

uint32_t
rt_tree_find_more (uint32_t parent, uintptr_t address)
{
  const struct table *const in = __atomic_load_n (&table, __ATOMIC_ACQUIRE);
  for (uint64_t slot = hash_of (parent, address);; slot++)
    {
      const struct entry *const entry = &in->entries[slot & (in->slots - 1)];
      const uint32_t node = __atomic_load_n (&entry->node, __ATOMIC_ACQUIRE);
      if (node == 0)
	return 0;
      if (entry->address == address && entry->parent == parent && node != DEAD)
	return node;
    }
}

static struct table *
new_table (uint64_t slots)
{
  const size_t bytes = sizeof (struct table) + slots * sizeof (struct entry);
  struct table *const fresh = sys_map (bytes);
  if (fresh == NULL)
    return NULL;
  fresh->slots = slots;
  table_bytes += bytes;
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

/* Replace the table by one with twice the slots; return false if memory is
   exhausted.  */

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

bool
rt_tree_prepare (uint32_t node, uintptr_t address)
{
  return rt_node_prepare (node, address)
	 && (table->used < table->slots / 2 || enlarge ()
	     || table->used < table->slots / 8 * 7);
}

/* Add a table entry that leads from PARENT to NODE.  */

static void
add_more (uint32_t parent, uintptr_t address, uint32_t node)
{
  struct rt_node *const above = &rt_nodes[parent];
  insert (table, parent, address, node);
  __atomic_store_n (&above->sibling, above->sibling | RT_TREE_MORE,
		    __ATOMIC_RELEASE);
}

/* True if the ring of children that FIRST is in has its maximum number of
   members.  */

static bool
ring_is_full (uint32_t first)
{
  uint32_t at = first;
  for (unsigned members = 0; members < RING_MAX; members++)
    {
      at = rt_nodes[at].sibling & RT_TREE_NODE;
      if (at == first)
	return false;
    }
  return true;
}

void
rt_tree_add (uint32_t parent, uintptr_t address, uint32_t node)
{
  const uint32_t first = rt_link_child (rt_node_link (parent));
  if (first == 0)
    {
      rt_nodes[node].sibling = node;
      if (rt_node_relink (parent, 0, node))
	return;
    }
  /* The parent's link is to its MIB, or it has too many children.  */
  if (first == 0 || ring_is_full (first))
    {
      add_more (parent, address, node);
      return;
    }
  struct rt_node *const neighbour = &rt_nodes[first];
  rt_nodes[node].sibling = neighbour->sibling & RT_TREE_NODE;
  __atomic_store_n (&neighbour->sibling,
		    node | (neighbour->sibling & ~RT_TREE_NODE),
		    __ATOMIC_RELEASE);
}

void
rt_tree_purge (uintptr_t start, uintptr_t end)
{
  const uint32_t count = rt_record_count (RT_CONTEXTS);
  for (uint32_t i = 1; i < count; i++)
    {
      struct rt_node *const node = &rt_nodes[i];
      const uint64_t address = rt_sites[node->site];
      if (address > start && address <= end)
	__atomic_store_n (&node->sibling, node->sibling | RT_TREE_GONE,
			  __ATOMIC_RELEASE);
    }
  for (uint64_t i = 0; i < table->slots; i++)
    {
      struct entry *const entry = &table->entries[i];
      if (entry->node != 0 && entry->address > start && entry->address <= end)
	__atomic_store_n (&entry->node, DEAD, __ATOMIC_RELEASE);
    }
}

uint64_t
rt_tree_bytes (uint32_t count)
{
  return table_bytes + rt_nodes_bytes (count);
}

bool
rt_tree_start (void)
{
  table = new_table (FIRST_SLOTS);
  return table != NULL && rt_nodes_start ();
}

/* True if NODE matches its record, and is its parent's child for its address,
   unless it was purged.  */

static bool
node_is_valid (uint32_t node)
{
  const struct heapprof_raw_context *const context = rt_context_at (node);
  return context->parent < node
	 && rt_sites[rt_nodes[node].site] == context->return_address
	 && ((rt_nodes[node].sibling & RT_TREE_GONE) != 0
	     || rt_tree_find (context->parent, context->return_address)
		  == node);
}

/* True if ENTRY matches the child that it leads to.  */

static bool
entry_is_valid (const struct entry *entry)
{
  const struct heapprof_raw_context *const context
    = rt_context_at (entry->node);
  return context->return_address == entry->address
	 && context->parent == entry->parent;
}

bool
rt_tree_is_valid (uint32_t count)
{
  uint64_t used = 0;
  for (uint32_t i = 1; i < count; i++)
    if (!node_is_valid (i))
      return false;
  for (uint64_t i = 0; i < table->slots; i++)
    {
      const uint32_t node = table->entries[i].node;
      used += node != 0;
      if (node != 0 && node != DEAD
	  && (node >= count || !entry_is_valid (&table->entries[i])))
	return false;
    }
  return used == table->used && used < table->slots;
}
