/* The functions of one compilation unit by address, inlined ones included.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "inline-index.h"
#include <dwarf.h>
#include <stdlib.h>

/* Deeper entries are skipped: no compiler nests that deep, and a damaged file
   must not exhaust the stack.  */
#define MAX_DEPTH 1000

struct walk
{
  struct inline_index *index;
  bool is_out_of_memory;
};

void
inline_index_release (struct inline_index *index)
{
  free (index->nodes);
  index->nodes = NULL;
  index->count = 0;
  index->capacity = 0;
  range_map_release (&index->map);
}

static uint32_t
add_node (struct inline_index *index, const Dwarf_Die *die, uint32_t outer)
{
  if (index->count == index->capacity)
    {
      size_t capacity = index->capacity > 0 ? 2 * index->capacity : 16;
      if (capacity > UINT32_MAX)
	return INLINE_INDEX_NONE;
      void *grown = realloc (index->nodes, capacity * sizeof *index->nodes);
      if (grown == NULL)
	return INLINE_INDEX_NONE;
      index->nodes = grown;
      index->capacity = capacity;
    }
  index->nodes[index->count]
    = (struct inline_node){ .entry = die->addr, .outer = outer };
  return (uint32_t) index->count++;
}

/* Add a node for DIE if it has code.  Return its number, or OUTER if it has
   none.  */
static uint32_t
add_function (struct walk *walk, Dwarf_Die *die, uint32_t outer,
	      unsigned int depth)
{
  Dwarf_Addr base;
  Dwarf_Addr low;
  Dwarf_Addr high;
  ptrdiff_t offset = dwarf_ranges (die, 0, &base, &low, &high);
  if (offset <= 0)
    return outer;
  uint32_t node = add_node (walk->index, die, outer);
  walk->is_out_of_memory |= node == INLINE_INDEX_NONE;
  while (offset > 0 && !walk->is_out_of_memory)
    {
      /* A linker leaves 0 where it dropped the code.  */
      if (low != 0
	  && !range_map_add (&walk->index->map, low, high, depth, node))
	walk->is_out_of_memory = true;
      offset = dwarf_ranges (die, offset, &base, &low, &high);
    }
  return node;
}

static void walk_children (struct walk *walk, Dwarf_Die *parent, uint32_t outer,
			   unsigned int depth);

/* Visit entries that can contain functions.  A function without code of its own
   may contain one with code: a nested function whose outer function was inlined
   everywhere, or the operator () of a lambda, which GCC describes inside the
   closure's type.  */
static void
walk_entry (struct walk *walk, Dwarf_Die *die, uint32_t outer,
	    unsigned int depth)
{
  uint32_t node;
  switch (dwarf_tag (die))
    {
    case DW_TAG_subprogram:
      /* Most are declarations, whose children are parameters.  */
      if (dwarf_hasattr (die, DW_AT_declaration))
	break;
      node = add_function (walk, die, INLINE_INDEX_NONE, depth);
      if (dwarf_haschildren (die) > 0)
	walk_children (walk, die, node, depth + 1);
      break;
    case DW_TAG_inlined_subroutine:
      if (outer != INLINE_INDEX_NONE)
	walk_children (walk, die, add_function (walk, die, outer, depth),
		       depth + 1);
      break;
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
      walk_children (walk, die, outer, depth + 1);
      break;
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      walk_children (walk, die, INLINE_INDEX_NONE, depth + 1);
      break;
    default:
      break;
    }
}

static void
walk_children (struct walk *walk, Dwarf_Die *parent, uint32_t outer,
	       unsigned int depth)
{
  Dwarf_Die die;
  if (depth > MAX_DEPTH || dwarf_child (parent, &die) != 0)
    return;
  do
    walk_entry (walk, &die, outer, depth);
  while (!walk->is_out_of_memory && dwarf_siblingof (&die, &die) == 0);
}

bool
inline_index_build (struct inline_index *index, Dwarf_Die *unit)
{
  struct walk walk = { .index = index };
  index->unit = unit->cu;
  walk_children (&walk, unit, INLINE_INDEX_NONE, 0);
  return !walk.is_out_of_memory && range_map_seal (&index->map);
}

uint32_t
inline_index_find (const struct inline_index *index, uint64_t address)
{
  uint32_t node = range_map_find (&index->map, address);
  return node == RANGE_MAP_NONE ? INLINE_INDEX_NONE : node;
}

Dwarf_Die
inline_index_entry (const struct inline_index *index,
		    const struct inline_node *node)
{
  return (Dwarf_Die){ .addr = node->entry, .cu = index->unit };
}
