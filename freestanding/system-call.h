/* System calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Not the C library's functions, which may be replaced by the program or by us,
   and where threads may be cancelled.  The result is the kernel's: an error is
   its number, negated.  errno stays as it is.  */

#ifndef HEAPPROF_SYSTEM_CALL_H
#define HEAPPROF_SYSTEM_CALL_H

#include "bytes.h"
#include <sys/syscall.h>

/* Make system call NUMBER.  One function makes all of them, so that a program
   that is linked with --wrap can have them fail.  */
OWN_HIDDEN long __hpr_system_call (long number, long a, long b, long c, long d,
				   long e, long f);

static inline long
system_call_6 (long number, long a, long b, long c, long d, long e, long f)
{
  return __hpr_system_call (number, a, b, c, d, e, f);
}

static inline long
system_call_4 (long number, long a, long b, long c, long d)
{
  return __hpr_system_call (number, a, b, c, d, 0, 0);
}

/* Addresses of the last page are errors.  */

static inline int
system_call_failed (long result)
{
  return (unsigned long) result > -4096ul;
}

#endif /* HEAPPROF_SYSTEM_CALL_H */
