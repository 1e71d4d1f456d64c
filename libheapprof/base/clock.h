/* A monotonic clock in nanoseconds, read twice for each block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   If the kernel itself keeps time by the processor's time-stamp counter, that
   is read directly, at half the cost of clock_gettime.  Its frequency is
   measured against the kernel's clock over the first 20 ms.

   This still costs more than most other work for a block, and programs that
   allocate heavily would pay it twice per block.  The kernel's coarse clock is
   a number in memory, but advances only in ticks, 1 to 10 ms apart.  So a
   thread that has read the time RT_CLOCK_EXACT times since a tick reads it only
   at the next tick and at every RT_CLOCK_STRIDE-th event; in between, each
   event counts as 1 ns after the previous one.  The order of a thread's events
   is kept; their times lag by at most RT_CLOCK_STRIDE - 1 events of the thread,
   and never by more than a tick.  A lifetime loses as much at its end as others
   lose at their start: means stay correct.  */

#ifndef HEAPPROF_CLOCK_H
#define HEAPPROF_CLOCK_H

#include "counter.h"
#include "sys.h"
#include <stddef.h>
#include <stdint.h>

/* Counter value TICKS is NS; each tick is SCALE / 2^32 nanoseconds.  */
struct rt_clock_scale
{
  uint64_t ticks;
  uint64_t ns;
  uint64_t scale;
};

/* NULL until measured.  */
extern const struct rt_clock_scale *rt_clock_scale
  __attribute__ ((visibility ("hidden")));

/* Number of events of a thread between two ticks that get the exact time; so
   few that reading it for all of them costs a thousandth of a tick.  */
#define RT_CLOCK_EXACT 256u

/* After those, the time is read for one event in this many.  A prime, so that a
   program's repeating patterns do not always hit the same event.  */
#define RT_CLOCK_STRIDE 17u

/* A thread adds its bytes to the sum of all threads if they are as many as
   this.  */
#define RT_CLOCK_BYTES 4096u

/* The clock of a thread's events.  BYTES is the time that does not depend on
   the machine: the bytes that the process has allocated.  It is exact as long
   as one thread allocates; those of other threads are looked at when the time
   is read.  */
struct rt_clock
{
  uint64_t tick;   /* sys_tick at the last reading */
  uint64_t ns;	   /* at the last event */
  uint64_t bytes;  /* allocated by all threads */
  uint64_t shared; /* without this thread's that are not in the sum yet */
  uint32_t exact;  /* readings since the tick, at most RT_CLOCK_EXACT */
  uint32_t left;   /* events before the next reading, if there is no tick */
};

/* Determine the clocks that can be used.  Call once, at start.  */
void rt_clock_start (void);

uint64_t rt_clock_ns_slowly (void);

/* Return the current time.  May be called anywhere.  */
static inline uint64_t
rt_clock_ns (void)
{
  const struct rt_clock_scale *const scale
    = __atomic_load_n (&rt_clock_scale, __ATOMIC_ACQUIRE);
  if (__builtin_expect (scale != NULL, 1))
    {
      const uint64_t ticks = machine_counter ();
      const uint64_t passed = ticks > scale->ticks ? ticks - scale->ticks : 0;
      return scale->ns
	     + (uint64_t) ((unsigned __int128) passed * scale->scale >> 32);
    }
  return rt_clock_ns_slowly ();
}

/* Read the time for an event of the thread that owns CLOCK, at TICK.  */
uint64_t rt_clock_read (struct rt_clock *clock, uint64_t tick);

/* Return the time, on the scale of rt_clock_ns, of an event of the thread that
   owns CLOCK.  It is later than that of the thread's previous event.  */
static inline uint64_t
rt_clock_event_ns (struct rt_clock *clock)
{
  const uint64_t tick = sys_tick ();
  if (__builtin_expect (tick != clock->tick || clock->left == 0, 0))
    return rt_clock_read (clock, tick);
  clock->left--;
  return ++clock->ns;
}

#endif /* HEAPPROF_CLOCK_H */
