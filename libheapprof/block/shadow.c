/* Summing and clearing access counters.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "shadow.h"
#include "abi-symbols.h"
#include "bytes.h"
#include "log.h"
#include "shadow-pieces.h"
#include "shadow-sink.h"
#include "sys.h"
#include <elf.h>

/* Most blocks have no more counters than this; one loop handles them.  The sums
   stay in registers until complete.  Adding them up in the structure, word by
   word, and then copying that with vectors costs 5 ns: such a load waits until
   the preceding stores are done.  */
#define FEW_COUNTERS 16

#define PAGE_COUNTERS ((ptrdiff_t) (SYS_PAGE_BYTES / HEAPPROF_COUNTER_BYTES))

/* Counters are cleared in steps of this many, if one of them is nonzero.  */
#define STEP_COUNTERS 64

/* From MANY_COUNTERS on (counters of 1 MiB) it is worth asking which pages
   exist; from VERY_MANY_COUNTERS on (4 MiB) it is worth giving them back.  */
#define MANY_COUNTERS 16384
#define VERY_MANY_COUNTERS 65536

uintptr_t __heapprof_shadow_base;
uintptr_t __heapprof_window_base;
uintptr_t __memprof_shadow_memory_dynamic_address;

uintptr_t rt_shadow_base;
size_t rt_shadow_few;
uintptr_t rt_shadow_second;
uintptr_t rt_shadow_lowest = UINTPTR_MAX, rt_shadow_highest;
void (*rt_shadow_discard_also) (const void *data, size_t size);

#if MACHINE_HAS_FIXED_ADDRESS_BITS

static void
measure_address_space (void)
{}

#else

uint64_t rt_shadow_bytes;

/* The kernel puts the program's name at the upper end of the first stack, which
   is at that of the address space.  */

static void
measure_address_space (void)
{
  const uintptr_t highest = sys_auxiliary (AT_EXECFN);
  const unsigned bits = highest == 0 ? MACHINE_ADDRESS_BITS
				     : 64 - (unsigned) __builtin_clzl (highest);
  rt_shadow_bytes
    = ((uint64_t) 1 << bits) / HEAPPROF_GRANULE_BYTES * HEAPPROF_COUNTER_BYTES;
}

#endif

void
rt_shadow_start (void)
{
  measure_address_space ();
  void *base = sys_map (RT_SHADOW_BYTES);
  if (base != NULL)
    {
      sys_mark_sparse (base, RT_SHADOW_BYTES);
      rt_shadow_few = FEW_COUNTERS;
    }
  else
    base = rt_shadow_pieces_start ();
  rt_shadow_base = (uintptr_t) base;
}

void
rt_shadow_publish (void)
{
  __heapprof_shadow_base = rt_shadow_base;
  __heapprof_window_base = rt_shadow_base;
  __memprof_shadow_memory_dynamic_address = rt_shadow_base;
}

static uint64_t *
counter_of (uintptr_t address)
{
  return (uint64_t *) rt_shadow_base + (address >> HEAPPROF_GRANULE_SHIFT);
}

/* Return the counter of the last byte of SIZE bytes at DATA; of the first if
   SIZE is 0.  */

static uint64_t *
last_counter (const void *data, size_t size)
{
  return counter_of ((uintptr_t) data + (size > 0 ? size - 1 : 0));
}

/* What to do with counters after adding them up.  */
enum after
{
  KEEP,
  CLEAR
};

/* Add the counters from FIRST up to END to *SUM.  Only nonzero counters are
   written, so that missing pages stay missing.  */

static void
add_counters (uint64_t *first, uint64_t *end, enum after after,
	      struct rt_shadow_sum *sum)
{
  while (first < end)
    {
      uint64_t *const next
	= end - first < STEP_COUNTERS ? end : first + STEP_COUNTERS;
      uint64_t accesses = 0, accessed = 0;
      for (const uint64_t *counter = first; counter < next; counter++)
	{
	  accesses += *counter;
	  accessed += *counter != 0;
	}
      sum->accesses += accesses;
      sum->accessed_granules += accessed;
      if (after == CLEAR && accessed != 0)
	own_memset (first, 0, (size_t) ((char *) next - (char *) first));
      first = next;
    }
}

/* Add very many counters.  Most of a very large block may never have been
   touched; reading its counters would make the kernel map a page of zeros for
   each 32 KiB of it.  */

static void
add_existing_counters (uint64_t *first, uint64_t *end, enum after after,
		       struct rt_shadow_sum *sum)
{
  const uintptr_t page = SYS_PAGE_BYTES;
  const uintptr_t last_page = ((uintptr_t) end + page - 1) & -page;
  const int fd = sys_open_page_table ();
  for (uintptr_t at = (uintptr_t) first & -page; at < last_page;)
    {
      const struct sys_run run = sys_find_pages (fd, at, last_page);
      uint64_t *const run_start = (uint64_t *) run.start;
      uint64_t *const run_end = (uint64_t *) run.end;
      add_counters (run_start < first ? first : run_start,
		    run_end > end ? end : run_end, after, sum);
      at = run.end;
    }
  if (fd >= 0)
    sys_close (fd);
}

