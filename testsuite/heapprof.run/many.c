/* Many calling contexts: 4 to the power of the argument, with a block of 10 bytes
   in each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

/* Empty statements keep the calls separate, and the last one a call.  */
#define APART __asm__ volatile ("")

static __attribute__ ((noinline)) void
visit (int depth)
{
  if (depth == 0)
    {
      free (malloc (10));
      return;
    }
  visit (depth - 1);
  APART;
  visit (depth - 1);
  APART;
  visit (depth - 1);
  APART;
  visit (depth - 1);
  APART;
}

int
main (int count, char **arguments)
{
  visit (count > 1 ? atoi (arguments[1]) : 1);
  return 0;
}
