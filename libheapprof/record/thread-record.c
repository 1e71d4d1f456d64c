/* What each thread allocated, and how much of it is live.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "thread-record.h"
#include "bytes.h"
#include "epoch.h"
#include "room.h"
#include "sys.h"

/* Of which epoch the following are.  */
static uint32_t epoch;
static uint32_t ended;	   /* records of threads that have ended */
static uint32_t next_used; /* records from 1 up to this are of this epoch */

void
rt_thread_keep_moment_slowly (struct heapprof_raw_thread *record)
{
  const uint64_t number = __atomic_load_n (&rt_peak_number, __ATOMIC_ACQUIRE);
  record->moment_bytes = rt_thread_live_bytes (record);
  record->moment_count = (uint32_t) rt_thread_live_count (record);
  __atomic_store_n (&record->moment_number, number, __ATOMIC_RELEASE);
}

/* Make RECORD an empty one of the current epoch, of so many THREADS.  */

static void
clear (struct heapprof_raw_thread *record, uint32_t threads)
{
  /* Until it is complete, readers ignore it.  */
  __atomic_store_n (&record->epoch, 0, __ATOMIC_RELEASE);
  const struct heapprof_raw_thread empty
    = { .threads = threads,
	.moment_number = __atomic_load_n (&rt_peak_number, __ATOMIC_RELAXED) };
  *record = empty;
  __atomic_store_n (&record->epoch, rt_epoch_of_mibs (epoch), __ATOMIC_RELEASE);
}

static void
notice_epoch (void)
{
  const uint32_t current = __atomic_load_n (&rt_epoch, __ATOMIC_RELAXED);
  if (epoch == current)
    return;
  epoch = current;
  ended = 0;
  next_used = 1;
  clear (rt_thread_at (0), 0);
}

struct heapprof_raw_thread *
rt_thread_record_of_rest (void)
{
  notice_epoch ();
  return rt_thread_at (0);
}

/* Return the smallest record of a thread that has ended.  */

static uint32_t
find_smallest (void)
{
  uint32_t smallest = 0;
  for (uint32_t i = 1; i < next_used; i++)
    if (rt_thread_at (i)->end_ns != 0
	&& (smallest == 0
	    || rt_thread_at (i)->alloc_bytes
		 < rt_thread_at (smallest)->alloc_bytes))
      smallest = i;
  return smallest;
}

/* Add RECORD to record 0.  */

static void
add_to_rest (struct heapprof_raw_thread *record)
{
  struct heapprof_raw_thread *const rest = rt_thread_at (0);
  rt_thread_keep_moment (rest);
  rt_thread_keep_moment (record);
  rest->moment_bytes += record->moment_bytes;
  rest->moment_count += record->moment_count;
  rest->alloc_bytes += record->alloc_bytes;
  rest->alloc_count += record->alloc_count;
  rest->free_bytes += record->free_bytes;
  rest->free_count += record->free_count;
  __atomic_fetch_add (&rest->other_bytes, record->other_bytes,
		      __ATOMIC_RELAXED);
  __atomic_fetch_add (&rest->other_count, record->other_count,
		      __ATOMIC_RELAXED);
  if (rest->threads == 0 || record->start_ns < rest->start_ns)
    rest->start_ns = record->start_ns;
  if (rest->end_ns < record->end_ns)
    rest->end_ns = record->end_ns;
  if (rest->peak_bytes < record->peak_bytes)
    rest->peak_bytes = record->peak_bytes;
  rest->threads++;
}

/* Return a record that no thread uses and that has never been used in this
   epoch, 0 if there is none.  */

static uint32_t
find_unused (void)
{
  if (next_used < rt_record_count (RT_THREADS))
    return next_used++;
  if ((next_used >= RT_THREADS_MAX && ended > 0) || !rt_room_for_thread ()
      || rt_raw_next (RT_THREADS) == NULL)
    return 0;
  rt_raw_commit (RT_THREADS, 1);
  return next_used++;
}

uint32_t
rt_thread_record_take (uint32_t owner, uint64_t start_ns,
		       rt_thread_forgetter *forget)
{
  notice_epoch ();
  uint32_t number = find_unused ();
  if (number == 0)
    number = find_smallest ();
  if (number == 0)
    return 0;
  struct heapprof_raw_thread *const record = rt_thread_at (number);
  if (record->epoch == rt_epoch_of_mibs (epoch) && record->end_ns != 0)
    {
      forget (number);
      add_to_rest (record);
      ended--;
    }
  clear (record, 1);
  record->tid = (uint32_t) sys_thread_id ();
  record->start_ns = start_ns;
  record->owner = owner;
  return number;
}

void
rt_thread_record_end (struct heapprof_raw_thread *record, uint64_t end_ns)
{
  notice_epoch ();
  record->end_ns = end_ns != 0 ? end_ns : 1;
  ended++;
}

void
rt_thread_record_go_on (struct heapprof_raw_thread *record)
{
  record->end_ns = 0;
  ended--;
}
