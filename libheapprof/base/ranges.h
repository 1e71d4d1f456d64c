/* Sorted ranges of addresses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_RANGES_H
#define HEAPPROF_RANGES_H

#include <stdint.h>

struct rt_range
{
  uintptr_t start, end;
  uint32_t number; /* for the user */
};

/* Sort the COUNT RANGES, which do not overlap, by address, in place.  */
void rt_ranges_sort (struct rt_range *ranges, uint32_t count);

/* Return the index of the first of the sorted RANGES that ends after ADDRESS,
   COUNT if there is none.  */
uint32_t rt_ranges_find (const struct rt_range *ranges, uint32_t count,
			 uintptr_t address);

#endif /* HEAPPROF_RANGES_H */
