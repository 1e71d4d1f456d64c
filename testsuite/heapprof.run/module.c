/* A module that allocates BLOCKS blocks of BYTES bytes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

void
module_work (void)
{
  for (int i = 0; i < BLOCKS; i++)
    {
      volatile char *const block = malloc (BYTES);
      *block = 1;
      free ((void *) block);
    }
}
