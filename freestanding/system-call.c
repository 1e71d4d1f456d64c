/* System calls as functions, not inline.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "system-call.h"

#define WEAK __attribute__ ((weak))

WEAK long
__hpr_system_call_4 (long number, long a, long b, long c, long d)
{
  return system_call_inline_4 (number, a, b, c, d);
}

WEAK long
__hpr_system_call_6 (long number, long a, long b, long c, long d, long e,
		     long f)
{
  return system_call_inline_6 (number, a, b, c, d, e, f);
}
