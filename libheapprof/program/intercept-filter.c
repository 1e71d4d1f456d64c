/* The functions by which a program installs filters of its system calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The library has to know the filters, to keep to them (call-filter.h).  A
   vfork child that installs one does that for its parent's copy of the library,
   too: that costs parts of the profile at most.  */

#include "abi-symbols.h"
#include "call-filter.h"
#include "ending.h"
#include "gate.h"
#include "system-call.h"
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>

#ifndef SECCOMP_SET_MODE_FILTER
#define SECCOMP_SET_MODE_STRICT 0
#define SECCOMP_SET_MODE_FILTER 1
#endif

/* Flags of seccomp: all threads get the filter; the result is a descriptor.  */
#define ALL_THREADS_FLAG 1
#define DESCRIPTOR_FLAG 8

/* With sibling calls, a function needs no frame to call another at its end.  */
#ifdef __clang__
#define FRAMELESS
#else
#define FRAMELESS __attribute__ ((optimize ("optimize-sibling-calls")))
#endif

/* The C library's declaration has an ellipsis, whose arguments a function has
   to store before it can pass them on.  */
RT_ENTRY long rt_system_call (long number, long a, long b, long c, long d,
			      long e, long f) __asm__("syscall");

/* errno is set out of line, so that a call that returns twice, or on another
   stack, finds only the return address there, as in the C library.  */

static __attribute__ ((noinline)) long
fail (long error)
{
  errno = (int) -error;
  return -1;
}

static inline long
finish (long result)
{
  return __builtin_expect (system_call_failed (result), 0) ? fail (result)
							   : result;
}

/* Signals can be sent again after the profile has been completed.  */

static bool
allows_ending (const struct call_filter *filter)
{
  return call_filter_allows (filter, SYS_rt_sigaction)
	 && call_filter_allows (filter, SYS_tgkill);
}

/* Install a filter by the system call NUMBER.  Return its result.  */

static long
install (struct call_filter *filter, bool all_threads, long number, long a,
	 long b, long c, long d, long e)
{
  const bool stops = filter != NULL && !allows_ending (filter);
  /* Before the filter is there, which may forbid that.  */
  if (stops)
    rt_ending_stop ();
  const long result = system_call_inline_6 (number, a, b, c, d, e, 0);
  /* A positive result is a thread that does not take the filter.  */
  const bool is_installed = all_threads ? result == 0 : result >= 0;
  if (filter != NULL && !is_installed)
    {
      call_filter_cancel (filter);
      if (stops)
	rt_ending_start ();
    }
  /* The strict mode also forbids to read the processor's clock.  */
  if (is_installed && call_filter_is_strict (filter))
    rt_gate_abandon ();
  return result;
}

static __attribute__ ((noinline)) long
call_seccomp (long operation, long flags, long argument)
{
  const bool all_threads
    = (flags & (ALL_THREADS_FLAG | DESCRIPTOR_FLAG)) == ALL_THREADS_FLAG;
  struct call_filter *filter = NULL;
  if (operation == SECCOMP_SET_MODE_FILTER)
    filter = call_filter_add ((const struct sock_fprog *) argument);
  else if (operation == SECCOMP_SET_MODE_STRICT)
    filter = call_filter_add_strict ();
  return install (filter, all_threads, SYS_seccomp, operation, flags, argument,
		  0, 0);
}

static __attribute__ ((noinline)) long
call_prctl (long option, long a, long b, long c, long d)
{
  struct call_filter *filter = NULL;
  if (option == PR_SET_SECCOMP && a == SECCOMP_MODE_FILTER)
    filter = call_filter_add ((const struct sock_fprog *) b);
  else if (option == PR_SET_SECCOMP && a == SECCOMP_MODE_STRICT)
    filter = call_filter_add_strict ();
  return install (filter, false, SYS_prctl, option, a, b, c, d);
}

RT_ENTRY int
prctl (int option, ...)
{
  va_list arguments;
  va_start (arguments, option);
  const long a = va_arg (arguments, long);
  const long b = va_arg (arguments, long);
  const long c = va_arg (arguments, long);
  const long d = va_arg (arguments, long);
  va_end (arguments);
  return (int) finish (call_prctl (option, a, b, c, d));
}

static __attribute__ ((noinline)) long
call_special (long number, long a, long b, long c, long d, long e)
{
  return finish (number == SYS_seccomp ? call_seccomp (a, b, c)
				       : call_prctl (a, b, c, d, e));
}

FRAMELESS long
rt_system_call (long number, long a, long b, long c, long d, long e, long f)
{
  if (number == SYS_seccomp || number == SYS_prctl)
    return call_special (number, a, b, c, d, e);
  return finish (system_call_inline_6 (number, a, b, c, d, e, f));
}
