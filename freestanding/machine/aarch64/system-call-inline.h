/* System calls, inline, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SYSTEM_CALL_INLINE_H
#define HEAPPROF_SYSTEM_CALL_INLINE_H

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

#include "system-call-narrow.h"

#endif /* HEAPPROF_SYSTEM_CALL_INLINE_H */
