/* The minimum that instrumented code needs to run and to read its counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

uintptr_t __heapprof_window_base;

void
__heapprof_init_v1 (void)
{
  if (__heapprof_window_base)
    return;
  void *counters = mmap (NULL, 1UL << 44, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (counters == MAP_FAILED)
    abort ();
  __heapprof_window_base = (uintptr_t)counters;
}

void
__heapprof_link_with_heapprof_gcc_v1 (void)
{
  __heapprof_init_v1 ();
}

static uint64_t *
counter_of (const char *address)
{
  return (uint64_t *)__heapprof_window_base + ((uintptr_t)address >> 6);
}

void
__heapprof_access_range (const void *data, size_t size)
{
  for (size_t i = 0; i < size; i += 8)
    ++*counter_of ((const char *)data + i);
}

void
__heapprof_access_stride (const void *first, ptrdiff_t step, size_t count,
			  size_t weight)
{
  for (size_t i = 0; i < count; i++)
    *counter_of ((const char *)((uintptr_t)first + i * (uintptr_t)step))
      += weight;
}

void
__heapprof_access_grid (const void *first, ptrdiff_t step, size_t count,
			size_t weight, ptrdiff_t row_step, size_t rows)
{
  for (size_t i = 0; i < rows; i++)
    __heapprof_access_stride ((const void *)((uintptr_t)first
					     + i * (uintptr_t)row_step),
			      step, count, weight);
}

/* Return a zeroed heap block of SIZE bytes at the start of a granule.  */
void *
new_block (size_t size)
{
  const size_t rounded = (size + 63) & ~(size_t)63;
  void *block = aligned_alloc (64, rounded);

  memset (block, 0, rounded);
  return block;
}

/* Return the sum of the counters of SIZE bytes at DATA, the start of a granule,
   and set the counters to 0.  */
uint64_t
take_count (const void *data, size_t size)
{
  uint64_t sum = 0;

  for (size_t i = 0; i < size; i += 64)
    {
      uint64_t *counter = counter_of ((const char *)data + i);
      sum += *counter;
      *counter = 0;
    }
  return sum;
}
