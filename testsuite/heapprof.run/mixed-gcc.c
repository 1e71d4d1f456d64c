/* The half that gcc compiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mixed.h"
#include <stdlib.h>

volatile char *
gcc_leaf (void)
{
  volatile char *const block = malloc (GCC_BYTES);
  block[0] = 1;
  return block;
}

int
gcc_way (void)
{
  int sum = 0;
  for (int i = 0; i < CLANG_BLOCKS; i++)
    {
      volatile char *const block = clang_leaf ();
      block[2] = 1;
      sum += block[1] + block[2];
      free ((void *) block);
    }
  return sum;
}

int
main (void)
{
  return gcc_way () + clang_way () != 2 * (CLANG_BLOCKS + GCC_BLOCKS);
}
