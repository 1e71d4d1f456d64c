/* Sorted ranges of addresses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "ranges.h"

/* Move the range at PARENT down the heap of the first COUNT.  */

static void
sift_down (struct rt_range *ranges, uint32_t parent, uint32_t count)
{
  const struct rt_range moved = ranges[parent];
  for (uint32_t child; (child = parent * 2 + 1) < count; parent = child)
    {
      if (child + 1 < count && ranges[child].start < ranges[child + 1].start)
	child++;
      if (ranges[child].start <= moved.start)
	break;
      ranges[parent] = ranges[child];
    }
  ranges[parent] = moved;
}

void
rt_ranges_sort (struct rt_range *ranges, uint32_t count)
{
  for (uint32_t i = count / 2; i-- > 0;)
    sift_down (ranges, i, count);
  for (uint32_t last = count; last-- > 1;)
    {
      const struct rt_range greatest = ranges[0];
      ranges[0] = ranges[last];
      ranges[last] = greatest;
      sift_down (ranges, 0, last);
    }
}

uint32_t
rt_ranges_find (const struct rt_range *ranges, uint32_t count,
		uintptr_t address)
{
  uint32_t low = 0, high = count;
  while (low < high)
    {
      const uint32_t middle = low + (high - low) / 2;
      if (ranges[middle].end <= address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}
