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

struct unit *
unit_map_add (struct unit_map *map)
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

/* Add the ranges of the newest unit.  A linker that drops a function leaves its
   range at 0 or outside the code.  */
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
unit_map_build (struct unit_map *map, Dwarf *dwarf, struct object_file *file,
		uint64_t bias)
{
  map->split_units = object_file_split_units (file);
  Dwarf_CU *cu = NULL;
  uint8_t type;
  Dwarf_Die die;
  while (dwarf_get_units (dwarf, cu, &cu, NULL, &type, &die, NULL) == 0)
    {
      if (type != DW_UT_compile && type != DW_UT_skeleton)
	continue;
      struct unit *unit = unit_map_add (map);
      if (unit == NULL || !add_ranges (map, &die, file, bias))
	return false;
      unit->die = die;
      unit->is_skeleton = type == DW_UT_skeleton;
      map->count++;
    }
  return range_map_seal (&map->map);
}

/* Index the functions of UNIT.  Only this opens its .dwo file, if it has one,
   or unpacks it: a program may have thousands.  Return false if memory is
   exhausted.  */
static bool
index_functions (const struct unit_map *map, struct unit *unit)
{
  Dwarf_Die functions = unit->die;
  Dwarf_Die split;
  if (unit->is_skeleton
      && split_units_find (map->split_units, &unit->die, &split))
    functions = split;
  else
    unit->lacks_split_part = unit->is_skeleton;
  unit->has_index = inline_index_build (&unit->index, &functions);
  if (!unit->has_index)
    inline_index_release (&unit->index);
  return unit->has_index;
}

struct unit *
unit_map_find (struct unit_map *map, uint64_t address)
{
  uint32_t number = range_map_find (&map->map, address);
  if (number == RANGE_MAP_NONE)
    return NULL;
  struct unit *unit = &map->units[number];
  return unit->has_index || index_functions (map, unit) ? unit : NULL;
}
