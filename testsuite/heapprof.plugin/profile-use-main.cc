/* The first unit of the program of profile-use.exp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-use.h"

/* 30 calls, all with small arguments in this unit.  */
static NOINLINE int
local (int x)
{
  return x < 100 ? x * 7 : x - 3;
}

static NOINLINE int
rare (int x)
{
  return x ^ 5;
}

static NOINLINE int
often (int x)
{
  return x - 1;
}

static int (*volatile const steps[]) (int) = { often, rare };

/* 1 call.  */
NOINLINE int
sum (int n)
{
  int result = 0;
  for (int i = 0; i < n; i++)
    result += steps[i % 50 == 49] (i);
  return result;
}

int
main ()
{
  int result = sum (1000) + other (70);
  for (int i = 0; i < 30; i++)
    result += local (i);
  for (int i = 0; i < 10; i++)
    result += shared (i);
  return result == 4711;
}
