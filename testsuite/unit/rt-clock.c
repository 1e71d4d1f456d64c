/* Unit tests of the run-time library's clock.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "clock.h"
#include "rt-unit.h"
#include <stdbool.h>
#include <unistd.h>

enum
{
  EVENTS = 2000000,
  TICK_NS = 10000000, /* the longest tick of any kernel */
  PAUSE_US = 3 * TICK_NS / 1000
};

/* Return true if there is a coarse clock.  Without one, the exact time is
   always read.  */

static bool
has_ticks (void)
{
  return sys_tick () != SYS_NO_TICK;
}

/* The exact time just before each of the last RT_CLOCK_STRIDE events.  */
static uint64_t before[RT_CLOCK_STRIDE];

/* Return true if the time of the next event, number INDEX of CLOCK, is valid:
   after the last one, not in the future, and not behind by more events than
   allowed.  */

static bool
is_in_place (struct rt_clock *clock, unsigned index)
{
  const uint64_t last = clock->ns;
  before[index % RT_CLOCK_STRIDE] = rt_clock_ns ();
  const uint64_t ns = rt_clock_event_ns (clock);
  return ns > last && ns <= rt_clock_ns ()
	 && (index < RT_CLOCK_STRIDE
	     || ns >= before[(index + 1) % RT_CLOCK_STRIDE]);
}

START_TEST (many_events_are_in_order_and_near)
{
  struct rt_clock clock = { 0 };
  unsigned misplaced = 0, stood_still = 0;
  for (unsigned i = 0; i < EVENTS; i++)
    {
      const uint64_t last = clock.ns;
      misplaced += !is_in_place (&clock, i);
      stood_still += clock.ns == last + 1;
    }
  ck_assert_uint_eq (misplaced, 0);
  /* The test is only useful if the clock stood still.  */
  ck_assert (stood_still > 0 || !has_ticks ());
}
END_TEST

START_TEST (few_events_are_exact)
{
  struct rt_clock clock = { 0 };
  for (unsigned batch = 0; batch < 8; batch++)
    {
      const uint64_t tick = sys_tick ();
      for (unsigned i = 0; i < RT_CLOCK_EXACT / 2; i++)
	{
	  const uint64_t now = rt_clock_ns ();
	  ck_assert_uint_ge (rt_clock_event_ns (&clock), now);
	}
      while (has_ticks () && sys_tick () == tick)
	continue;
    }
}
END_TEST

START_TEST (pauses_are_seen)
{
  struct rt_clock clock = { 0 };
  for (unsigned pause = 0; pause < 4; pause++)
    {
      /* Enough events to be somewhere between two readings.  */
      for (unsigned i = 0; i < 10000 + pause * 5; i++)
	rt_clock_event_ns (&clock);
      usleep (PAUSE_US);
      const uint64_t now = rt_clock_ns ();
      ck_assert_uint_ge (rt_clock_event_ns (&clock), now);
    }
}
END_TEST

START_TEST (time_taken_in_turn_adds_up)
{
  struct rt_clock clock = { 0 };
  uint64_t sum = 0;
  const uint64_t begin = rt_clock_ns ();
  for (unsigned i = 0; i < EVENTS / 2; i++)
    {
      const uint64_t start = rt_clock_event_ns (&clock);
      sum += rt_clock_event_ns (&clock) - start;
    }
  ck_assert_uint_le (sum, rt_clock_ns () - begin);
  ck_assert_uint_ge (sum, EVENTS / 2);
}
END_TEST

/* The place that ticks are read from has what the vDSO returns.  */

START_TEST (ticks_are_those_of_the_vdso)
{
  unsigned compared = 0;
  for (unsigned i = 0; i < 1000000; i++)
    {
      const uint64_t before_it = sys_tick_slowly ();
      const uint64_t tick = sys_tick ();
      if (sys_tick_slowly () != before_it)
	continue;
      ck_assert_uint_eq (tick, before_it);
      compared++;
    }
  ck_assert_uint_gt (compared, 0);
}
END_TEST

/* In a process that was moved to another machine, for example.  */

START_TEST (ticks_that_stand_still_are_not_trusted)
{
  static const volatile uint64_t still[2] = { 1, 1 };
  struct rt_clock clock = { 0 };
  sys_tick_words = still;
  for (unsigned i = 0; i < 10000; i++)
    rt_clock_event_ns (&clock);
  ck_assert (sys_tick_words == still);
  usleep (1100000);
  for (unsigned i = 0; i < RT_CLOCK_STRIDE; i++)
    rt_clock_event_ns (&clock);
  ck_assert (sys_tick_words == NULL);
  ck_assert_uint_eq (sys_tick () != SYS_NO_TICK,
		     sys_tick_slowly () != SYS_NO_TICK);
}
END_TEST

RT_UNIT_MAIN (many_events_are_in_order_and_near, few_events_are_exact,
	      pauses_are_seen, time_taken_in_turn_adds_up,
	      ticks_are_those_of_the_vdso,
	      ticks_that_stand_still_are_not_trusted)
