/* The compilation units of one file by address.
   SPDX-License-Identifier: GPL-3.0-or-later

   The map is built from the units' own ranges.  The section meant for this,
   .debug_aranges, is not used: GNU ld leaves an empty range in it for a
   discarded function, and libdw stops reading there.  */

#ifndef HEAPPROF_UNIT_MAP_H
#define HEAPPROF_UNIT_MAP_H

#include "inline-index.h"
#include "object-file.h"
#include "range-map.h"
#include "split-units.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit
{
  uint64_t offset;	 /* set by partial_units_list alone */
  Dwarf_Die die;	 /* has the line table */
  bool is_skeleton;	 /* the functions are in a .dwo file */
  bool lacks_split_part; /* that file was not found */
  bool has_index;
  struct inline_index index; /* of the functions, built on first use */
};

/* All zeros is an empty map.  */
struct unit_map
{
  struct unit *units;
  size_t count;
  size_t capacity;
  struct range_map map;
  struct split_units *split_units; /* may be NULL */
};

/* Return room for a unit, zeroed, behind the last of MAP, which does not count
   it yet; NULL if memory is exhausted.  */
struct unit *unit_map_add (struct unit_map *map);

/* Fill MAP with the units of DWARF, the debug information of FILE, whose
   addresses are BIAS less than FILE's.  Return false if memory is
   exhausted.  */
bool unit_map_build (struct unit_map *map, Dwarf *dwarf,
		     struct object_file *file, uint64_t bias);

/* Return the unit with ADDRESS, its functions indexed; NULL if there is none or
   memory is exhausted.  */
struct unit *unit_map_find (struct unit_map *map, uint64_t address);

void unit_map_release (struct unit_map *map);

#endif /* HEAPPROF_UNIT_MAP_H */
