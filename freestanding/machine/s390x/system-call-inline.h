/* System calls, inline, on s390x.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   mmap and clone take their arguments in a way of their own here.  These
   functions take them as on other machines.  */

#ifndef HEAPPROF_SYSTEM_CALL_INLINE_H
#define HEAPPROF_SYSTEM_CALL_INLINE_H

#include <sys/syscall.h>

static inline long
system_call_inline_6 (long number, long a, long b, long c, long d, long e,
		      long f)
{
  const long in_memory[] = { a, b, c, d, e, f };
  register long which __asm__("r1") = number;
  register long first __asm__("r2") = a;
  register long second __asm__("r3") = b;
  register long third __asm__("r4") = c;
  register long fourth __asm__("r5") = d;
  register long fifth __asm__("r6") = e;
  register long sixth __asm__("r7") = f;
  if (number == SYS_mmap)
    first = (long) in_memory;
  else if (number == SYS_clone)
    {
      first = b;
      second = a;
    }
  __asm__ volatile("svc	0"
		   : "+r"(first)
		   : "r"(which), "r"(second), "r"(third), "r"(fourth),
		     "r"(fifth), "r"(sixth), "m"(in_memory)
		   : "memory", "cc");
  return first;
}

#include "system-call-narrow.h"

#endif /* HEAPPROF_SYSTEM_CALL_INLINE_H */
