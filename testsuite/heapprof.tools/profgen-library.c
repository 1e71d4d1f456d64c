/* A shared library that calls back into the program; see profgen-caller.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

static int
step (int a, int b)
{
  return a % 5 == 0 ? a - b : a + 3 * b;
}

__attribute__ ((noinline)) static int
weigh (int a)
{
  int sum = 0;
  for (int i = 0; i < a % 4; i++)
    sum = step (sum, a);
  return sum;
}

int
library_fold (int (*function) (int), int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += step (function (i), i) + weigh (i);
  return sum;
}

int
library_twice (int a)
{
  return weigh (a) + weigh (a + 1);
}
