/* Many calling contexts: 4096 paths of 12 levels to one allocation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static volatile unsigned calls;

static NOINLINE void
leaf (void)
{
  free (malloc (10));
}

static NOINLINE void
descend (unsigned bits, unsigned levels)
{
  if (levels == 0)
    leaf ();
  else if (bits % 2 == 0)
    descend (bits / 2, levels - 1);
  else
    descend (bits / 2, levels - 1);
  calls++;
}

int
main (void)
{
  for (unsigned i = 0; i < 16384; i++)
    descend (i, 12);
  return 0;
}
