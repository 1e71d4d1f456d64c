/* The second unit of the program of profile-use.exp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-use.h"

/* 70 calls, all with large arguments in this unit.  */
static NOINLINE int
local (int x)
{
  return x < 100 ? x * 7 : x - 3;
}

int
other (int n)
{
  int result = 0;
  for (int i = 0; i < 1000; i++)
    result += shared (i);
  for (int i = 0; i < n; i++)
    result += local (i + 100);
  return result;
}
