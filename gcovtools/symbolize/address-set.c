/* A set of addresses in address spaces, numbered in the order of insertion.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "address-set.h"
#include <stdlib.h>

#define FIRST_CAPACITY 1024

static uint32_t
first_slot (const struct address_set *set, uint32_t space, uint64_t address)
{
  uint64_t key
    = (address + ((uint64_t) space << 40)) * UINT64_C (0x9e3779b97f4a7c15);
  return (uint32_t) (key >> 32) & set->slot_mask;
}

/* Return the slot of ADDRESS in SPACE, or the free slot for it.  */
static uint32_t
find_slot (const struct address_set *set, uint32_t space, uint64_t address)
{
  uint32_t slot = first_slot (set, space, address);
  for (; set->slots[slot] != 0; slot = (slot + 1) & set->slot_mask)
    {
      const struct address_set_entry *entry
	= &set->entries[set->slots[slot] - 1];
      if (entry->address == address && entry->space == space)
	break;
    }
  return slot;
}

/* Double the capacity.  */
static bool
grow (struct address_set *set)
{
  if (set->capacity > UINT32_MAX / 8)
    return false;
  uint32_t capacity = set->capacity > 0 ? 2 * set->capacity : FIRST_CAPACITY;
  struct address_set_entry *entries
    = realloc (set->entries, capacity * sizeof *entries);
  if (entries == NULL)
    return false;
  set->entries = entries;
  uint32_t *slots = calloc (UINT64_C (4) * capacity, sizeof *slots);
  if (slots == NULL)
    return false;
  free (set->slots);
  set->slots = slots;
  set->capacity = capacity;
  set->slot_mask = 4 * capacity - 1;
  for (uint32_t i = 0; i < set->count; i++)
    slots[find_slot (set, entries[i].space, entries[i].address)] = i + 1;
  return true;
}

bool
address_set_init (struct address_set *set)
{
  *set = (struct address_set){ .count = 0 };
  return grow (set);
}

void
address_set_free (struct address_set *set)
{
  free (set->slots);
  free (set->entries);
}

uint32_t
address_set_add (struct address_set *set, uint32_t space, uint64_t address)
{
  uint32_t slot = find_slot (set, space, address);
  if (set->slots[slot] != 0)
    return set->slots[slot] - 1;
  if (set->count == set->capacity)
    {
      if (!grow (set))
	return UINT32_MAX;
      slot = find_slot (set, space, address);
    }
  set->entries[set->count] = (struct address_set_entry){ address, space };
  set->slots[slot] = ++set->count;
  return set->count - 1;
}
