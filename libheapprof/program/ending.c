/* Completing the profile before a signal ends the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The process then ends by the same signal, with its default action, so that
   its parent sees the usual status.  A signal that interrupts the library is
   deferred to the end of the current call.  In case that never comes, or
   completing takes too long, a timer sends the signal again, and then the
   process ends at once; its profile is valid at every moment.

   A process with PID 1 in its namespace is not ended by signals with their
   default action.  It gets no handlers.  */

#include "ending.h"
#include "dump.h"
#include "gate.h"
#include "options.h"
#include "signal-set.h"
#include "sys.h"
#include "thread.h"
#include <stddef.h>

/* Signals that others send to end a process, or that the kernel sends for a
   timer, limit or pipe.  Not those caused by a fault of the program, whose
   memory may be corrupted.  */
static const int numbers[] = { SIGHUP,	SIGINT,	 SIGQUIT, SIGTERM, SIGPIPE,
			       SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };

#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* Time limit for completing, including the wait for the current call.  */
#define PATIENCE_SECONDS 10u

/* Identifies the timer's signal, as its value.  */
static char timer_mark;

static bool is_active;

/* The default actions that the program set: it may query the mask and flags it
   gave.  */
static struct sigaction defaults[NUMBERS];

/* The signal that ends the process and, above it, the ending thread; 0
   otherwise.  One word, as a signal may arrive between any two.  */
#define NUMBER_BITS 8
static uint64_t ending;

/* The profile is complete, and all threads that would change it wait.  */
static bool is_complete;

static void on_signal (int number, siginfo_t *info, void *context);

/* Return the index of signal NUMBER in NUMBERS, or NUMBERS if it is not
   listed.  */

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
  /* No signal is blocked, not even SIGSEGV, which a thread whose counters are
     mapped in pieces needs, nor the signal itself, which the timer needs.  */
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

/* Complete the profile and end the process.  Inside the library.  */

static void
finish (int number)
{
  sys_start_timer (number, &timer_mark, PATIENCE_SECONDS);
  rt_complete ();
  die (number);
}

/* Wait for another thread to end the process: none of the program may run any
   more.  */

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
      rt_note_stack ();
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
  /* A vfork child must not change its parent's memory.  */
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

void
rt_ending_stop (void)
{
  is_active = false;
  for (size_t i = 0; i < NUMBERS; i++)
    {
      struct sigaction action;
      if (__sigaction (numbers[i], NULL, &action) == 0
	  && action.sa_sigaction == on_signal)
	__sigaction (numbers[i], &defaults[i], NULL);
    }
}

/* True if ACTION ends the process, given as SIG_DFL or as our handler's
   address.  */

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
