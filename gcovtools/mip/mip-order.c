/* Function orders by first call, and their evaluation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-order.h"
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096

/* gcc's alignment of functions.  */
#define FUNCTION_ALIGNMENT 16

/* A function and its sort keys.  */
struct ranked
{
  uint32_t function;
  uint64_t runs;
  double place;
};

static int
compare_ranked (const void *a, const void *b)
{
  const struct ranked *r = a, *s = b;
  if (r->runs != s->runs)
    return r->runs > s->runs ? -1 : 1;
  if (r->place < s->place || r->place > s->place)
    return r->place < s->place ? -1 : 1;
  return r->function < s->function ? -1 : r->function > s->function;
}

/* Rank FUNCTION, which has INDEX.  Functions without a position come last.  */
static struct ranked
rank (const struct mip_function *function, uint32_t index, enum mip_order_by by)
{
  struct ranked result = { index, 0, 1e300 };
  if (by != MIP_ORDER_FIRST)
    result.runs = function->runs;
  if (function->order_least == 0)
    return result;
  result.place = by == MIP_ORDER_FIRST
		   ? (double) function->order_least
		   : (double) function->order_sum / (double) function->runs;
  return result;
}

bool
mip_order_make (const struct mip_profile *profile, enum mip_order_by by,
		uint32_t **order, size_t *count)
{
  size_t n = 0;
  struct ranked *ranked = calloc (profile->function_count + 1, sizeof *ranked);
  *order = calloc (profile->function_count + 1, sizeof **order);
  bool is_done = ranked != NULL && *order != NULL;
  for (uint32_t i = 0; is_done && i < profile->function_count; i++)
    if (profile->functions[i].runs > 0)
      ranked[n++] = rank (&profile->functions[i], i, by);
  if (is_done)
    {
      qsort (ranked, n, sizeof *ranked, compare_ranked);
      for (size_t i = 0; i < n; i++)
	(*order)[i] = ranked[i].function;
      if (by == MIP_ORDER_BP)
	is_done = mip_partition (profile, *order, n);
      else if (by == MIP_ORDER_CALLS)
	is_done = mip_cluster (profile, *order, n);
    }
  *count = n;
  free (ranked);
  return is_done;
}

/* A layout of functions, and the pages seen.  */
struct page_count
{
  const uint64_t *begin; /* by function; UINT64_MAX: not in this layout */
  uint64_t
    *seen; /* by page: number of the last trace that touched it, from 1 */
  uint64_t pages; /* number of entries in SEEN */
};

/* Return how many pages the functions of TRACE touch; NUMBER is the trace's,
   from 1.  */
static uint64_t
touch (const struct mip_profile *profile, const struct mip_trace *trace,
       uint64_t number, struct page_count *count)
{
  uint64_t touched = 0;
  for (uint32_t i = 0; i < trace->count; i++)
    {
      uint32_t index = profile->trace_data[trace->first + i];
      const struct mip_function *function = &profile->functions[index];
      if (count->begin[index] == UINT64_MAX)
	continue;
      uint64_t first = count->begin[index] / PAGE_BYTES;
      uint64_t last = (count->begin[index] + function->code_bytes) / PAGE_BYTES;
      for (uint64_t page = first; page <= last && page < count->pages; page++)
	if (count->seen[page] != number)
	  {
	    count->seen[page] = number;
	    touched++;
	  }
    }
  return touched;
}

/* Return the total size of the functions in TRACE.  */
static uint64_t
trace_bytes (const struct mip_profile *profile, const struct mip_trace *trace)
{
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < trace->count; i++)
    bytes
      += profile->functions[profile->trace_data[trace->first + i]].code_bytes;
  return bytes;
}

/* Compute two layouts: BEGINS[0] as linked, with modules one after another, and
   BEGINS[1] in the new order.  Return the end of the longer one.  */
static uint64_t
lay_out (const struct mip_profile *profile, const uint32_t *order, size_t count,
	 uint64_t *const begins[2])
{
  uint64_t base = 0, next = 0;
  for (size_t i = 0; i < profile->module_count; i++)
    {
      const struct mip_module *module = &profile->modules[i];
      uint64_t low = module->text_low & -(uint64_t) PAGE_BYTES;
      uint64_t size = module->text_high - low;
      for (uint32_t j = 0; j < module->function_count; j++)
	{
	  uint32_t index = module->first_function + j;
	  uint64_t entry = profile->functions[index].entry;
	  begins[1][index] = UINT64_MAX;
	  begins[0][index] = entry >= low && entry - low < size
			       ? base + (entry - low)
			       : UINT64_MAX;
	}
      if (module->text_high > low && size < (uint64_t) 1 << 40)
	base += (size + PAGE_BYTES) & -(uint64_t) PAGE_BYTES;
    }
  for (size_t i = 0; i < count; i++)
    {
      begins[1][order[i]] = next;
      next += profile->functions[order[i]].code_bytes;
      next = (next + FUNCTION_ALIGNMENT - 1) & -(uint64_t) FUNCTION_ALIGNMENT;
    }
  return base > next ? base : next;
}

bool
mip_order_evaluate (const struct mip_profile *profile, const uint32_t *order,
		    size_t count, struct mip_pages *pages)
{
  size_t n = profile->function_count + 1;
  uint64_t *begins[2]
    = { calloc (n, sizeof (uint64_t)), calloc (n, sizeof (uint64_t)) };
  struct page_count counts[2] = { 0 };
  bool is_done = begins[0] != NULL && begins[1] != NULL;
  *pages = (struct mip_pages){ 0 };
  if (is_done)
    {
      uint64_t end = lay_out (profile, order, count, begins);
      for (int i = 0; i < 2; i++)
	{
	  counts[i].begin = begins[i];
	  counts[i].pages = end / PAGE_BYTES + 1;
	  counts[i].seen = calloc (counts[i].pages, sizeof (uint64_t));
	  is_done = is_done && counts[i].seen != NULL;
	}
    }
  for (size_t i = 0; i < profile->trace_count && is_done; i++)
    {
      const struct mip_trace *trace = &profile->traces[i];
      double share = 1.0 / (double) profile->trace_count;
      uint64_t bytes = trace_bytes (profile, trace);
      pages->now += share * touch (profile, trace, i + 1, &counts[0]);
      pages->ordered += share * touch (profile, trace, i + 1, &counts[1]);
      pages->ideal += share * ((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
    }
  for (int i = 0; i < 2; i++)
    {
      free (begins[i]);
      free (counts[i].seen);
    }
  return is_done;
}
