/* System calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "system-call.h"

#define WEAK __attribute__ ((weak))

#ifdef __x86_64__

WEAK long
__hpr_system_call (long number, long a, long b, long c, long d, long e, long f)
{
  register long fourth __asm__ ("r10") = d;
  register long fifth __asm__ ("r8") = e;
  register long sixth __asm__ ("r9") = f;
  long result;
  __asm__ volatile ("syscall"
		    : "=a" (result)
		    : "0" (number), "D" (a), "S" (b), "d" (c), "r" (fourth),
		      "r" (fifth), "r" (sixth)
		    : "rcx", "r11", "memory");
  return result;
}

#elif defined __aarch64__

WEAK long
__hpr_system_call (long number, long a, long b, long c, long d, long e, long f)
{
  register long which __asm__ ("x8") = number;
  register long first __asm__ ("x0") = a;
  register long second __asm__ ("x1") = b;
  register long third __asm__ ("x2") = c;
  register long fourth __asm__ ("x3") = d;
  register long fifth __asm__ ("x4") = e;
  register long sixth __asm__ ("x5") = f;
  __asm__ volatile ("svc	#0"
		    : "+r" (first)
		    : "r" (which), "r" (second), "r" (third), "r" (fourth),
		      "r" (fifth), "r" (sixth)
		    : "memory");
  return first;
}

#else
#error "no system calls for this machine"
#endif
