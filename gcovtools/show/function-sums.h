/* Sums of a function's counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUNCTION_SUMS_H
#define HEAPPROF_FUNCTION_SUMS_H

#include "counter-profile.h"
#include <stdint.h>

struct function_sums
{
  uint64_t counts; /* 0 for pseudo counts (`hot' or `warm') */
  uint64_t values[COUNTER_VALUE_KINDS];
};

/* Return the sums of FUNCTION's counters.  Sums saturate.  */
struct function_sums function_sums_of (const struct counter_function *function);

#endif /* HEAPPROF_FUNCTION_SUMS_H */
