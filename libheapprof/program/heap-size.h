/* How much memory the program's blocks take at most at one time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each thread keeps by how much it changed the sum, and adds that to the sum of
   all threads when the greatest one may be at stake: if it may have grown by
   more than a thousandth, or if others should know.  So the greatest sum is
   right but for a thousandth, and for some KiB for each thread but one.  */

#ifndef HEAPPROF_HEAP_SIZE_H
#define HEAPPROF_HEAP_SIZE_H

#include "heapprof/raw-format.h"
#include "thread.h"

/* Add what THREAD knows to the sum of all.  */
void rt_heap_size_settle (struct rt_thread *thread);

/* Blocks came (CHANGE > 0) or went, so many bytes.  The profile is being
   recorded.  */
static inline void
rt_heap_size_change (struct rt_thread *thread, int64_t change)
{
  thread->heap_change += change;
  if (__builtin_expect (thread->heap_change > thread->heap_rise
			  || thread->heap_change < -thread->heap_fall,
			0))
    rt_heap_size_settle (thread);
}

/* No block is counted any more.  Of other threads, what they have not added yet
   will be.  */
void rt_heap_size_forget (void);

/* Write into HEADER what memory was needed.  */
void rt_heap_size_describe (struct heapprof_raw_header *header);

#endif /* HEAPPROF_HEAP_SIZE_H */
