/* System calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   These replace the C library's functions, which the program or we may
   override, and which are cancellation points.  The result is the kernel's: a
   negated error number on failure.  errno does not change.  */

#ifndef HEAPPROF_SYSTEM_CALL_H
#define HEAPPROF_SYSTEM_CALL_H

#include "bytes.h"
#include <sys/syscall.h>

/* Make system call NUMBER inline.  Arguments that it does not have cost code,
   too, so there are several forms.  */

#ifdef __x86_64__

static inline long
system_call_inline_6 (long number, long a, long b, long c, long d, long e,
		      long f)
{
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
		   : "=a"(result)
		   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth),
		     "r"(fifth), "r"(sixth)
		   : "rcx", "r11", "memory");
  return result;
}

static inline long
system_call_inline_1 (long number, long a)
{
  long result;
  __asm__ volatile("syscall"
		   : "=a"(result)
		   : "0"(number), "D"(a)
		   : "rcx", "r11", "memory");
  return result;
}

static inline long
system_call_inline_3 (long number, long a, long b, long c)
{
  long result;
  __asm__ volatile("syscall"
		   : "=a"(result)
		   : "0"(number), "D"(a), "S"(b), "d"(c)
		   : "rcx", "r11", "memory");
  return result;
}

static inline long
system_call_inline_4 (long number, long a, long b, long c, long d)
{
  register long fourth __asm__("r10") = d;
  long result;
  __asm__ volatile("syscall"
		   : "=a"(result)
		   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
		   : "rcx", "r11", "memory");
  return result;
}

#elif defined __aarch64__

static inline long
system_call_inline_6 (long number, long a, long b, long c, long d, long e,
		      long f)
{
  register long which __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  register long fifth __asm__("x4") = e;
  register long sixth __asm__("x5") = f;
  __asm__ volatile("svc	#0"
		   : "+r"(first)
		   : "r"(which), "r"(second), "r"(third), "r"(fourth),
		     "r"(fifth), "r"(sixth)
		   : "memory");
  return first;
}

static inline long
system_call_inline_1 (long number, long a)
{
  return system_call_inline_6 (number, a, 0, 0, 0, 0, 0);
}

static inline long
system_call_inline_3 (long number, long a, long b, long c)
{
  return system_call_inline_6 (number, a, b, c, 0, 0, 0);
}

static inline long
system_call_inline_4 (long number, long a, long b, long c, long d)
{
  return system_call_inline_6 (number, a, b, c, d, 0, 0);
}

#else
#error "no system calls for this machine"
#endif

/* Make system call NUMBER by calling a function, so that a program linked with
   --wrap can make it fail.  */
OWN_HIDDEN long __hpr_system_call_4 (long number, long a, long b, long c,
				     long d);
OWN_HIDDEN long __hpr_system_call_6 (long number, long a, long b, long c,
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
