/* A program with everything that gcc can count: arcs, values, callees.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-work.h"
#include <stdlib.h>

static int
twice (int x)
{
  return 2 * x;
}

static int
half (int x)
{
  return x / 2;
}

int
plus (int x)
{
  return x + 1;
}

static int (*const steps[]) (int) = { twice, half, plus };

static int
classify (int x)
{
  switch (x % 7)
    {
    case 0:
      return 1;
    case 1: case 2:
      return divide (x, 3);
    case 5:
      for (int i = 0; i < x % 5; i++) x += i;
      return x;
    default:
      return x > 50 ? minus (x) : -x;
    }
}

int
never (int x)
{
  while (x > 0)
    x -= x % 3 + 1;
  return x;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 10;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += steps[i % 3 == 2 && i > 40 ? 2 : i % 2] (i) + classify (i);
  return sum == 4711 ? never (sum) : 0;
}
