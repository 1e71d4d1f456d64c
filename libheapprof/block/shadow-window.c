/* Windows: short times in which accesses are counted apart.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "shadow-window.h"
#include "abi-symbols.h"
#include "shadow-pieces.h"
#include "shadow.h"
#include "span.h"
#include "sys.h"

/* The C library's: false from the creation of the second thread on.  Missing
   before version 2.32.  */
extern char __libc_single_threaded __attribute__ ((weak));

#define RUNS_AT_ONCE 32u

/* Runs of more bytes are read only where blocks are: it may be that the kernel
   did not tell which pages exist, and they are terabytes.  */
#define LONG_RUN ((uintptr_t) 64 << 20)

bool rt_window_is_open;

bool
rt_window_is_allowed (void)
{
  return &__libc_single_threaded != NULL && __libc_single_threaded != 0;
}

/* There are no more windows.  */
static bool has_failed;

/* Map the second range, once.  Not if counters are mapped in pieces: address
   space is limited then.  */

static bool
is_prepared (void)
{
  if (rt_shadow_second != 0 || has_failed)
    return !has_failed;
  void *const base
    = rt_shadow_pieces == NULL ? sys_map (RT_SHADOW_BYTES) : NULL;
  has_failed = base == NULL;
  if (base == NULL)
    return false;
  sys_mark_sparse (base, RT_SHADOW_BYTES);
  rt_shadow_second = (uintptr_t) base;
  return true;
}

bool
rt_window_open (void)
{
  if (rt_shadow_lowest >= rt_shadow_highest || !rt_window_is_allowed ()
      || !is_prepared ())
    return false;
  rt_window_is_open = true;
  __heapprof_window_base = rt_shadow_second;
  return true;
}

uint32_t
rt_window_take (const void *data, size_t size)
{
  uint64_t *const usual = (uint64_t *) rt_shadow_base;
  uint64_t *const second = (uint64_t *) rt_shadow_second;
  const uintptr_t start = (uintptr_t) data;
  const size_t end
    = (start + (size > 0 ? size - 1 : 0)) >> HEAPPROF_GRANULE_SHIFT;
  uint32_t accessed = 0;
  for (size_t i = start >> HEAPPROF_GRANULE_SHIFT; i <= end; i++)
    if (second[i] != 0)
      {
	usual[i] += second[i];
	second[i] = 0;
	accessed++;
      }
  return accessed;
}

/* Move the counts of the pages of RUN.  They are cleared, too, as a filter of
   system calls may prevent that the pages are discarded.  */

static void
move_counts (struct sys_run run, void (*visit) (uintptr_t granule, void *data),
	     void *data)
{
  uint64_t *const usual = (uint64_t *) rt_shadow_base;
  uint64_t *const second = (uint64_t *) rt_shadow_second;
  const size_t end = (run.end - rt_shadow_second) / HEAPPROF_COUNTER_BYTES;
  for (size_t i = (run.start - rt_shadow_second) / HEAPPROF_COUNTER_BYTES;
       i < end; i++)
    if (second[i] != 0)
      {
	usual[i] += second[i];
	second[i] = 0;
	if (visit != NULL)
	  visit (i << HEAPPROF_GRANULE_SHIFT, data);
      }
}

/* Move the counts of the memory that is both in RUN and in a span.  */

static void
move_counts_of_spans (struct sys_run run,
		      void (*visit) (uintptr_t granule, void *data), void *data)
{
  const struct rt_span *span;
  for (uint32_t i = 0; (span = rt_span_at (i)) != NULL; i++)
    {
      const uintptr_t start = (uintptr_t) span->start;
      struct sys_run part
	= { .start = rt_shadow_second_counter (start),
	    .end = rt_shadow_second_counter (start + span->bytes) };
      part.start = part.start > run.start ? part.start : run.start;
      part.end = part.end < run.end ? part.end : run.end;
      if (part.start < part.end)
	move_counts (part, visit, data);
    }
}

void
rt_window_close (void (*visit) (uintptr_t granule, void *data), void *data)
{
  __heapprof_window_base = rt_shadow_base;
  rt_window_is_open = false;
  const uintptr_t page = SYS_PAGE_BYTES;
  const uintptr_t end
    = (rt_shadow_second_counter (rt_shadow_highest) + page - 1) & -page;
  uintptr_t at = rt_shadow_second_counter (rt_shadow_lowest) & -page,
	    first = end, last = 0;
  const int fd = sys_open_page_table ();
  struct sys_run runs[RUNS_AT_ONCE];
  unsigned count = RUNS_AT_ONCE;
  while (count == RUNS_AT_ONCE && at < end)
    {
      count = sys_find_runs (fd, at, end, runs, RUNS_AT_ONCE);
      for (unsigned i = 0; i < count; i++)
	{
	  if (runs[i].end - runs[i].start > LONG_RUN)
	    move_counts_of_spans (runs[i], visit, data);
	  else
	    move_counts (runs[i], visit, data);
	  first = first < runs[i].start ? first : runs[i].start;
	  at = last = runs[i].end;
	}
    }
  if (fd >= 0)
    sys_close (fd);
  else
    has_failed = true; /* it takes long to find the pages */
  /* At once, as the pages are few, and a call for each run costs more.  */
  if (first < last)
    sys_discard ((void *) first, last - first);
}

void
rt_window_forget (void)
{
  if (!rt_window_is_open)
    return;
  __heapprof_window_base = rt_shadow_base;
  rt_window_is_open = false;
  rt_shadow_discard_second (rt_shadow_lowest, rt_shadow_highest);
}
