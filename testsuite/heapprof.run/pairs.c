/* As many allocations, each with its release, as the last argument says; with
   realloc if there are two.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

int
main (int count, char **arguments)
{
  for (long i = count > 1 ? atol (arguments[count - 1]) : 0; i > 0; i--)
    {
      void *volatile block = NULL;
      block = count > 2 ? realloc (block, 64) : malloc (64);
      free (block);
    }
  return 0;
}
