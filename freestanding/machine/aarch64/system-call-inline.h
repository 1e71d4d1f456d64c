/* System calls, inline, on AArch64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Make system call NUMBER inline.  Arguments that it does not have cost code,
   too, so there are several forms.  */

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

#endif /* HEAPPROF_SYSTEM_CALL_INLINE_H */
