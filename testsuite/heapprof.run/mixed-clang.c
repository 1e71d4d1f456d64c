/* The half that clang compiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mixed.h"
#include <stdlib.h>

volatile char *
clang_leaf (void)
{
  volatile char *const block = malloc (CLANG_BYTES);
  block[0] = 1;
  block[1] = 1;
  return block;
}

int
clang_way (void)
{
  int sum = 0;
  for (int i = 0; i < GCC_BLOCKS; i++)
    {
      volatile char *const block = gcc_leaf ();
      block[1] = 1;
      block[2] = 1;
      block[3] = 1;
      sum += block[0] + block[3];
      free ((void *) block);
    }
  return sum;
}
