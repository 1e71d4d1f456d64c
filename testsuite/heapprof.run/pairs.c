/* As many allocations, each with its release, as the argument says.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

int
main (int count, char **arguments)
{
  for (long i = count > 1 ? atol (arguments[1]) : 0; i > 0; i--)
    {
      void *volatile block = malloc (64);
      free (block);
    }
  return 0;
}
