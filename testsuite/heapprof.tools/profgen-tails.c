/* Tail calls, which leave no frame: in a row, from several callers, in a circle, and
   through a pointer; and calls from a recursive function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#define FUNCTION __attribute__ ((noinline)) int

volatile int sink;

FUNCTION
work (int a)
{
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += sink + i;
  return sum + a;
}

FUNCTION
third (int a)
{
  sink++;
  return work (a + 3);
}

FUNCTION
second (int a)
{
  sink++;
  return third (a + 2);
}

FUNCTION
first (int a)
{
  sink++;
  return second (a + 1);
}

int circle (int n);

FUNCTION
half_circle (int n)
{
  sink++;
  if (n <= 0)
    return work (n);
  return circle (n - 1);
}

FUNCTION
circle (int n)
{
  sink++;
  if (n <= 0)
    return third (n);
  return half_circle (n - 1);
}

FUNCTION
either (int n)
{
  sink++;
  if (n & 1)
    return second (n);
  return third (n);
}

int (*table[]) (int) = { first, second };

FUNCTION
indirect (int n)
{
  sink++;
  return table[n & 1](n);
}

FUNCTION
outer (int n)
{
  int sum = first (n) + 1;
  sum += circle (n & 3) + 2;
  sum += either (n) * 3;
  sum += indirect (n) + 7;
  return sum + 1;
}

FUNCTION
recursive (int n)
{
  if (n <= 0)
    return outer (3) + 1;
  return recursive (n - 1) + outer (n) + 1;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 20;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += outer (i) + recursive (i % 5);
  return sum == 99;
}
