/* Time: nanoseconds that only grow, read twice for each block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where the kernel itself keeps time by the processor's time-stamp counter,
   that is read directly, at half the price of clock_gettime.  Its frequency
   is measured against the kernel's clock over the first 20 ms.

   That is still more than most of what else is done for a block, and programs
   that allocate all the time would pay it twice for each.  What costs a third
   is the kernel's coarse clock, which stands still between its ticks, 1 to 10
   ms apart.  So a thread that has read the time RT_CLOCK_EXACT times since a
   tick reads it at the next tick and at every RT_CLOCK_STRIDE-th event only; in
   between each event is 1 ns after the one before.  The order of a thread's
   events is kept; their times are behind by at most RT_CLOCK_STRIDE - 1 events
   of the thread, and never by more than a tick.  What is lost of a lifetime at
   its end is what others lost at their beginning: means stay right.  */

#ifndef HEAPPROF_CLOCK_H
#define HEAPPROF_CLOCK_H

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

/* NULL until it is measured.  */
extern const struct rt_clock_scale *rt_clock_scale
  __attribute__ ((visibility ("hidden")));

/* Events of a thread between two ticks that are told the exact time; so few
   that reading it for all of them costs a thousandth of a tick.  */
#define RT_CLOCK_EXACT 256u

/* After those, one in so many.  Odd and a prime, so that what a program does in
   turn does not always fall on the same events.  */
#define RT_CLOCK_STRIDE 17u

/* The time as a thread's events have it.  */
struct rt_clock
{
  uint64_t tick;   /* sys_tick at the last reading */
  uint64_t ns;	   /* at the last event */
  uint32_t exact;  /* readings since the tick, RT_CLOCK_EXACT at
		      most */
  uint32_t behind; /* events since the last reading */
};

/* Find out what can be used.  Once, at start.  */
void rt_clock_start (void);

uint64_t rt_clock_ns_slowly (void);

/* Now, after any moment before the program's start.  Anywhere.  */
static inline uint64_t
rt_clock_ns (void)
{
#ifdef __x86_64__
  const struct rt_clock_scale *const scale
    = __atomic_load_n (&rt_clock_scale, __ATOMIC_ACQUIRE);
  if (__builtin_expect (scale != NULL, 1))
    {
      const uint64_t ticks = __builtin_ia32_rdtsc ();
      const uint64_t passed = ticks > scale->ticks ? ticks - scale->ticks : 0;
      return scale->ns
	     + (uint64_t) ((unsigned __int128) passed * scale->scale >> 32);
    }
#endif
  return rt_clock_ns_slowly ();
}

/* Read the time for the event of the thread that has CLOCK, at TICK.  */
uint64_t rt_clock_read (struct rt_clock *clock, uint64_t tick);

/* The time, as rt_clock_ns has it, of an event of the thread that has CLOCK. It
   is after that of its last event.  */
static inline uint64_t
rt_clock_event_ns (struct rt_clock *clock)
{
  const uint64_t tick = sys_tick ();
  if (tick == clock->tick && clock->exact == RT_CLOCK_EXACT
      && ++clock->behind < RT_CLOCK_STRIDE)
    return ++clock->ns;
  return rt_clock_read (clock, tick);
}

#endif /* HEAPPROF_CLOCK_H */
