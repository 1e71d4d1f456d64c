/* Access counters: adding up and clearing.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "shadow.h"
#include "abi-symbols.h"
#include "log.h"
#include "shadow-pieces.h"
#include "sys.h"
#include <string.h>

/* From here on, counters of 4 MiB, it is worth asking which pages exist.  */
#define MANY_COUNTERS 65536

uintptr_t rt_shadow_base;

void
rt_shadow_start (void)
{
  void *base = sys_map (RT_SHADOW_BYTES);
  if (base != NULL)
    sys_mark_sparse (base, RT_SHADOW_BYTES);
  else
    base = rt_shadow_pieces_start ();
  rt_shadow_base = (uintptr_t) base;
  __heapprof_shadow_base = rt_shadow_base;
  __memprof_shadow_memory_dynamic_address = rt_shadow_base;
}

static uint64_t *
counter_of (uintptr_t address)
{
  return (uint64_t *) rt_shadow_base + (address >> HEAPPROF_GRANULE_SHIFT);
}

/* Counter of the last byte of SIZE bytes at DATA; of the first if there are
   none.  */

static uint64_t *
last_counter (const void *data, size_t size)
{
  return counter_of ((uintptr_t) data + (size > 0 ? size - 1 : 0));
}

/* Add the counters from FIRST up to END to *SUM.  */

static void
add_counters (const uint64_t *first, const uint64_t *end,
	      struct rt_shadow_sum *sum)
{
  uint64_t accesses = 0, accessed = 0;
  for (const uint64_t *counter = first; counter < end; counter++)
    {
      accesses += *counter;
      accessed += *counter != 0;
    }
  sum->accesses += accesses;
  sum->accessed_granules += accessed;
}

/* The same for very many counters.  Most of a very large block may never have
   been touched; reading its counters would make the kernel map a page of zeros
   for each 32 KiB of it.  */

static void
add_existing_counters (const uint64_t *first, const uint64_t *end,
		       struct rt_shadow_sum *sum)
{
  uint64_t exists[64];
  const size_t page_counters = SYS_PAGE_BYTES / sizeof *first;
  const int fd = sys_open_page_table ();
  while (first < end)
    {
      const uintptr_t page = (uintptr_t) first & -(uintptr_t) SYS_PAGE_BYTES;
      size_t pages = ((uintptr_t) end - page + SYS_PAGE_BYTES - 1)
		     / SYS_PAGE_BYTES;
      if (pages > sizeof exists / sizeof exists[0])
	pages = sizeof exists / sizeof exists[0];
      const bool known
	= fd >= 0 && sys_pages_exist (fd, (const void *) page, pages, exists);
      for (size_t i = 0; i < pages; i++)
	{
	  const uint64_t *next
	    = (const uint64_t *) page + (i + 1) * page_counters;
	  if (next > end)
	    next = end;
	  if (!known || exists[i] != 0)
	    add_counters (first, next, sum);
	  first = next;
	}
    }
  if (fd >= 0)
    sys_close (fd);
}

struct rt_shadow_sum
rt_shadow_sum (const void *data, size_t size)
{
  const uint64_t *first = counter_of ((uintptr_t) data);
  const uint64_t *const end = last_counter (data, size) + 1;
  struct rt_shadow_sum sum = { 0, (uint64_t) (end - first), 0 };
  while (first < end)
    {
      bool exists;
      const uint64_t *const next = rt_shadow_piece_end (first, end, &exists);
      if (exists && next - first > MANY_COUNTERS)
	add_existing_counters (first, next, &sum);
      else if (exists)
	add_counters (first, next, &sum);
      first = next;
    }
  return sum;
}

/* Clear the counters from FIRST up to END, writing only where they are not 0:
   pages that do not exist stay so.  */

static void
clear_by_writing (uint64_t *first, uint64_t *end)
{
  const size_t step = SYS_PAGE_BYTES / sizeof *first;
  while (first < end)
    {
      uint64_t *const next
	= (size_t) (end - first) < step ? end : first + step;
      struct rt_shadow_sum sum = { 0, 0, 0 };
      add_counters (first, next, &sum);
      if (sum.accessed_granules != 0)
	memset (first, 0, (size_t) ((char *) next - (char *) first));
      first = next;
    }
}

/* Clear the counters from FIRST up to END; many, by giving their pages back.
   A few are likely to be used again soon.  */

static void
clear_counters (uint64_t *first, uint64_t *end)
{
  const uintptr_t page = SYS_PAGE_BYTES;
  uint64_t *const pages
    = (uint64_t *) (((uintptr_t) first + page - 1) & -page);
  uint64_t *const pages_end = (uint64_t *) ((uintptr_t) end & -page);
  if (end - first < MANY_COUNTERS)
    {
      clear_by_writing (first, end);
      return;
    }
  clear_by_writing (first, pages);
  sys_discard (pages, (size_t) ((char *) pages_end - (char *) pages));
  clear_by_writing (pages_end, end);
}

static void
clear_existing (uint64_t *first, uint64_t *end)
{
  while (first < end)
    {
      bool exists;
      uint64_t *const next
	= (uint64_t *) rt_shadow_piece_end (first, end, &exists);
      if (exists)
	clear_counters (first, next);
      first = next;
    }
}

void
rt_shadow_clear (const void *data, size_t size)
{
  uint64_t *const first = counter_of ((uintptr_t) data);
  uint64_t *const end = last_counter (data, size) + 1;
  if (end - first < 16)
    memset (first, 0, (size_t) ((char *) end - (char *) first));
  else
    clear_existing (first, end);
}

void
rt_shadow_discard (const void *data, size_t size)
{
  const uintptr_t mask = HEAPPROF_GRANULE_BYTES - 1;
  const uintptr_t start = ((uintptr_t) data + mask) & ~mask;
  const uintptr_t end = ((uintptr_t) data + size) & ~mask;
  if (start < end)
    clear_existing (counter_of (start), counter_of (end));
}

void
rt_shadow_count_range (const void *data, size_t size)
{
  /* Accesses are at START, START + 8 ... below START + 8 * LEFT.  */
  uintptr_t start = (uintptr_t) data;
  uint64_t left = size / 8 + (size % 8 != 0);
  while (left > 0)
    {
      const uint64_t room
	= HEAPPROF_GRANULE_BYTES - start % HEAPPROF_GRANULE_BYTES;
      const uint64_t fit = (room + 7) / 8;
      const uint64_t here = left < fit ? left : fit;
      *counter_of (start) += here;
      start += here * 8;
      left -= here;
    }
}
