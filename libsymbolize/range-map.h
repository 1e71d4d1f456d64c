/* Nested address ranges, flattened for search.
   SPDX-License-Identifier: GPL-3.0-or-later

   Ranges are added in any order, each with its nesting depth.  Sealing turns
   them into disjoint pieces, each with the value of the innermost range there,
   so that a lookup is one binary search.  */

#ifndef HEAPPROF_RANGE_MAP_H
#define HEAPPROF_RANGE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGE_MAP_NONE UINT32_MAX

struct range_map_entry
{
  uint64_t low;
  uint64_t high; /* after the last address */
  uint32_t depth;
  uint32_t value;
};

/* All zeros is an empty map.  */
struct range_map
{
  struct range_map_entry *entries;
  size_t count;
  size_t capacity;
};

/* Add [LOW, HIGH) with VALUE, which is not RANGE_MAP_NONE.  An empty range is
   ignored.  Return false if memory is exhausted.  */
bool range_map_add (struct range_map *map, uint64_t low, uint64_t high,
		    uint32_t depth, uint32_t value);

/* Prepare MAP for lookups; nothing may be added afterwards.  Return false if
   memory is exhausted.  */
bool range_map_seal (struct range_map *map);

/* Return the piece with ADDRESS, with the value of the innermost range there;
   NULL if there is none.  */
const struct range_map_entry *range_map_piece (const struct range_map *map,
					       uint64_t address);

/* Return the value of the innermost range with ADDRESS, or RANGE_MAP_NONE.  */
static inline uint32_t
range_map_find (const struct range_map *map, uint64_t address)
{
  const struct range_map_entry *piece = range_map_piece (map, address);
  return piece != NULL ? piece->value : RANGE_MAP_NONE;
}

void range_map_release (struct range_map *map);

#endif /* HEAPPROF_RANGE_MAP_H */
