/* Execution counts of instructions, computed from executed ranges.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RANGE_OVERLAY_H
#define HEAPPROF_RANGE_OVERLAY_H

#include "code-map.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct overlay_point;

/* All zeros is empty.  */
struct range_overlay
{
  struct overlay_point *points;
  size_t count;
  size_t capacity;
};

/* Add the range of code from address FIRST to LAST, both inclusive, executed
   COUNT times, which may be 0.  Return false if memory is exhausted.  */
bool range_overlay_add (struct range_overlay *overlay, uint64_t first,
			uint64_t last, uint64_t count);

/* Call VISIT with CLOSURE for every piece of code in any range, from BEGIN to
   END, exclusive, in address order, with the sum of the counts of its ranges.
   Stop and return false if VISIT does, or memory is exhausted.  */
bool range_overlay_pieces (struct range_overlay *overlay,
			   bool (*visit) (void *closure, uint64_t begin,
					  uint64_t end, uint64_t count),
			   void *closure);

/* The same for every instruction of CODE.  */
bool range_overlay_walk (struct range_overlay *overlay, struct code_map *code,
			 bool (*visit) (void *closure,
					const struct code_instruction *where,
					uint64_t count),
			 void *closure);

void range_overlay_release (struct range_overlay *overlay);

#endif /* HEAPPROF_RANGE_OVERLAY_H */
