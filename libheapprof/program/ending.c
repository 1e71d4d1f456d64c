/* Signals that end the program: the profile is completed first.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The process then ends by the same signal, with its default action, so that
   its parent sees what it would have seen.  A signal that interrupts the
   library is put off to the end of the call under way.  In case that never
   comes, and in case that completing takes too long, a timer sends the signal
   again, and then the process ends at once; its profile is valid at every
   moment.

   A process that is number 1 of its namespace is not ended by signals with
   their default action.  It gets no handlers.  */

#include "ending.h"
#include "dump.h"
#include "gate.h"
#include "options.h"
#include "signal-set.h"
#include "sys.h"
#include "thread.h"
#include <stddef.h>

/* The signals that others send to end a process, or that the kernel sends about
   a time or a pipe.  Not those that come of a fault of the program: what it has
   in memory may be damaged.  */
static const int numbers[] = { SIGHUP,	SIGINT,	 SIGQUIT, SIGTERM, SIGPIPE,
			       SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };

#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* Completing may take so long, waiting for the library's call included.  */
#define PATIENCE_SECONDS 10u

/* What a timer's signal has as its value.  */
static char timer_mark;

static bool is_active;

/* The default actions that the program asked for: it may ask what mask and
   flags it gave.  */
static struct sigaction defaults[NUMBERS];

/* The signal that the process ends by, and above it the thread that ends it; 0
   while it goes on.  One word: a signal may come between any two.  */
#define NUMBER_BITS 8
static uint64_t ending;

/* The profile is whole, and all threads wait that would change it.  */
static bool is_complete;

static void on_signal (int number, siginfo_t *info, void *context);

/* The place of signal NUMBER in NUMBERS, NUMBERS if it is none of them.  */

static size_t
place_of (int number)
{
  size_t i = 0;
  while (i < NUMBERS && numbers[i] != number)
    i++;
  return i;
}

static struct sigaction
our_action (void)
{
  /* Any mask may be that of a thread whose counters are mapped in pieces: none
     is blocked.  Not even the signal itself, for the timer.  */
  struct sigaction action
    = { .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | SA_NODEFER };
  action.sa_sigaction = on_signal;
  return action;
}

/* End the process by NUMBER's default action.  */

static void
die (int number)
{
  const struct sigaction action = { .sa_handler = SIG_DFL };
  __sigaction (number, &action, NULL);
  sys_raise (number);
}

/* Complete the profile and end.  Inside the library.  */

static void
finish (int number)
{
  sys_start_timer (number, &timer_mark, PATIENCE_SECONDS);
  rt_complete ();
  die (number);
}

/* Wait for the end, which another thread brings about: nothing more of the
   program is to run.  */

static void
wait_for_end (void)
{
  static uint32_t never;
  for (;;)
    sys_wait (&never, 0);
}

static void
begin (int number)
{
  const uint64_t own
    = (uint64_t) sys_thread_id () << NUMBER_BITS | (uint64_t) number;
  uint64_t before = 0;
  const bool is_first
    = __atomic_compare_exchange_n (&ending, &before, own, false,
				   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (__atomic_load_n (&is_complete, __ATOMIC_SEQ_CST))
    die (number);
  else if (rt_is_inside ())
    {
      __atomic_fetch_or (&rt_local.wanted, RT_WANT_END, __ATOMIC_RELAXED);
      if (is_first)
	sys_start_timer (number, &timer_mark, PATIENCE_SECONDS);
    }
  else if (is_first)
    {
      rt_enter ();
      finish (number);
      rt_leave ();
    }
  else if (before >> NUMBER_BITS != own >> NUMBER_BITS)
    wait_for_end ();
}

static void
on_signal (int number, siginfo_t *info, void *context)
{
  (void) context;
  if (sys_pid () == 1)
    return;
  const bool is_late
    = info->si_code == SI_TIMER && info->si_value.sival_ptr == &timer_mark;
  /* A vfork child must leave its parent's memory alone.  */
  if (is_late || !rt_gate_is_mine ())
    die (number);
  else
    begin (number);
}

void
rt_ending_finish (void)
{
  const uint64_t end = __atomic_load_n (&ending, __ATOMIC_ACQUIRE);
  if (end >> NUMBER_BITS != (uint64_t) sys_thread_id ())
    wait_for_end ();
  finish ((int) (end & ((1u << NUMBER_BITS) - 1)));
}

void
rt_ending_allow (void)
{
  __atomic_store_n (&is_complete, true, __ATOMIC_SEQ_CST);
  const uint64_t end = __atomic_load_n (&ending, __ATOMIC_SEQ_CST);
  if (end != 0)
    die ((int) (end & ((1u << NUMBER_BITS) - 1)));
}

void
rt_ending_forbid (void)
{
  __atomic_store_n (&is_complete, false, __ATOMIC_SEQ_CST);
}

void
rt_ending_forget (void)
{
  ending = 0;
  is_complete = false;
  rt_local.wanted &= (uint8_t) ~RT_WANT_END;
}

void
rt_ending_start (void)
{
  if (!rt_options.enabled || sys_pid () == 1)
    return;
  is_active = true;
  const struct sigaction action = our_action ();
  for (size_t i = 0; i < NUMBERS; i++)
    if (numbers[i] != rt_options.dump_signal
	&& __sigaction (numbers[i], NULL, &defaults[i]) == 0
	&& defaults[i].sa_handler == SIG_DFL)
      __sigaction (numbers[i], &action, NULL);
}

/* Is ACTION one that ends the process, whether the program knows it by its name
   or by our handler's address?  */

static bool
is_default (const struct sigaction *action)
{
  return action->sa_handler == SIG_DFL || action->sa_sigaction == on_signal;
}

int
rt_ending_sigaction (int number, const struct sigaction *action,
		     struct sigaction *previous)
{
  const size_t place = is_active ? place_of (number) : NUMBERS;
  if (place == NUMBERS)
    return __sigaction (number, action, previous);
  const struct sigaction own = our_action ();
  const bool ends = action != NULL && is_default (action);
  const struct sigaction before = defaults[place];
  struct sigaction old;
  if (ends && rt_gate_is_mine ())
    {
      defaults[place] = *action;
      defaults[place].sa_handler = SIG_DFL;
    }
  const int result = __sigaction (number, ends ? &own : action, &old);
  if (result == 0 && previous != NULL)
    *previous = old.sa_sigaction == on_signal ? before : old;
  return result;
}
