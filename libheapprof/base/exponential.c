/* Logarithm and exponential function.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "exponential.h"
#include <stdint.h>

#define LN_2 0.693147180559945309417

/* Double-precision numbers: 52 bits of fraction, exponents from 1023 down.  */
#define FRACTION_BITS 52
#define EXPONENT_OF_ONE 1023

/* With x = 2^n * m and 1/sqrt 2 <= m < sqrt 2, ln x = n ln 2 + 2 artanh s,
   where s = (m - 1) / (m + 1), and |s| < 0.172: the series ends with s^21.  */

double
rt_log_of (double x)
{
  union
  {
    double number;
    uint64_t bits;
  } value = { .number = x };
  int exponent = (int) (value.bits >> FRACTION_BITS) - EXPONENT_OF_ONE;
  value.bits = (value.bits & (((uint64_t) 1 << FRACTION_BITS) - 1))
	       | (uint64_t) EXPONENT_OF_ONE << FRACTION_BITS;
  if (value.number > 1.41421356237309504880)
    {
      value.number /= 2;
      exponent++;
    }
  const double s = (value.number - 1) / (value.number + 1);
  double sum = 0;
  for (int power = 21; power >= 1; power -= 2)
    sum = sum * s * s + 1.0 / power;
  return exponent * LN_2 + 2 * s * sum;
}

/* Halve X until it is at most 1/16, where eight terms of the series are enough,
   and then double it again: 1 - e^-2y = a (2 - a) with a = 1 - e^-y.  */

double
rt_share_of (double x)
{
  if (x > 40)
    return 1;
  int halvings = 0;
  for (; x > 0.0625; halvings++)
    x /= 2;
  double share = 0;
  for (int i = 10; i >= 1; i--)
    share = x / i * (1 - share);
  for (; halvings > 0; halvings--)
    share = share * (2 - share);
  return share;
}
