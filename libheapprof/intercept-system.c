/* System functions that access counters would make the program fail in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "abi-symbols.h"
#include "ending.h"
#include "log.h"
#include "shadow-pieces.h"
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRY RT_PUBLIC __attribute__ ((weak))

#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

/* Where counters are mapped in pieces, our handler of SIGSEGV must stay; it
   passes on what is not ours.  And the signal must never be blocked: an access
   would end the program.  */

ENTRY int
sigaction (int number, const struct sigaction *restrict action,
	   struct sigaction *restrict previous)
{
  if (rt_shadow_pieces == NULL)
    return rt_ending_sigaction (number, action, previous);
  if (number == SIGSEGV)
    {
      rt_shadow_pieces_handle (action, previous);
      return 0;
    }
  struct sigaction changed;
  if (action != NULL)
    {
      changed = *action;
      sigdelset (&changed.sa_mask, SIGSEGV);
      action = &changed;
    }
  return rt_ending_sigaction (number, action, previous);
}

static uint64_t
bit_of (int number)
{
  return (uint64_t) 1 << (number - 1);
}

/* sigprocmask; return 0 or an error number.  The kernel's set is the first
   word of the C library's.  As there, the two signals below SIGRTMIN, the C
   library's own, are not blocked.  */

static int
change_mask (int how, const sigset_t *set, sigset_t *old)
{
  const int saved = errno;
  int error = 0;
  uint64_t bits = 0, old_bits = 0;
  if (set != NULL)
    memcpy (&bits, set, sizeof bits);
  bits &= ~(bit_of (SIGRTMIN - 1) | bit_of (SIGRTMIN - 2));
  if (rt_shadow_pieces != NULL && how != SIG_UNBLOCK)
    bits &= ~bit_of (SIGSEGV);
  if (syscall (SYS_rt_sigprocmask, how, set == NULL ? NULL : &bits, &old_bits,
	       sizeof bits) != 0)
    error = errno;
  else if (old != NULL)
    {
      sigemptyset (old);
      memcpy (old, &old_bits, sizeof old_bits);
    }
  errno = saved;
  return error;
}

ENTRY int
pthread_sigmask (int how, const sigset_t *restrict set,
		 sigset_t *restrict old)
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

/* With the meaning that it has in BSD and by default in glibc: system calls
   are restarted, the handler stays.  */

ENTRY sighandler_t
signal (int number, sighandler_t handler)
{
  struct sigaction action = { .sa_handler = handler,
			      .sa_flags = SA_RESTART };
  struct sigaction previous;
  if (handler == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  sigemptyset (&action.sa_mask);
  sigaddset (&action.sa_mask, number);
  if (sigaction (number, &action, &previous) != 0)
    return SIG_ERR;
  return previous.sa_handler;
}

/* The C library's other functions that return what a signal did before: theirs
   would find handlers of ours.  */

ENTRY sighandler_t
bsd_signal (int number, sighandler_t handler)
{
  return signal (number, handler);
}

ENTRY sighandler_t
ssignal (int number, sighandler_t handler)
{
  return signal (number, handler);
}

/* System V's signal: calls are interrupted, the handler is called once.  */

ENTRY sighandler_t
__sysv_signal (int number, sighandler_t handler)
{
  const struct sigaction action = {
    .sa_handler = handler, .sa_flags = SA_RESETHAND | SA_NODEFER
  };
  struct sigaction previous;
  if (handler == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  return sigaction (number, &action, &previous) == 0 ? previous.sa_handler
						     : SIG_ERR;
}

ENTRY sighandler_t
sysv_signal (int number, sighandler_t handler)
{
  return __sysv_signal (number, handler);
}

ENTRY sighandler_t
sigset (int number, sighandler_t handler)
{
  const struct sigaction action = { .sa_handler = handler };
  struct sigaction previous;
  sigset_t set, old;
  if (number < 1 || number > 64 || handler == SIG_ERR)
    {
      errno = EINVAL;
      return SIG_ERR;
    }
  const bool holds = handler == SIG_HOLD;
  const uint64_t bit = bit_of (number);
  sigemptyset (&set);
  memcpy (&set, &bit, sizeof bit);
  if (sigaction (number, holds ? NULL : &action, &previous) != 0
      || sigprocmask (holds ? SIG_BLOCK : SIG_UNBLOCK, &set, &old) != 0)
    return SIG_ERR;
  uint64_t old_bits;
  memcpy (&old_bits, &old, sizeof old_bits);
  return (old_bits & bit) != 0 ? SIG_HOLD : previous.sa_handler;
}

/* Memory is locked when it is touched, not all at once: the counters' mapping
   is larger than any machine's memory.  */

ENTRY int
mlockall (int flags)
{
  static bool said;
  if (syscall (SYS_mlockall, flags | MCL_ONFAULT) == 0)
    return 0;
  if (errno != ENOMEM || rt_shadow_pieces != NULL)
    return -1;
  rt_log_once (&said, "mlockall has no effect: with access counters the"
		      " program exceeds its limit of locked memory");
  return 0;
}
