/* A module that allocates.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *
make (size_t size)
{
  return memset (malloc (size), 1, size);
}

void
drop (void *data)
{
  free (data);
}

#ifdef WAITS
/* The dynamic linker waits for this: for so many seconds, or for ever.  */
__attribute__ ((constructor)) static void
wait_long (void)
{
  sleep (WAITS);
  while (WAITS == 0)
    pause ();
}
#endif
