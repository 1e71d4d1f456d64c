/* Each thread's share of the heap.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "thread-heap.h"
#include "bytes.h"
#include "epoch.h"
#include "format.h"
#include "thread.h"
#include <fcntl.h>

/* Counts of threads without a record.  */
static struct heapprof_raw_thread nobody;

/* Number of threads that have started: blocks of other threads must be looked
   up again after each.  */
static uint32_t starts;

static uint32_t
current_epoch (void)
{
  return __atomic_load_n (&rt_epoch, __ATOMIC_RELAXED);
}

/* Read the name of RECORD's thread, any one, into it.  */

static void
read_name (struct heapprof_raw_thread *record)
{
  char path[64], name[HEAPPROF_RAW_THREAD_NAME_BYTES + 1];
  size_t got = 0;
  rt_format (path, sizeof path, "/proc/self/task/%u/comm",
	     (uint64_t) record->tid);
  const int fd = sys_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    return;
  sys_read_all (fd, name, sizeof name, &got);
  sys_close (fd);
  while (got > 0 && name[got - 1] == '\n')
    got--;
  if (got == 0)
    return;
  if (got > sizeof record->name)
    got = sizeof record->name;
  own_memset (record->name, 0, sizeof record->name);
  own_memcpy (record->name, name, got);
}

/* ---- Starting and ending.  */

/* Return the record of the thread that used THREAD's structure before; 0 if
   there is none.  */

static uint32_t
ended_record (const struct rt_thread *thread)
{
  return thread->heap.ended_epoch == current_epoch () ? thread->heap.ended : 0;
}

static void
set_ended (struct rt_thread *thread, uint32_t number)
{
  thread->heap.ended = number;
  thread->heap.ended_epoch = current_epoch ();
}

/* Record NUMBER gets another thread: take it out of the list of its
   structure.  */

static void
forget (uint32_t number)
{
  const uint32_t before = rt_thread_at (number)->before;
  struct rt_thread *const thread
    = rt_thread_numbered (rt_thread_at (number)->owner);
  if (thread == NULL)
    return;
  if (ended_record (thread) == number)
    {
      set_ended (thread, before);
      return;
    }
  for (uint32_t i = ended_record (thread); i != 0; i = rt_thread_at (i)->before)
    if (rt_thread_at (i)->before == number)
      {
	rt_thread_at (i)->before = before;
	return;
      }
}

/* True if the calling thread has ended, with record NUMBER, and goes on: in a
   destructor of its data.  */

static bool
goes_on (uint32_t number)
{
  return number != 0 && rt_local.ended_record == number
	 && rt_thread_at (number)->tid == (uint32_t) sys_thread_id ();
}

/* Give THREAD, the calling one, a record.  Its blocks are those allocated from
   START_NS on.  */

static void
take_record (struct rt_thread *thread, uint64_t start_ns)
{
  struct rt_thread_heap *const heap = &thread->heap;
  heap->epoch = current_epoch ();
  heap->record = &nobody;
  heap->from_ns = start_ns;
  rt_lock (&rt_raw_lock);
  const uint32_t last = ended_record (thread);
  const bool is_old = goes_on (last);
  const uint32_t number
    = is_old ? last
	     : rt_thread_record_take (thread->mibs.number, start_ns, forget);
  if (number != 0)
    {
      heap->record = rt_thread_at (number);
      heap->number = number;
    }
  if (is_old)
    {
      heap->from_ns = heap->record->start_ns;
      set_ended (thread, heap->record->before);
      rt_thread_record_go_on (heap->record);
    }
  rt_local.ended_record = 0;
  __atomic_fetch_add (&starts, 1, __ATOMIC_RELAXED);
  rt_unlock (&rt_raw_lock);
  if (number != 0)
    sys_thread_name (heap->record->name);
}

static void
set_nobody (struct rt_thread_heap *heap)
{
  heap->record = &nobody;
  heap->from_ns = UINT64_MAX;
  heap->epoch = 0;
}

/* The time of an event is later than those of the events of the structure's
   previous thread.  Without a file, the first change of a MIB starts this.  */

void
rt_thread_heap_start (struct rt_thread *thread, bool is_recorded)
{
  set_nobody (&thread->heap);
  if (is_recorded)
    take_record (thread, rt_raw_event_ns (&thread->clock));
}

void
rt_thread_heap_end (struct rt_thread *thread, bool is_recorded)
{
  struct rt_thread_heap *const heap = &thread->heap;
  struct heapprof_raw_thread *const record = heap->record;
  if (is_recorded && record != &nobody && heap->epoch == current_epoch ())
    {
      rt_thread_heap_look (thread);
      sys_thread_name (record->name);
      rt_lock (&rt_raw_lock);
      record->before = ended_record (thread);
      set_ended (thread, heap->number);
      rt_thread_record_end (record, rt_raw_event_ns (&thread->clock));
      rt_local.ended_record = heap->number;
      rt_unlock (&rt_raw_lock);
    }
  set_nobody (heap);
}