/* Give the whole pages between FIRST and END back to the kernel.  Return the
   first of them, and store their end in *PAGES_END.  */

static uint64_t *
give_pages_back (uint64_t *first, uint64_t *end, uint64_t **pages_end)
{
  const uintptr_t page = SYS_PAGE_BYTES;
  uint64_t *const pages = (uint64_t *) (((uintptr_t) first + page - 1) & -page);
  *pages_end = (uint64_t *) ((uintptr_t) end & -page);
  sys_discard (pages, (size_t) ((char *) *pages_end - (char *) pages));
  return pages;
}

/* Add the counters from FIRST up to END, whether mapped piece by piece or
   not.  */

static void
add_all (uint64_t *first, uint64_t *end, enum after after,
	 struct rt_shadow_sum *sum)
{
  while (first < end)
    {
      bool exists;
      uint64_t *const next
	= (uint64_t *) rt_shadow_piece_end (first, end, &exists);
      if (exists && next - first < MANY_COUNTERS)
	add_counters (first, next, after, sum);
      else if (exists)
	{
	  add_existing_counters (first, next, after, sum);
	  uint64_t *pages_end;
	  if (after == CLEAR && next - first >= VERY_MANY_COUNTERS)
	    give_pages_back (first, next, &pages_end);
	}
      first = next;
    }
}

struct rt_shadow_sum
rt_shadow_sum (const void *data, size_t size)
{
  uint64_t *const first = counter_of ((uintptr_t) data);
  uint64_t *const end = last_counter (data, size) + 1;
  struct rt_shadow_sum sum = { 0, (uint64_t) (end - first), 0 };
  add_all (first, end, KEEP, &sum);
  return sum;
}

/* rt_shadow_take for many counters, or for a shadow in pieces.  */

struct rt_shadow_sum
rt_shadow_take_many (const void *data, size_t size)
{
  uint64_t *const first = counter_of ((uintptr_t) data);
  uint64_t *const end = last_counter (data, size) + 1;
  struct rt_shadow_sum sum = { 0, (uint64_t) (end - first), 0 };
  add_all (first, end, CLEAR, &sum);
  return sum;
}

/* Clear the counters from FIRST up to END, which exist, without reading more
   than two pages of them.  */

static void
forget_counters (uint64_t *first, uint64_t *end)
{
  struct rt_shadow_sum sum = { 0, 0, 0 };
  uint64_t *pages = first, *pages_end = first;
  if (end - first >= 2 * PAGE_COUNTERS)
    pages = give_pages_back (first, end, &pages_end);
  add_counters (first, pages, CLEAR, &sum);
  add_counters (pages_end, end, CLEAR, &sum);
}

void
rt_shadow_discard_second (uintptr_t start, uintptr_t end)
{
  const uintptr_t page = SYS_PAGE_BYTES;
  if (rt_shadow_second == 0 || start >= end)
    return;
  const uintptr_t first = (rt_shadow_second_counter (start) + page - 1) & -page;
  const uintptr_t last = (rt_shadow_second_counter (end) + page - 1) & -page;
  for (uintptr_t at = rt_shadow_second_counter (start); at < first;
       at += HEAPPROF_COUNTER_BYTES)
    if (*(const uint64_t *) at != 0)
      *(uint64_t *) at = 0;
  if (first < last)
    sys_discard ((void *) first, last - first);
}

void
rt_shadow_discard (const void *data, size_t size)
{
  const uintptr_t mask = HEAPPROF_GRANULE_BYTES - 1;
  uint64_t *first = counter_of (((uintptr_t) data + mask) & ~mask);
  uint64_t *const end = counter_of (((uintptr_t) data + size) & ~mask);
  if (rt_shadow_discard_also != NULL)
    rt_shadow_discard_also (data, size);
  if ((uintptr_t) data < rt_shadow_lowest)
    rt_shadow_lowest = (uintptr_t) data;
  if ((uintptr_t) data + size > rt_shadow_highest)
    rt_shadow_highest = (uintptr_t) data + size;
  rt_shadow_discard_second ((uintptr_t) data, (uintptr_t) data + size);
  if (!rt_shadow_sink_keep (data, size))
    return;
  while (first < end)
    {
      bool exists;
      uint64_t *const next
	= (uint64_t *) rt_shadow_piece_end (first, end, &exists);
      if (exists)
	forget_counters (first, next);
      first = next;
    }
}

void
rt_shadow_use_huge_pages (uintptr_t start, uintptr_t end)
{
  const uintptr_t mask = SYS_HUGE_PAGE_BYTES - 1;
  const uintptr_t first = (uintptr_t) counter_of (start) & ~mask;
  const uintptr_t last = ((uintptr_t) counter_of (end) + mask) & ~mask;
  if (rt_shadow_pieces == NULL)
    sys_use_huge_pages ((void *) first, last - first);
}

#if HEAPPROF_CHECKING > 0

bool
rt_shadow_is_clear (const void *data, size_t size)
{
  return rt_shadow_sum (data, size).accesses == 0;
}

#endif
