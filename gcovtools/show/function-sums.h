/* What the counters of a function add up to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUNCTION_SUMS_H
#define HEAPPROF_FUNCTION_SUMS_H

#include "counter-profile.h"
#include <stdint.h>

struct function_sums
{
  uint64_t counts; /* 0 if `hot' or `warm' stands in their place */
  uint64_t values[COUNTER_VALUE_KINDS];
};

/* The sums of FUNCTION, each of which stops at the greatest number.  */
struct function_sums function_sums_of (const struct counter_function *function);

#endif /* HEAPPROF_FUNCTION_SUMS_H */
