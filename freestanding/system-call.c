/* System calls as functions, not inline.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "system-call.h"
#include <stddef.h>

#define WEAK __attribute__ ((weak))

WEAK long (*__hpr_system_call_check) (long number, const long arguments[6]);

WEAK long
__hpr_system_call_refusal (long number, long a, long b, long c, long d, long e,
			   long f)
{
  long (*const check) (long, const long[6])
    = __atomic_load_n (&__hpr_system_call_check, __ATOMIC_RELAXED);
  const long arguments[] = { a, b, c, d, e, f };
  return check != NULL ? check (number, arguments) : 0;
}

/* A filter may look at all six arguments, so the kernel must get those that
   were checked.  */

WEAK long
__hpr_system_call_6 (long number, long a, long b, long c, long d, long e,
		     long f)
{
  if (__builtin_expect (__hpr_system_call_check != NULL, 0))
    {
      const long refusal = __hpr_system_call_refusal (number, a, b, c, d, e, f);
      if (refusal != 0)
	return refusal;
    }
  return system_call_inline_6 (number, a, b, c, d, e, f);
}

WEAK long
__hpr_system_call_4 (long number, long a, long b, long c, long d)
{
  if (__builtin_expect (__hpr_system_call_check != NULL, 0))
    return __hpr_system_call_6 (number, a, b, c, d, 0, 0);
  return system_call_inline_4 (number, a, b, c, d);
}
