/* System calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These replace the C library's functions, which the program or we may
   override, and which are cancellation points.  The result is the kernel's: a
   negated error number on failure.  errno does not change.  */

#ifndef HEAPPROF_SYSTEM_CALL_H
#define HEAPPROF_SYSTEM_CALL_H

#include "bytes.h"
#include "system-call-inline.h"
#include <sys/syscall.h>

/* Make system call NUMBER by calling a function, so that a program can have
   its own that fails.  */
OWN_HIDDEN long __hpr_system_call_4 (long number, long a, long b, long c,
				     long d);
OWN_HIDDEN long __hpr_system_call_6 (long number, long a, long b, long c,
				     long d, long e, long f);

/* If the program has filters of system calls, a function that returns 0 if call
   NUMBER may be made, and otherwise what it then returns.  */
extern OWN_HIDDEN long (*__hpr_system_call_check) (long number,
						   const long arguments[6]);

/* The same; 0 if there are no filters.  For inline calls.  */
OWN_HIDDEN long __hpr_system_call_refusal (long number, long a, long b, long c,
					   long d, long e, long f);

static inline long
system_call_6 (long number, long a, long b, long c, long d, long e, long f)
{
  return __hpr_system_call_6 (number, a, b, c, d, e, f);
}

static inline long
system_call_4 (long number, long a, long b, long c, long d)
{
  return __hpr_system_call_4 (number, a, b, c, d);
}

/* True if RESULT is an error: an address in the last page.  */

static inline int
system_call_failed (long result)
{
  return (unsigned long) result > -4096ul;
}

#endif /* HEAPPROF_SYSTEM_CALL_H */
