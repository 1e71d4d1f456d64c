/* 20,000 blocks of 100 bytes, each written twice, and 500 of 4000, each written
   once.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

__attribute__ ((noinline)) static void
small (int i)
{
  int *volatile block = malloc (100);
  block[0] = i;
  block[20] = i;
  free (block);
}

__attribute__ ((noinline)) static void
large (int i)
{
  int *volatile block = malloc (4000);
  block[i % 1000] = i;
  free (block);
}

int
main (void)
{
  for (int i = 0; i < 20000; i++)
    {
      small (i);
      if (i % 40 == 0)
	large (i);
    }
  return 0;
}
