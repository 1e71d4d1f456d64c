/* System functions that would fail because of access counters.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The calls are the program's, so they are made even if its filters end the
   process (call-filter.h).  */

#include "abi-symbols.h"
#include "ending.h"
#include "log.h"
#include "shadow-fault.h"
#include "shadow-pieces.h"
#include "signal-set.h"
#include "system-call.h"
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#define ENTRY RT_ENTRY

#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

/* If counters are mapped when touched, our handler of SIGSEGV must stay; it
   passes on other faults.  And the signal must never be blocked: an access
   would end the program.  */

static int
set_action (int number, const struct sigaction *action,
	    struct sigaction *previous)
{
  if (!rt_shadow_is_lazy)
    return rt_ending_sigaction (number, action, previous);
  if (number == SIGSEGV)
    {
      rt_shadow_fault_handle (action, previous);
      return 0;
    }
  struct sigaction changed;
  if (action != NULL)
    {
      changed = *action;
      signal_set_put (&changed.sa_mask, signal_set_get (&changed.sa_mask)
					  & ~signal_bit (SIGSEGV));
      action = &changed;
    }
  return rt_ending_sigaction (number, action, previous);
}

ENTRY int
sigaction (int number, const struct sigaction *restrict action,
	   struct sigaction *restrict previous)
{
  return set_action (number, action, previous);
}

/* sigprocmask; return 0 or an error number.  As in the C library, the two
   signals below SIGRTMIN, which it reserves, are not blocked.  */

static int
change_bits (int how, const uint64_t *set, uint64_t *old)
{
  uint64_t bits = set != NULL ? *set : 0;
  bits &= ~(signal_bit (SIGRTMIN - 1) | signal_bit (SIGRTMIN - 2));
  if (rt_shadow_is_lazy && how != SIG_UNBLOCK)
    bits &= ~signal_bit (SIGSEGV);
  return (int) -system_call_inline_4 (SYS_rt_sigprocmask, how,
				      set == NULL ? 0 : (long) &bits,
				      (long) old, sizeof bits);
}

static int
change_mask (int how, const sigset_t *set, sigset_t *old)
{
  const uint64_t bits = set != NULL ? signal_set_get (set) : 0;
  uint64_t old_bits = 0;
  const int error = change_bits (how, set != NULL ? &bits : NULL, &old_bits);
  if (error == 0 && old != NULL)
    signal_set_put (old, old_bits);
  return error;
}

ENTRY int
pthread_sigmask (int how, const sigset_t *restrict set, sigset_t *restrict old)
{
  return change_mask (how, set, old);
}

ENTRY int
sigprocmask (int how, const sigset_t *restrict set, sigset_t *restrict old)
{
  const int error = change_mask (how, set, old);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

/* signal as in BSD and by default in glibc: system calls are restarted, and the
   handler stays.  */

static sighandler_t
set_restarting (int number, sighandler_t handler)
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
  struct sigaction previous;
  if (handler == SIG_ERR || number < 1 || number >= _NSIG)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  signal_set_put (&action.sa_mask, signal_bit (number));
  if (set_action (number, &action, &previous) != 0)
    return SIG_ERR;
  return previous.sa_handler;
}

ENTRY sighandler_t
signal (int number, sighandler_t handler)
{
  return set_restarting (number, handler);
}

/* Other C library functions that return the previous action: its own versions
   would return handlers of ours.  */

ENTRY sighandler_t
bsd_signal (int number, sighandler_t handler)
{
  return set_restarting (number, handler);
}

ENTRY sighandler_t
ssignal (int number, sighandler_t handler)
{
  return set_restarting (number, handler);
}

/* System V's signal: calls are interrupted, the handler is called once.  */

static sighandler_t
set_once (int number, sighandler_t handler)
{
  const struct sigaction action
    = { .sa_handler = handler, .sa_flags = SA_RESETHAND | SA_NODEFER };
  struct sigaction previous;
  if (handler == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  return set_action (number, &action, &previous) == 0 ? previous.sa_handler
						      : SIG_ERR;
}

ENTRY sighandler_t
__sysv_signal (int number, sighandler_t handler)
{
  return set_once (number, handler);
}

ENTRY sighandler_t
sysv_signal (int number, sighandler_t handler)
{
  return set_once (number, handler);
}

ENTRY sighandler_t
sigset (int number, sighandler_t handler)
{
  const struct sigaction action = { .sa_handler = handler };
  struct sigaction previous;
  uint64_t old = 0;
  if (number < 1 || number > 64 || handler == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  const bool holds = handler == SIG_HOLD;
  const uint64_t bit = signal_bit (number);
  if (set_action (number, holds ? NULL : &action, &previous) != 0
      || change_bits (holds ? SIG_BLOCK : SIG_UNBLOCK, &bit, &old) != 0)
    return SIG_ERR;
  return (old & bit) != 0 ? SIG_HOLD : previous.sa_handler;
}

/* Lock memory when it is touched, not all at once: the counters' mapping is
   larger than any machine's memory.  */

ENTRY int
mlockall (int flags)
{
  static bool said;
  const long error
    = -system_call_inline_4 (SYS_mlockall, flags | MCL_ONFAULT, 0, 0, 0);
  if (error == 0)
    return 0;
  if (error != ENOMEM || rt_shadow_pieces != NULL)
    {
      errno = (int) error;
      return -1;
    }
  rt_log_once (&said, "mlockall ignored: access counters would exceed the"
		      " limit on locked memory");
  return 0;
}
