/* Two sites with blocks of one size: accesses to all, and most accesses to one
   block in ten.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

enum
{
  BLOCKS = 4000,
  WORDS = 16
};

static void
use (int *volatile block, int accesses)
{
  for (int i = 0; i < accesses; i++)
    *(volatile int *) block = i;
}

__attribute__ ((noinline)) static void
even (void)
{
  int *const block = malloc (WORDS * sizeof (int));
  use (block, 40);
  free (block);
}

__attribute__ ((noinline)) static void
uneven (int i)
{
  int *const block = malloc (WORDS * sizeof (int));
  use (block, i % 10 == 0 ? 4000 : 10);
  free (block);
}

int
main (void)
{
  for (int i = 0; i < BLOCKS; i++)
    {
      even ();
      uneven (i);
    }
  return 0;
}
