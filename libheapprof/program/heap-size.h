/* Peak memory use of the program's blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each thread accumulates its changes of the sum, and adds them to the sum of
   all threads when the peak may be affected: when the sum may have grown by
   more than a thousandth, or when other threads should see the change.  So the
   peak is exact except for a thousandth, and for some KiB for each thread but
   one.  */

#ifndef HEAPPROF_HEAP_SIZE_H
#define HEAPPROF_HEAP_SIZE_H

#include "heapprof/raw-format.h"
#include "thread.h"

/* Add THREAD's changes to the sum of all threads.  */
void rt_heap_size_settle (struct rt_thread *thread);

/* Record that blocks of CHANGE bytes were allocated, or released if negative.
   The profile is being recorded.  */
static inline void
rt_heap_size_change (struct rt_thread *thread, int64_t change)
{
  thread->heap_change += change;
  if (__builtin_expect (thread->heap_change > thread->heap_rise
			  || thread->heap_change < -thread->heap_fall,
			0))
    rt_heap_size_settle (thread);
}

/* Reset the sum.  Changes that other threads have not added yet will still be
   added.  */
void rt_heap_size_forget (void);

/* Store the memory sizes in HEADER.  */
void rt_heap_size_describe (struct heapprof_raw_header *header);

#endif /* HEAPPROF_HEAP_SIZE_H */
