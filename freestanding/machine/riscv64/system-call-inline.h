/* System calls, inline, on RISC-V.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SYSTEM_CALL_INLINE_H
#define HEAPPROF_SYSTEM_CALL_INLINE_H

static inline long
system_call_inline_6 (long number, long a, long b, long c, long d, long e,
		      long f)
{
  register long which __asm__("a7") = number;
  register long first __asm__("a0") = a;
  register long second __asm__("a1") = b;
  register long third __asm__("a2") = c;
  register long fourth __asm__("a3") = d;
  register long fifth __asm__("a4") = e;
  register long sixth __asm__("a5") = f;
  __asm__ volatile("ecall"
		   : "+r"(first)
		   : "r"(which), "r"(second), "r"(third), "r"(fourth),
		     "r"(fifth), "r"(sixth)
		   : "memory");
  return first;
}

#include "system-call-narrow.h"

#endif /* HEAPPROF_SYSTEM_CALL_INLINE_H */
