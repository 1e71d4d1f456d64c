/* Writes to released blocks, over the library's count of the next blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 1000 };

int
main (void)
{
  static uint64_t *volatile blocks[BLOCKS];
  uint64_t sum = 0;
  for (int i = 0; i < BLOCKS; i++)
    blocks[i] = malloc (100);
  for (int i = 0; i < BLOCKS; i++)
    free (blocks[i]);
  for (int i = 0; i < BLOCKS; i++)
    blocks[i][2] = UINT64_MAX / 3;
  for (int i = 0; i < BLOCKS; i++)
    {
      blocks[i] = malloc (100);
      *blocks[i] = (uint64_t) i;
    }
  for (int i = 0; i < BLOCKS; i++)
    sum += *blocks[i];
  printf ("%llu\n", (unsigned long long) sum);
}
