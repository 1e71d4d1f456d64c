/* Virtual calls of three functions of another unit, in a function of which GCC
   makes a specialized copy, and in one of which it does not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "virtual-order.h"
#include <stdio.h>

static shape *all[100];

/* Always for the same array.  */
static __attribute__ ((noinline)) unsigned
specialized (shape **list, unsigned n)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += list[i]->area (i);
  return sum;
}

__attribute__ ((noinline, noclone)) unsigned
direct (shape *one, unsigned n)
{
  return one->area (n);
}

int
main ()
{
  for (int i = 0; i < 100; i++)
    all[i] = (i % 20 < 14 ? make_disc ()
	      : i % 20 < 18 ? make_tile () : make_ring ());
  printf ("%u %u\n", specialized (all, 100), direct (all[1], 1));
  return 0;
}
