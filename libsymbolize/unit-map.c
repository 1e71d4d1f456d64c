/* The compilation units of one file by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "unit-map.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

void
unit_map_release (struct unit_map *map)
{
  for (size_t i = 0; i < map->count; i++)
    inline_index_release (&map->units[i].index);
  free (map->units);
  map->units = NULL;
  map->count = 0;
  map->capacity = 0;
  range_map_release (&map->map);
}

static struct unit *
add_unit (struct unit_map *map)
{
  if (map->count == map->capacity)
    {
      size_t capacity = map->capacity > 0 ? 2 * map->capacity : 16;
      if (capacity > UINT32_MAX)
	return NULL;
      void *grown = realloc (map->units, capacity * sizeof *map->units);
      if (grown == NULL)
	return NULL;
      map->units = grown;
      map->capacity = capacity;
    }
  struct unit *unit = &map->units[map->count];
  memset (unit, 0, sizeof *unit);
  return unit;
}

/* Add the ranges of the newest unit.  A linker that drops a function leaves a
   range at 0 or outside the code behind.  */
static bool
add_ranges (struct unit_map *map, Dwarf_Die *die,
	    const struct object_file *file, uint64_t bias)
{
  Dwarf_Addr base;
  Dwarf_Addr low;
  Dwarf_Addr high;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges (die, offset, &base, &low, &high)) > 0)
    {
      if (low == 0 || !object_file_is_code (file, low + bias))
	continue;
      if (!range_map_add (&map->map, low, high, 0, (uint32_t) map->count))
	return false;
    }
  return true;
}

bool
unit_map_build (struct unit_map *map, Dwarf *dwarf,
		const struct object_file *file, uint64_t bias)
{
  Dwarf_CU *cu = NULL;
  uint8_t type;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units (dwarf, cu, &cu, NULL, &type, &die, &split) == 0)
    {
      if (type != DW_UT_compile && type != DW_UT_skeleton)
	continue;
      struct unit *unit = add_unit (map);
      if (unit == NULL || !add_ranges (map, &die, file, bias))
	return false;
      bool has_split_part = type == DW_UT_skeleton && split.addr != NULL;
      unit->die = die;
      unit->functions = has_split_part ? split : die;
      unit->lacks_split_part = type == DW_UT_skeleton && !has_split_part;
      map->count++;
    }
  return range_map_seal (&map->map);
}

struct unit *
unit_map_find (struct unit_map *map, uint64_t address)
{
  uint32_t number = range_map_find (&map->map, address);
  if (number == RANGE_MAP_NONE)
    return NULL;
  struct unit *unit = &map->units[number];
  if (!unit->has_index)
    {
      if (!inline_index_build (&unit->index, &unit->functions))
	{
	  inline_index_release (&unit->index);
	  return NULL;
	}
      unit->has_index = true;
    }
  return unit;
}
