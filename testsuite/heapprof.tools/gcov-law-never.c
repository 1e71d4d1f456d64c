/* A unit that never runs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-law.h"

static long
shrink (long n)
{
  return n > 0 ? n / 2 : 0;
}

long
law_never (long n)
{
  long (*step) (long) = n % 2 ? shrink : law_twice;
  while (n > 1)
    n = step (n) % 100;
  return n;
}
