/* Execution counts of instructions, computed from executed ranges.
   SPDX-License-Identifier: GPL-3.0-or-later

   Counts change only where a range starts or ends; all instructions in between
   have the same count.  */

#include "range-overlay.h"
#include <stdlib.h>

struct overlay_point
{
  uint64_t address;
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

static int
compare_points (const void *a, const void *b)
{
  const struct overlay_point *x = a;
  const struct overlay_point *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

bool
range_overlay_walk (struct range_overlay *overlay, struct code_map *code,
		    bool (*visit) (void *closure,
				   const struct code_instruction *where,
				   uint64_t count),
		    void *closure)
{
  uint64_t sum = 0;
  size_t open = 0;
  if (overlay->count > 0)
    qsort (overlay->points, overlay->count, sizeof *overlay->points,
	   compare_points);
  for (size_t i = 0; i < overlay->count; i++)
    {
      const struct overlay_point *point = &overlay->points[i];
      struct code_instruction where;
      sum = point->is_end ? sum - point->count : sum + point->count;
      open = point->is_end ? open - 1 : open + 1;
      if (open == 0 || i + 1 == overlay->count)
	continue;
      uint64_t end = point[1].address;
      for (uint64_t at = point->address;
	   at < end && code_map_next (code, at, &where) && where.address < end;
	   at = where.address + where.bytes)
	if (!visit (closure, &where, sum))
	  return false;
    }
  return true;
}
