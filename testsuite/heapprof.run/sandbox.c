/* A program that restricts its system calls: sandbox NUMBER...  After it has
   started and allocated, filters make the calls NUMBER... fail with EPERM.  Exits
   with 77 if filters are not allowed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "failing-call.h"
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static volatile unsigned calls;

/* Each WAY is a context of its own, so that the profile grows.  */

static NOINLINE void
descend (unsigned levels, unsigned way)
{
  char *volatile block = malloc (10 + levels);
  *(volatile char *) block = 1;
  if (levels > 0)
    {
      if (way & 1)
	descend (levels - 1, way / 2);
      else
	descend (levels - 1, way / 2);
    }
  calls++;
  free (block);
}

int
main (int count, char **arguments)
{
  for (unsigned way = 0; way < 16; way++)
    descend (9, way);
  for (int i = 1; i < count; i++)
    make_fail ((unsigned) atoi (arguments[i]));
  for (unsigned way = 16; way < 512; way++)
    descend (9, way);
  printf ("%u\n", calls);
  return 0;
}
