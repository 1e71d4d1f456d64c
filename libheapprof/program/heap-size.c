/* The size of the heap: over time, and at its peak.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "heap-size.h"
#include "mark.h"
#include "moment.h"
#include "raw-file.h"
#include "span.h"
#include "timeline.h"

/* A thread withholds at most this many bytes, in addition to a thousandth of
   the peak.  */
#define KEPT_MAX 4096

struct rt_lock rt_heap_size_lock;

/* Bytes of all blocks, minus changes that threads have not added yet; may
   therefore be negative.  */
static int64_t live_bytes;

/* Held while the timeline is changed.  A thread that finds it held leaves the
   change to the next one.  */
static struct rt_lock timeline_lock;

static inline void
record (int64_t live, uint64_t ns)
{
  const uint64_t size = live > 0 ? (uint64_t) live : 0;
  rt_peak_raise (size, ns);
  if (rt_try_lock (&timeline_lock))
    {
      rt_timeline_add (rt_timeline (), ns, size);
      rt_unlock (&timeline_lock);
    }
}

/* Let THREAD withhold up to RISE more and FALL less.  */

static void
set_limits (struct rt_thread *thread, uint64_t rise, uint64_t fall)
{
  thread->heap_start = thread->heap_place = thread->heap.high = fall;
  thread->heap_span = fall + rise;
}

void
rt_heap_size_settle (struct rt_thread *thread, uint64_t ns)
{
  const int64_t change = (int64_t) (thread->heap_place - thread->heap_start);
  rt_thread_heap_look (thread);
  const int64_t live
    = __atomic_add_fetch (&live_bytes, change, __ATOMIC_RELAXED);
  record (live, ns);
  const uint64_t peak
    = __atomic_load_n (&rt_raw_header->peak_bytes, __ATOMIC_RELAXED);
  const uint64_t room = peak - (live > 0 ? (uint64_t) live : 0);
  const uint64_t slack = peak / 1024;
  if (rt_options.is_peak_exact)
    set_limits (thread, 0, 0);
  else
    set_limits (thread, slack + (room < KEPT_MAX ? room : KEPT_MAX),
		slack + KEPT_MAX);
  rt_mark_look ();
}

static void
add_change (struct rt_thread *thread, void *data)
{
  *(int64_t *) data += (int64_t) (thread->heap_place - thread->heap_start);
  rt_thread_heap_look (thread);
}

void
rt_heap_size_look (uint64_t now_ns)
{
  int64_t live = __atomic_load_n (&live_bytes, __ATOMIC_RELAXED);
  rt_thread_visit (add_change, &live);
  record (live, now_ns);
}

static void
forget_change (struct rt_thread *thread, void *data)
{
  (void) data;
  set_limits (thread, 0, 0);
}

void
rt_heap_size_forget (bool no_others)
{
  __atomic_store_n (&live_bytes, 0, __ATOMIC_RELAXED);
  if (no_others)
    {
      rt_thread_visit (forget_change, NULL);
      rt_reset_lock (&timeline_lock);
      rt_reset_lock (&rt_heap_size_lock);
    }
  else if (rt_local.thread != NULL)
    forget_change (rt_local.thread, NULL);
}

void
rt_heap_size_describe (struct heapprof_raw_header *header)
{
  uint64_t tables = 0;
  for (unsigned i = 0; i < RT_TABLES; i++)
    tables += (uint64_t) rt_record_count (i) * rt_tables[i].record_bytes;
  header->memory_bytes = rt_span_most_bytes ();
  header->table_bytes = tables;
  rt_thread_heap_describe ();
}
