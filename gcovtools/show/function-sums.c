/* Sums of a function's counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-sums.h"

static void
add (uint64_t *sum, uint64_t addend)
{
  if (__builtin_add_overflow (*sum, addend, sum))
    *sum = UINT64_MAX;
}

struct function_sums
function_sums_of (const struct counter_function *function)
{
  const struct counter_shape *shape = &function->shape;
  struct function_sums sums = { 0 };
  for (uint32_t i = 0; i < shape->counter_count && !shape->is_pseudo; i++)
    add (&sums.counts, function->counters[i]);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < shape->site_counts[kind]; i++)
      {
	const struct counter_value_site *site = &function->sites[kind][i];
	for (uint32_t k = 0; k < site->count; k++)
	  add (&sums.values[kind], site->values[k].count);
      }
  return sums;
}
