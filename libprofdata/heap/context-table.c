/* An interned tree of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Open addressing; at most half of the slots are used.  Nodes created in
   succession are usually callers of one another, so a node is first looked up
   among the few slots of one cache line that its caller's number selects, and
   elsewhere only if these are full.  So the slots of a path are close to each
   other, and some are cached already.  Nodes are never removed, so a full line
   stays full.  */

#include "context-table.h"
#include "large-memory.h"
#include <string.h>

#define FIRST_CAPACITY 512
#define SLOTS_PER_NODE 2
#define FIRST_SLOTS (FIRST_CAPACITY * SLOTS_PER_NODE)

/* Slots per cache line, a power of two.  */
#define LINE_SLOTS 16

static uint32_t
mix (uint32_t caller, uint32_t frame)
{
  uint64_t key = (uint64_t) caller << 32 | frame;
  key *= UINT64_C (0x9e3779b97f4a7c15);
  key ^= key >> 32;
  key *= UINT64_C (0xff51afd7ed558ccd);
  return key >> 32;
}

static size_t
node_bytes (uint32_t capacity)
{
  return capacity * sizeof (struct context_node);
}

static size_t
slot_bytes (uint32_t slot_count)
{
  return slot_count * sizeof (uint32_t);
}

/* Make room for CAPACITY nodes.  */
static bool
resize_nodes (struct context_table *table, uint32_t capacity)
{
  struct context_node *nodes = large_memory_allocate (node_bytes (capacity));
  if (!nodes)
    return false;
  if (table->count > 0)
    memcpy (nodes, table->nodes, node_bytes (table->count));
  large_memory_free (table->nodes, node_bytes (table->capacity));
  table->nodes = nodes;
  table->capacity = capacity;
  return true;
}

/* Return true if SLOT is free or holds the node for FRAME below CALLER.  */
static inline bool
slot_fits (const struct context_table *table, uint32_t slot, uint32_t caller,
	   uint32_t frame)
{
  const struct context_node *node = &table->nodes[table->slots[slot]];
  return (table->slots[slot] == 0
	  || (node->caller == caller && node->frame == frame));
}

/* Return the slot of the node for FRAME below CALLER, or the free slot for
   it.  */
static uint32_t
find_slot (const struct context_table *table, uint32_t caller, uint32_t frame)
{
  uint32_t mixed = mix (caller, frame);
  uint32_t line
    = caller * SLOTS_PER_NODE & table->slot_mask & -(uint32_t) LINE_SLOTS;
  for (uint32_t i = 0; i < LINE_SLOTS; i++)
    {
      uint32_t slot = line | ((mixed + i) & (LINE_SLOTS - 1));
      if (slot_fits (table, slot, caller, frame))
	return slot;
    }
  uint32_t slot = mixed & table->slot_mask;
  while (!slot_fits (table, slot, caller, frame))
    slot = (slot + 1) & table->slot_mask;
  return slot;
}

static void
enter_node (struct context_table *table, uint32_t id)
{
  const struct context_node *node = &table->nodes[id];
  table->slots[find_slot (table, node->caller, node->frame)] = id;
}

/* Allocate SLOT_COUNT slots, a power of two, for the nodes that had slots; for
   all nodes if there were no slots.  */
static bool
resize_slots (struct context_table *table, uint32_t slot_count)
{
  uint32_t *slots = large_memory_allocate (slot_bytes (slot_count));
  if (!slots)
    return false;
  uint32_t *old = table->slots;
  uint32_t old_count = old ? table->slot_mask + 1 : 0;
  table->slots = slots;
  table->slot_mask = slot_count - 1;
  for (uint32_t i = 0; i < old_count; i++)
    if (old[i] != 0)
      enter_node (table, old[i]);
  for (uint32_t id = 1; !old && id < table->count; id++)
    enter_node (table, id);
  if (!old && table->count > 0)
    table->found_count = table->count - 1;
  large_memory_free (old, slot_bytes (old_count));
  return true;
}

/* Return the smallest power of two >= COUNT, starting from FIRST; 0 if there is
   none.  */
static uint32_t
round_up (uint32_t first, uint64_t count)
{
  uint64_t rounded = first;
  while (rounded < count)
    rounded *= 2;
  return rounded <= UINT32_MAX / 2 ? rounded : 0;
}

static bool
grow_nodes (struct context_table *table)
{
  return (table->capacity <= UINT32_MAX / 4
	  && resize_nodes (table, table->capacity * 2));
}

bool
context_table_init (struct context_table *table)
{
  *table = (struct context_table){ .count = 0 };
  if (!resize_nodes (table, FIRST_CAPACITY)
      || !resize_slots (table, FIRST_SLOTS))
    return false;
  table->nodes[0] = (struct context_node){ 0, 0 };
  table->count = 1;
  return true;
}

void
context_table_drop_slots (struct context_table *table)
{
  if (table->slots)
    large_memory_free (table->slots, slot_bytes (table->slot_mask + 1));
  table->slots = NULL;
  table->slot_mask = 0;
  table->found_count = 0;
}

void
context_table_free (struct context_table *table)
{
  context_table_drop_slots (table);
  large_memory_free (table->nodes, node_bytes (table->capacity));
}

/* Allocate slots for COUNT nodes that can be looked up.  */
static bool
reserve_slots (struct context_table *table, uint64_t count)
{
  uint32_t least = table->slots ? table->slot_mask + 1 : FIRST_SLOTS;
  uint32_t slot_count = round_up (least, count * SLOTS_PER_NODE);
  return (slot_count
	  && ((table->slots && slot_count == least)
	      || resize_slots (table, slot_count)));
}

uint32_t
context_table_add (struct context_table *table, uint32_t caller, uint32_t frame)
{
  if (!table->slots && !reserve_slots (table, table->count))
    return UINT32_MAX;
  uint32_t slot = find_slot (table, caller, frame);
  if (table->slots[slot] != 0)
    return table->slots[slot];
  if (table->found_count >= (table->slot_mask + 1) / SLOTS_PER_NODE)
    {
      if (table->slot_mask > UINT32_MAX / 4
	  || !resize_slots (table, (table->slot_mask + 1) * 2))
	return UINT32_MAX;
      slot = find_slot (table, caller, frame);
    }
  uint32_t id = context_table_append (table, caller, frame);
  if (id == UINT32_MAX)
    return UINT32_MAX;
  table->slots[slot] = id;
  table->found_count++;
  return id;
}

bool
context_table_reserve (struct context_table *table, uint64_t count)
{
  return (context_table_reserve_nodes (table, count)
	  && reserve_slots (table, count));
}

bool
context_table_reserve_nodes (struct context_table *table, uint64_t count)
{
  if (count <= table->capacity)
    return true;
  return count <= UINT32_MAX / 2 && resize_nodes (table, count);
}

uint32_t
context_table_append (struct context_table *table, uint32_t caller,
		      uint32_t frame)
{
  if (table->count == table->capacity && !grow_nodes (table))
    return UINT32_MAX;
  table->nodes[table->count] = (struct context_node){ caller, frame };
  return table->count++;
}
