/* Values for gcc to count: divisors, sizes, callees.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-law.h"
#include <string.h>

typedef long step (long, long);

static long
add (long a, long b)
{
  return a + b;
}

static long
divide (long a, long b)
{
  return b != 0 ? a / b : a % 8;
}

static long
copy (long a, long b)
{
  char from[64] = "", to[64];
  memcpy (to, from, (size_t) (a & 63));
  return a > 0 ? to[0] + b : b;
}

static step *const steps[] = { add, divide, copy };

long
law_work (long n)
{
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum = steps[i % 7 < 5 ? 0 : i % 3] (sum, i % 5);
  return sum;
}
