/* The minimum that instrumented code needs to run and to read its counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "heapprof/abi.h"

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

void
__heapprof_init_totals_v1 (void)
{
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

/* Return the number of bytes of the library function on texts that OPERATION is,
   byte by byte.  */
static size_t
text_bytes (const char *a, const char *b, size_t limit, int stop, int operation)
{
  size_t n = 0;

  while (n < limit)
    {
      const unsigned char x = a[n], y = b ? b[n] : 0;
      n++;
      if (x == 0 && operation != HEAPPROF_TEXT_COMPARE_BYTES
	  && operation != HEAPPROF_TEXT_FIND_BYTE)
	break;
      if ((operation == HEAPPROF_TEXT_FIND
	   || operation == HEAPPROF_TEXT_FIND_BYTE)
	  && x == (unsigned char)stop)
	break;
      if ((operation == HEAPPROF_TEXT_COMPARE
	   || operation == HEAPPROF_TEXT_COMPARE_BYTES)
	  && x != y)
	break;
      if (operation == HEAPPROF_TEXT_COMPARE_FOLDED
	  && tolower (x) != tolower (y))
	break;
    }
  return n;
}

void
__heapprof_access_text (const void *a, const void *b, size_t limit, int stop,
			unsigned flags)
{
  const unsigned operation = flags & HEAPPROF_TEXT_OPERATION;
  size_t of_a, of_b = 0;

  if (a == NULL)
    return;
  switch (operation)
    {
    case HEAPPROF_TEXT_COPY:
    case HEAPPROF_TEXT_COPY_PADDED:
      of_b = text_bytes (b, NULL, limit, 0, HEAPPROF_TEXT_READ);
      of_a = operation == HEAPPROF_TEXT_COPY ? of_b : limit;
      break;
    case HEAPPROF_TEXT_APPEND:
      of_a = strlen (a) + 1;
      of_b = text_bytes (b, NULL, limit, 0, HEAPPROF_TEXT_READ);
      __heapprof_access_range ((const char *)a + of_a - 1,
			       strnlen (b, limit) + 1);
      break;
    case HEAPPROF_TEXT_SPAN:
      of_a = strspn (a, b) + 1;
      of_b = strlen (b) + 1;
      break;
    case HEAPPROF_TEXT_SPAN_NOT:
      of_a = strcspn (a, b) + 1;
      of_b = strlen (b) + 1;
      break;
    case HEAPPROF_TEXT_SEARCH:
      of_b = strlen (b) + 1;
      of_a = (strstr (a, b) ? (size_t)(strstr (a, b) - (const char *)a) + of_b - 1
	      : strlen (a) + 1);
      break;
    default:
      of_a = of_b = text_bytes (a, b, limit, stop, operation);
      break;
    }
  if (!(flags & HEAPPROF_TEXT_SKIP_A))
    __heapprof_access_range (a, of_a);
  if (b && !(flags & HEAPPROF_TEXT_SKIP_B))
    __heapprof_access_range (b, of_b);
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
