/* The code of a module of a machine-level profile: functions by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-code.h"
#include <stdlib.h>

static int
compare_ranges (const void *a, const void *b)
{
  const struct mip_code_range *p = a, *q = b;
  return (p->begin > q->begin) - (p->begin < q->begin);
}

static void
add (struct mip_code *code, uint64_t begin, uint64_t bytes, uint32_t function)
{
  code->ranges[code->count++]
    = (struct mip_code_range){ begin, bytes, function };
}

/* Make room for COUNT ranges.  */
static bool
allocate (struct mip_code *code, size_t count)
{
  code->ranges = calloc (count + 1, sizeof *code->ranges);
  code->count = 0;
  return code->ranges != NULL;
}

static void
sort (struct mip_code *code)
{
  qsort (code->ranges, code->count, sizeof *code->ranges, compare_ranges);
}

bool
mip_code_init (struct mip_code *code, const struct mip_profile *profile,
	       const struct mip_module *module)
{
  if (!allocate (code, 2 * (size_t) module->function_count))
    return false;
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      uint32_t index = module->first_function + i;
      const struct mip_function *function = &profile->functions[index];
      add (code, function->entry, function->code_bytes, index);
      if (function->cold != 0)
	add (code, function->cold, function->cold_bytes, index);
    }
  sort (code);
  return true;
}

bool
mip_code_init_entries (struct mip_code *code, const struct mip_profile *profile,
		       const struct mip_module *module)
{
  if (!allocate (code, module->function_count + profile->edge_count))
    return false;
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      uint32_t index = module->first_function + i;
      add (code, profile->functions[index].entry, 1, index);
    }
  for (size_t i = 0; i < profile->edge_count; i++)
    {
      const struct mip_edge *edge = &profile->edges[i];
      if (edge->counter == MIP_EDGE_THUNK
	  && edge->callee - module->first_function < module->function_count)
	add (code, edge->site, 1, edge->callee);
    }
  sort (code);
  return true;
}

void
mip_code_release (struct mip_code *code)
{
  free (code->ranges);
}

uint32_t
mip_code_find (const struct mip_code *code, uint64_t address)
{
  size_t low = 0, high = code->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (code->ranges[middle].begin <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == 0)
    return MIP_NO_FUNCTION;
  const struct mip_code_range *range = &code->ranges[low - 1];
  return address - range->begin < range->bytes ? range->function
					       : MIP_NO_FUNCTION;
}