/* The bytes that the process had allocated before the epoch, as its first
   thread saw them.  */
static struct
{
  uint32_t epoch;
  uint64_t bytes;
} start;

/* Return the bytes that the process has allocated in the epoch, as THREAD sees
   them.  */

static uint64_t
bytes_in_epoch (const struct rt_thread *thread)
{
  const uint32_t epoch = current_epoch ();
  if (__atomic_load_n (&start.epoch, __ATOMIC_ACQUIRE) != epoch)
    {
      rt_lock (&rt_raw_lock);
      if (start.epoch != epoch)
	start.bytes = thread->clock.bytes;
      __atomic_store_n (&start.epoch, epoch, __ATOMIC_RELEASE);
      rt_unlock (&rt_raw_lock);
    }
  const uint64_t before = start.bytes;
  return thread->clock.bytes > before ? thread->clock.bytes - before : 0;
}

/* The thread's first change after a peak, or in an epoch, follows.  The event
   that makes it has its time already.  */

static uint64_t
before_change (void)
{
  struct rt_thread *const thread = rt_local.thread;
  if (thread == NULL)
    return 0;
  if (thread->heap.epoch != current_epoch ())
    {
      const uint64_t ns = thread->clock.ns;
      take_record (thread,
		   ns > rt_raw_file.start_ns ? ns - rt_raw_file.start_ns : 0);
    }
  rt_thread_keep_moment (thread->heap.record);
  return bytes_in_epoch (thread);
}

void
rt_thread_heap_begin (void)
{
  rt_moment_hook = before_change;
}

/* ---- Sizes.  */

void
rt_thread_heap_look (struct rt_thread *thread)
{
  struct heapprof_raw_thread *const record = thread->heap.record;
  if (thread->heap.epoch != current_epoch ())
    return;
  const uint64_t most
    = rt_thread_live_bytes (record) + (thread->heap.high - thread->heap_place);
  uint64_t known = __atomic_load_n (&record->peak_bytes, __ATOMIC_RELAXED);
  while ((int64_t) known < (int64_t) most
	 && !__atomic_compare_exchange_n (&record->peak_bytes, &known, most,
					  true, __ATOMIC_RELAXED,
					  __ATOMIC_RELAXED))
    ;
}

static void
describe (struct rt_thread *thread, void *data)
{
  (void) data;
  if (thread->heap.record != &nobody && thread->heap.epoch == current_epoch ())
    read_name (thread->heap.record);
}

void
rt_thread_heap_describe (void)
{
  rt_thread_visit (describe, NULL);
}

/* ---- Blocks of other threads.  */

/* Return the thread that allocated, at ALLOC_NS, a block in a MIB of
   OWNER.  */

static struct rt_other_thread
find_thread (uint32_t owner, uint64_t alloc_ns)
{
  struct rt_other_thread found
    = { .from_ns = alloc_ns,
	.owner = owner,
	.starts = __atomic_load_n (&starts, __ATOMIC_RELAXED) };
  const struct rt_thread *const thread = rt_thread_numbered (owner);
  rt_lock (&rt_raw_lock);
  if (thread != NULL && thread->heap.epoch == current_epoch ()
      && thread->heap.from_ns <= alloc_ns)
    {
      found.record = thread->heap.record;
      found.from_ns = thread->heap.from_ns;
      found.to_ns = UINT64_MAX;
    }
  for (uint32_t i = thread == NULL ? 0 : ended_record (thread);
       i != 0 && found.record == NULL; i = rt_thread_at (i)->before)
    {
      struct heapprof_raw_thread *const record = rt_thread_at (i);
      if (record->end_ns < alloc_ns)
	break;
      if (record->start_ns > alloc_ns)
	continue;
      found.record = record;
      found.from_ns = record->start_ns;
      found.to_ns = record->end_ns;
    }
  if (found.record == NULL)
    found.record = rt_thread_record_of_rest ();
  rt_unlock (&rt_raw_lock);
  return found;
}

/* If the other thread ends now, and its record gets another thread before the
   block is counted there, it is counted wrongly.  */

void
rt_thread_heap_release_other (struct rt_thread *thread, uint32_t mib_owner,
			      uint64_t alloc_ns, uint64_t size, uint32_t count)
{
  struct rt_other_thread *const other = &thread->heap.other;
  /* The place in the heap's size goes down by this, but not the share.  */
  thread->heap.high -= size;
  if (other->owner != mib_owner || alloc_ns < other->from_ns
      || alloc_ns > other->to_ns
      || other->starts != __atomic_load_n (&starts, __ATOMIC_RELAXED))
    *other = find_thread (mib_owner, alloc_ns);
  rt_thread_keep_moment (other->record);
  __atomic_fetch_add (&other->record->other_bytes, size, __ATOMIC_RELAXED);
  __atomic_fetch_add (&other->record->other_count, count, __ATOMIC_RELAXED);
}
