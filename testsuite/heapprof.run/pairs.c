/* As many allocations, each with its release, as the last argument says; with
   the function that the first one names if there are two.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

static void *
allocate (char function)
{
  switch (function)
    {
    case 'c':
      return calloc (8, 8);
    case 'r':
      return realloc (NULL, 64);
    case 's':
      return strdup ("sixteen letters.");
    default:
      return malloc (64);
    }
}

int
main (int count, char **arguments)
{
  for (long i = count > 1 ? atol (arguments[count - 1]) : 0; i > 0; i--)
    {
      void *volatile block = allocate (count > 2 ? arguments[1][0] : 'm');
      free (block);
    }
  return 0;
}
