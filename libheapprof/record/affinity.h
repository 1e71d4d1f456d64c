/* Affinity: which contexts' blocks are used together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   From time to time, a window (shadow-window.h) shows which granules were
   accessed between a few allocations.  For each pair of contexts, the raw file
   adds up the lesser number of granules of the two, and for each context, its
   own number.  Only the heaviest pairs are kept.

   The next window is opened when the process has run for fifty times as long as
   the last one took to read, but at least half a millisecond.  */

#ifndef HEAPPROF_AFFINITY_H
#define HEAPPROF_AFFINITY_H

#include "block.h"
#include "shadow-window.h"
#include <stdint.h>

/* When rt_affinity_step has something to do, by rt_raw_event_ns.  */
extern uint64_t rt_affinity_due_ns __attribute__ ((visibility ("hidden")));

/* Let windows be opened, once there is a file.  */
void rt_affinity_start (void);

/* Open a window, or close it if it has lasted long enough.  */
void rt_affinity_step (void);

/* Call at each allocation, at the time NOW_NS.  */
static inline void
rt_affinity_event (uint64_t now_ns)
{
  if (__builtin_expect (now_ns >= rt_affinity_due_ns, 0))
    rt_affinity_step ();
}

/* Close the window and record it.  */
void rt_affinity_close (void);

/* Call before the counters of BLOCK, which is live, are read and cleared.  */
void rt_affinity_see_release (const struct rt_block *block);

static inline void
rt_affinity_release (const struct rt_block *block)
{
  if (__builtin_expect (rt_window_is_open, 0))
    rt_affinity_see_release (block);
}

/* Call before other counters are read.  */
static inline void
rt_affinity_end_window (void)
{
  if (__builtin_expect (rt_window_is_open, 0))
    rt_affinity_close ();
}

/* Open no more windows.  */
void rt_affinity_stop (void);

/* Discard what is recorded.  */
void rt_affinity_forget (void);

/* Start again in the child of a fork, whose file has no affinities.  */
void rt_affinity_reset (void);

/* True if the file has affinities.  */
bool rt_affinity_is_recorded (void);

/* Write the affinities of contexts less than CONTEXTS to the packed file.  */
void rt_affinity_pack (uint32_t contexts);

#endif /* HEAPPROF_AFFINITY_H */
