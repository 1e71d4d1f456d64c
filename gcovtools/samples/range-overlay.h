/* How often each instruction ran, from the ranges that were run through.
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

/* Add a range of code from the address FIRST to LAST, both inclusive, that ran
   COUNT times, which may be 0.  False if memory is exhausted.  */
bool range_overlay_add (struct range_overlay *overlay, uint64_t first,
			uint64_t last, uint64_t count);

/* Call VISIT with CLOSURE for every instruction of CODE in any range, by
   address, and the sum of the counts of its ranges; end when it returns false,
   and return that.  */
bool range_overlay_walk (struct range_overlay *overlay, struct code_map *code,
			 bool (*visit) (void *closure,
					const struct code_instruction *where,
					uint64_t count),
			 void *closure);

void range_overlay_release (struct range_overlay *overlay);

#endif /* HEAPPROF_RANGE_OVERLAY_H */
