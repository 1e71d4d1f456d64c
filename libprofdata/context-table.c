/* A tree of calling contexts, interned.
   SPDX-License-Identifier: GPL-3.0-or-later

   Open addressing with linear probing; at most half of the slots are used.  */

#include "context-table.h"
#include <stdlib.h>

#define FIRST_CAPACITY 512

static uint32_t
first_slot (const struct context_table *table, uint32_t caller, uint32_t frame)
{
  uint64_t key = (uint64_t) caller << 32 | frame;
  key *= UINT64_C (0x9e3779b97f4a7c15);
  key ^= key >> 32;
  key *= UINT64_C (0xff51afd7ed558ccd);
  return (uint32_t) (key >> 32) & table->slot_mask;
}

/* Make room for CAPACITY nodes, a power of two, and twice as many slots.  */
static bool
resize (struct context_table *table, uint32_t capacity)
{
  struct context_node *nodes = realloc (table->nodes,
					capacity * sizeof *nodes);
  if (!nodes)
    return false;
  table->nodes = nodes;
  uint32_t *slots = calloc (capacity * UINT64_C (2), sizeof *slots);
  if (!slots)
    return false;
  free (table->slots);
  table->slots = slots;
  table->capacity = capacity;
  table->slot_mask = capacity * 2 - 1;
  for (uint32_t id = 1; id < table->count; id++)
    {
      uint32_t slot = first_slot (table, nodes[id].caller, nodes[id].frame);
      while (slots[slot] != 0)
	slot = (slot + 1) & table->slot_mask;
      slots[slot] = id;
    }
  return true;
}

/* Double the room.  */
static bool
grow (struct context_table *table)
{
  if (table->capacity > UINT32_MAX / 4)
    return false;
  return resize (table, table->capacity ? table->capacity * 2
					: FIRST_CAPACITY);
}

bool
context_table_init (struct context_table *table)
{
  *table = (struct context_table) { .count = 0 };
  if (!grow (table))
    return false;
  table->nodes[0] = (struct context_node) { 0, 0 };
  table->count = 1;
  return true;
}

void
context_table_free (struct context_table *table)
{
  free (table->slots);
  free (table->nodes);
}

uint32_t
context_table_add (struct context_table *table, uint32_t caller,
		   uint32_t frame)
{
  uint32_t slot = first_slot (table, caller, frame);
  for (; table->slots[slot] != 0; slot = (slot + 1) & table->slot_mask)
    {
      uint32_t id = table->slots[slot];
      if (table->nodes[id].caller == caller && table->nodes[id].frame == frame)
	return id;
    }
  if (table->count == table->capacity)
    {
      if (!grow (table))
	return UINT32_MAX;
      slot = first_slot (table, caller, frame);
      while (table->slots[slot] != 0)
	slot = (slot + 1) & table->slot_mask;
    }
  table->nodes[table->count] = (struct context_node) { caller, frame };
  table->slots[slot] = table->count;
  return table->count++;
}

bool
context_table_reserve (struct context_table *table, uint64_t count)
{
  uint64_t capacity = table->capacity;
  while (capacity < count)
    capacity *= 2;
  if (capacity > UINT32_MAX / 2)
    return false;
  return capacity == table->capacity || resize (table, capacity);
}

uint32_t
context_table_append (struct context_table *table, uint32_t caller,
		      uint32_t frame)
{
  if (table->count == table->capacity && !grow (table))
    return UINT32_MAX;
  table->nodes[table->count] = (struct context_node) { caller, frame };
  return table->count++;
}
