/* Execution counts of instructions, computed from executed ranges.
   SPDX-License-Identifier: GPL-3.0-or-later

   Counts change only where a range starts or ends; all instructions in between
   have the same count.  */

#include "range-overlay.h"
#include "number-sort.h"
#include <stdlib.h>

struct overlay_point
{
  uint64_t address; /* first, for sorting */
  uint64_t count;
  bool is_end; /* end of a range (exclusive) */
};

void
range_overlay_release (struct range_overlay *overlay)
{
  free (overlay->points);
  *overlay = (struct range_overlay){ 0 };
}

bool
range_overlay_add (struct range_overlay *overlay, uint64_t first, uint64_t last,
		   uint64_t count)
{
  if (overlay->count + 2 > overlay->capacity)
    {
      size_t capacity = overlay->capacity > 0 ? 2 * overlay->capacity : 256;
      void *grown
	= realloc (overlay->points, capacity * sizeof *overlay->points);
      if (grown == NULL)
	return false;
      overlay->points = grown;
      overlay->capacity = capacity;
    }
  overlay->points[overlay->count++]
    = (struct overlay_point){ first, count, false };
  overlay->points[overlay->count++]
    = (struct overlay_point){ last + 1, count, true };
  return true;
}

/* Sort the points by address.  */
static bool
sort_points (struct range_overlay *overlay)
{
  struct overlay_point *spare = malloc ((overlay->count + 1) * sizeof *spare);
  if (spare == NULL)
    return false;
  number_sort (overlay->points, spare, overlay->count, sizeof *spare);
  free (spare);
  return true;
}

bool
range_overlay_pieces (struct range_overlay *overlay,
		      bool (*visit) (void *closure, uint64_t begin,
				     uint64_t end, uint64_t count),
		      void *closure)
{
  uint64_t sum = 0;
  size_t open = 0;
  if (!sort_points (overlay))
    return false;
  for (size_t i = 0; i < overlay->count; i++)
    {
      const struct overlay_point *point = &overlay->points[i];
      sum = point->is_end ? sum - point->count : sum + point->count;
      open = point->is_end ? open - 1 : open + 1;
      if (open > 0 && point[1].address > point->address
	  && !visit (closure, point->address, point[1].address, sum))
	return false;
    }
  return true;
}

struct walk
{
  struct code_map *code;
  bool (*visit) (void *closure, const struct code_instruction *where,
		 uint64_t count);
  void *closure;
};

static bool
walk_piece (void *closure, uint64_t begin, uint64_t end, uint64_t count)
{
  const struct walk *walk = closure;
  struct code_instruction where;
  for (uint64_t at = begin; at < end && code_map_next (walk->code, at, &where)
			    && where.address < end;
       at = where.address + where.bytes)
    if (!walk->visit (walk->closure, &where, count))
      return false;
  return true;
}

bool
range_overlay_walk (struct range_overlay *overlay, struct code_map *code,
		    bool (*visit) (void *closure,
				   const struct code_instruction *where,
				   uint64_t count),
		    void *closure)
{
  struct walk walk = { code, visit, closure };
  return range_overlay_pieces (overlay, walk_piece, &walk);
}
