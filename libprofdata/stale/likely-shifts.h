/* By how many lines code was likely moved.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_LIKELY_SHIFTS_H
#define HEAPPROF_LIKELY_SHIFTS_H

#include "function-outline.h"
#include <stdbool.h>
#include <stddef.h>

/* Most shifts that likely_shifts returns.  */
#define LIKELY_SHIFTS_MOST 32

struct likely_shifts
{
  int shifts[LIKELY_SHIFTS_MOST];
  size_t count;
};

/* Find the numbers of lines by which most of the N PLACES are moved to a line
   of AFTER from LOW to HIGH that has code: the best come first.  Return false
   if memory is exhausted.  */
bool likely_shifts_find (struct likely_shifts *shifts,
			 const struct sample_location *places, size_t n,
			 const struct function_outline *after, int low,
			 int high);

#endif /* HEAPPROF_LIKELY_SHIFTS_H */
