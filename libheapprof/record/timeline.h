/* Heap size over time, in a table of fixed size.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The table holds the intervals from the start of profiling on.  When it is
   full, each two intervals become one of twice the length.  So it always covers
   the whole run with at least 255 intervals, once that many have passed.  */

#ifndef HEAPPROF_TIMELINE_H
#define HEAPPROF_TIMELINE_H

#include "heapprof/raw-format.h"
#include "raw-file.h"

static inline struct heapprof_raw_timeline *
rt_timeline (void)
{
  return (struct heapprof_raw_timeline *) rt_tables[RT_TIMELINE].records;
}

/* The current interval ends before this time.  */
extern uint64_t rt_timeline_end_ns __attribute__ ((visibility ("hidden")));

void rt_timeline_add_slowly (struct heapprof_raw_timeline *timeline,
			     uint64_t ns, uint64_t live);

/* Record that the heap has had LIVE bytes since NS nanoseconds after the start
   of profiling.  Times that go back count as the latest time.  One call at a
   time.  */
static inline void
rt_timeline_add (struct heapprof_raw_timeline *timeline, uint64_t ns,
		 uint64_t live)
{
  const uint64_t passed = ns - timeline->time_ns;
  if (__builtin_expect (ns >= rt_timeline_end_ns || passed > ns, 0))
    {
      rt_timeline_add_slowly (timeline, ns, live);
      return;
    }
  const unsigned __int128 area
    = ((unsigned __int128) timeline->area[1] << 64 | timeline->area[0])
      + (unsigned __int128) timeline->live * passed;
  timeline->area[0] = (uint64_t) area;
  timeline->area[1] = (uint64_t) (area >> 64);
  timeline->time_ns = ns;
  timeline->live = live;
  if (timeline->max < live)
    timeline->max = live;
}

/* Return the current, incomplete interval.  */
struct heapprof_raw_sample
rt_timeline_current (const struct heapprof_raw_timeline *timeline);

/* Start again, after the file was replaced.  Forget everything, except that NS
 * nanoseconds have passed.  */
void rt_timeline_forget (struct heapprof_raw_timeline *timeline, uint64_t ns);

#endif /* HEAPPROF_TIMELINE_H */
