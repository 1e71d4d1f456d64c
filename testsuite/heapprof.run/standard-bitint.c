/* C23: integers of any width, in the heap.
   SPDX-License-Identifier: GPL-3.0-or-later

   Wide ones are loaded and stored by parts of 8 bytes, narrow ones at once.  */

#include "truth.h"
#include <stdlib.h>

typedef _BitInt (256) wide;
typedef unsigned _BitInt (37) narrow;

#define COUNT 100

NOINLINE static wide
sum_wide (const wide *numbers)
{
  wide sum = 0;
  for (int i = 0; i < COUNT; i++)
    {
      sum += numbers[i];
      BARRIER ();
    }
  return sum;
}

NOINLINE static narrow
sum_narrow (const narrow *numbers)
{
  narrow sum = 0;
  for (int i = 0; i < COUNT; i++)
    {
      sum += numbers[i];
      BARRIER ();
    }
  return sum;
}

int
main (void)
{
  wide *numbers = malloc (COUNT * sizeof *numbers); /* site: wide */
  narrow *others = malloc (COUNT * sizeof *others); /* site: narrow */
  wide sum = 0;
  narrow sum_of_others = 0;
  for (int i = 0; i < COUNT; i++)
    {
      wide number = (wide) 1 << 2 * i;
      narrow other = (narrow) 1 << i % 37;
      sum += number;
      sum_of_others += other;
      numbers[i] = number;
      others[i] = other;
      BARRIER ();
    }
  if (sum_wide (numbers) == sum && sum_narrow (others) == sum_of_others)
    {
      truth_site ("wide", 1, COUNT * 32, 2 * 4 * COUNT);
      truth_site ("narrow", 1, COUNT * 8, 2 * COUNT);
    }
  free (numbers);
  free (others);
  return 0;
}
