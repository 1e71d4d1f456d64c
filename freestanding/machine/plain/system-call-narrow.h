/* System calls, inline, with few arguments, by the form with six.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SYSTEM_CALL_NARROW_H
#define HEAPPROF_SYSTEM_CALL_NARROW_H

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

#endif /* HEAPPROF_SYSTEM_CALL_NARROW_H */
