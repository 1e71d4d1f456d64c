/* Snapshots at intervals, for collectors of profiles.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A snapshot is written by the thread whose allocation finds that it is due, so
   a program that allocates nothing writes none.  Only the newest ones are
   kept.  */

#ifndef HEAPPROF_INTERVAL_H
#define HEAPPROF_INTERVAL_H

#include <stdint.h>

/* When the next snapshot is due, after the start of profiling; UINT64_MAX:
   never, or it is being written.  */
extern uint64_t rt_interval_due_ns __attribute__ ((visibility ("hidden")));

/* Begin with the first interval, if there are any: at the start, and where a
   new profile starts.  */
void rt_interval_start (void);

/* Let the calling thread write the snapshot that is due when it leaves the
   library (RT_WANT_INTERVAL), unless another thread does.  */
void rt_interval_is_due (void);

/* Call at each allocation, at the time NOW_NS.  */
static inline void
rt_interval_event (uint64_t now_ns)
{
  if (__builtin_expect (now_ns >= __atomic_load_n (&rt_interval_due_ns,
						   __ATOMIC_RELAXED),
			0))
    rt_interval_is_due ();
}

/* Begin with the next interval, after the snapshot was written.  */
void rt_interval_end (void);

#endif /* HEAPPROF_INTERVAL_H */
