/* Units of debug information that is uncompressed in part.
   SPDX-License-Identifier: GPL-3.0-or-later

   Which unit has the code at an address is in .debug_aranges.  libdw goes
   through units from the first one on, so everything before a unit is
   uncompressed with it, and all abbreviations up to its own; but the C library
   has the functions that call main in its first units.  */

#ifndef HEAPPROF_PARTIAL_UNITS_H
#define HEAPPROF_PARTIAL_UNITS_H

#include "debug-content.h"
#include "unit-map.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* All zeros, but for CONTENT and DWARF: nothing is known.  */
struct partial_units
{
  struct debug_content *content; /* NULL: everything is uncompressed */
  Dwarf *dwarf;
  bool is_big_endian;
  uint64_t units_end;	      /* of those whose headers have been read */
  uint64_t abbreviations_end; /* of those that are known to be complete */
};

/* Fill MAP, which is empty, with what .debug_aranges lists, as unit_map_build
   does.  Return false if it cannot be read or memory is exhausted.  */
bool partial_units_list (struct partial_units *partial, struct unit_map *map,
			 const struct object_file *file, uint64_t bias);

/* Make the unit of MAP that has ADDRESS ready for unit_map_find.  Return false
   if there is none, or more than parts is needed to tell.  */
bool partial_units_reach (struct partial_units *partial, struct unit_map *map,
			  uint64_t address);

#endif /* HEAPPROF_PARTIAL_UNITS_H */
