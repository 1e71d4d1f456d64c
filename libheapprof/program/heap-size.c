/* Peak memory use of the program's blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "heap-size.h"
#include "raw-file.h"
#include "span.h"

/* A thread withholds at most this many bytes, in addition to a thousandth of
   the peak.  */
#define KEPT_MAX 4096

/* Bytes of all blocks, minus changes that threads have not added yet; may
   therefore be negative.  */
static int64_t live_bytes;

/* Make *GREATEST at least NUMBER; return it.  */
static int64_t
raise_to (uint64_t *greatest, int64_t number)
{
  uint64_t known = __atomic_load_n (greatest, __ATOMIC_RELAXED);
  while ((int64_t) known < number
	 && !__atomic_compare_exchange_n (greatest, &known, (uint64_t) number,
					  true, __ATOMIC_RELAXED,
					  __ATOMIC_RELAXED))
    continue;
  return (int64_t) known < number ? number : (int64_t) known;
}

void
rt_heap_size_settle (struct rt_thread *thread)
{
  const int64_t live
    = __atomic_add_fetch (&live_bytes, thread->heap_change, __ATOMIC_RELAXED);
  const int64_t peak = raise_to (&rt_raw_header->peak_bytes, live);
  const int64_t room = peak - live;
  const int64_t slack = peak / 1024;
  thread->heap_change = 0;
  thread->heap_rise = slack + (room < KEPT_MAX ? room : KEPT_MAX);
  thread->heap_fall = slack + KEPT_MAX;
}

void
rt_heap_size_forget (void)
{
  struct rt_thread *const thread = rt_local.thread;
  __atomic_store_n (&live_bytes, 0, __ATOMIC_RELAXED);
  if (thread != NULL)
    thread->heap_change = thread->heap_rise = thread->heap_fall = 0;
}

void
rt_heap_size_describe (struct heapprof_raw_header *header)
{
  uint64_t tables = 0;
  for (unsigned i = 0; i < RT_TABLES; i++)
    tables += (uint64_t) rt_record_count (i) * rt_tables[i].record_bytes;
  header->memory_bytes = rt_span_most_bytes ();
  header->table_bytes = tables;
}
