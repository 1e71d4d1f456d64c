/* The code ranges of functions in the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-ranges.h"
#include <elfutils/libdw.h>
#include <stdlib.h>

#define FIRST_SLOTS 256

/* The ranges of a function, with or without those of its variants.  */
struct known_ranges
{
  const struct inline_node *node; /* NULL: the slot is free */
  bool has_variants;
  size_t first; /* among all */
  size_t count;
};

void
function_ranges_release (struct function_ranges *ranges)
{
  free (ranges->ranges);
  free (ranges->known);
  *ranges = (struct function_ranges){ 0 };
}

/* ---- Reading them.  */

static bool
add_range (struct function_ranges *ranges, uint64_t start, uint64_t end)
{
  if (ranges->count == ranges->capacity)
    {
      size_t capacity = ranges->count > 0 ? 2 * ranges->count : 16;
      void *grown = realloc (ranges->ranges, capacity * sizeof *ranges->ranges);
      if (grown == NULL)
	return false;
      ranges->ranges = grown;
      ranges->capacity = capacity;
    }
  ranges->ranges[ranges->count++] = (struct symbolizer_range){ start, end };
  return true;
}

/* Add the ranges of the entry of NODE in UNIT.  */
static bool
add_ranges (struct function_ranges *ranges, const struct unit *unit,
	    const struct inline_node *node, uint64_t bias)
{
  Dwarf_Die die = inline_index_entry (&unit->index, node);
  Dwarf_Addr base;
  Dwarf_Addr low;
  Dwarf_Addr high;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges (&die, offset, &base, &low, &high)) > 0)
    if (low != 0 && low < high && !add_range (ranges, low + bias, high + bias))
      return false;
  return true;
}

/* The same for the other functions of UNIT with the same facts as NODE.  */
static bool
add_variants (struct function_ranges *ranges,
	      struct function_facts_store *facts, struct unit *unit,
	      const struct inline_node *node, uint64_t bias)
{
  for (size_t i = 0; i < unit->index.count; i++)
    {
      struct inline_node *other = &unit->index.nodes[i];
      if (other->outer != INLINE_INDEX_NONE)
	continue;
      Dwarf_Die die = inline_index_entry (&unit->index, other);
      if (other->facts == NULL)
	other->facts = function_facts_find (facts, &die);
      if (other->facts == NULL
	  || (other != node && other->facts == node->facts
	      && !add_ranges (ranges, unit, other, bias)))
	return false;
    }
  return true;
}

/* ---- Remembering them.  */

/* Return the slot of NODE, or the free one for it.  */
static struct known_ranges *
find_slot (const struct function_ranges *ranges, const struct inline_node *node,
	   bool has_variants)
{
  uint64_t key = ((uint64_t) (uintptr_t) node + has_variants)
		 * UINT64_C (0x9e3779b97f4a7c15);
  size_t mask = ranges->slot_count - 1;
  for (size_t slot = key >> 32 & mask;; slot = (slot + 1) & mask)
    {
      struct known_ranges *known = &ranges->known[slot];
      if (known->node == NULL
	  || (known->node == node && known->has_variants == has_variants))
	return known;
    }
}

static bool
grow (struct function_ranges *ranges)
{
  struct known_ranges *old = ranges->known;
  size_t count = ranges->slot_count;
  size_t slot_count = count > 0 ? 2 * count : FIRST_SLOTS;
  struct known_ranges *known = calloc (slot_count, sizeof *known);
  if (known == NULL)
    return false;
  ranges->known = known;
  ranges->slot_count = slot_count;
  for (size_t i = 0; i < count; i++)
    if (old[i].node != NULL)
      *find_slot (ranges, old[i].node, old[i].has_variants) = old[i];
  free (old);
  return true;
}

bool
function_ranges_find (struct function_ranges *ranges,
		      struct function_facts_store *facts, struct unit *unit,
		      const struct inline_node *node, uint64_t bias,
		      bool has_variants, struct symbolizer_function *function)
{
  if (ranges->known_count >= ranges->slot_count / 2 && !grow (ranges))
    return false;
  struct known_ranges *known = find_slot (ranges, node, has_variants);
  if (known->node == NULL)
    {
      size_t first = ranges->count;
      if (!add_ranges (ranges, unit, node, bias)
	  || (has_variants && !add_variants (ranges, facts, unit, node, bias)))
	{
	  ranges->count = first;
	  return false;
	}
      *known = (struct known_ranges){ node, has_variants, first,
				      ranges->count - first };
      ranges->known_count++;
    }
  function->range_count = known->count;
  function->ranges
    = known->count > 0 ? &ranges->ranges[known->first] : ranges->ranges;
  return true;
}
