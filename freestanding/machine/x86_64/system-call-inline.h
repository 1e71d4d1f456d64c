/* System calls, inline, on x86-64.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Make system call NUMBER inline.  Arguments that it does not have cost code,
   too, so there are several forms.  */

#ifndef HEAPPROF_SYSTEM_CALL_INLINE_H
#define HEAPPROF_SYSTEM_CALL_INLINE_H

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

#endif /* HEAPPROF_SYSTEM_CALL_INLINE_H */
