/* The size of the heap: over time, and at its peak.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each thread accumulates its changes of the sum, and adds them to the sum of
   all threads when the peak may be affected: when the sum may have grown by
   more than a thousandth, or when other threads should see the change.  So the
   peak is exact except for a thousandth, and for some KiB for each thread but
   one.  With the option peak=exact, a thread adds each change at once, and
   changes the MIB under the same lock, so that the peak is exact, and is the
   sum of what was live in the MIBs.  */

#ifndef HEAPPROF_HEAP_SIZE_H
#define HEAPPROF_HEAP_SIZE_H

#include "heapprof/raw-format.h"
#include "options.h"
#include "thread.h"

extern struct rt_lock rt_heap_size_lock __attribute__ ((visibility ("hidden")));

/* Around the change of a MIB and that of the size.  */
static inline void
rt_heap_size_begin (void)
{
  if (__builtin_expect (rt_options.is_peak_exact, 0))
    rt_lock (&rt_heap_size_lock);
}

static inline void
rt_heap_size_end (void)
{
  if (__builtin_expect (rt_options.is_peak_exact, 0))
    rt_unlock (&rt_heap_size_lock);
}

/* Add THREAD's changes to the sum of all threads, at NS nanoseconds after the
   start of profiling.  */
void rt_heap_size_settle (struct rt_thread *thread, uint64_t ns);

/* Record that a block of SIZE bytes was allocated at NS.  The profile is being
   recorded.  The place is never above its greatest value, and that never above
   the limit.  */
static inline void
rt_heap_size_add (struct rt_thread *thread, uint64_t size, uint64_t ns)
{
  thread->heap_place += size;
  if (thread->heap_place > thread->heap.high)
    {
      thread->heap.high = thread->heap_place;
      if (__builtin_expect (thread->heap_place > thread->heap_span, 0))
	rt_heap_size_settle (thread, ns);
    }
}

/* The same for a release.  */
static inline void
rt_heap_size_subtract (struct rt_thread *thread, uint64_t size, uint64_t ns)
{
  /* Below 0 is above the limit, too.  */
  thread->heap_place -= size;
  if (__builtin_expect (thread->heap_place > thread->heap_span, 0))
    rt_heap_size_settle (thread, ns);
}

/* Record the sum of all threads as it is NOW_NS after the start of profiling,
   which may be the peak.  Exact if no other thread changes it.  */
void rt_heap_size_look (uint64_t now_ns);

/* Reset the sum.  Changes that other threads have not added yet will still be
   added, unless there are NO_OTHERS.  */
void rt_heap_size_forget (bool no_others);

/* Store the memory sizes in HEADER.  */
void rt_heap_size_describe (struct heapprof_raw_header *header);

#endif /* HEAPPROF_HEAP_SIZE_H */
