/* Allocates and releases blocks, and reports each finished release on a pipe,
   until it is killed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* New contexts all the time, so that the file grows: one for each path through
   the bits of N.  */

static __attribute__ ((noinline, noclone)) void *
allocate (unsigned n, unsigned bits)
{
  void *data;
  if (bits == 0)
    return malloc (n % 1000);
  if (n >> bits & 1)
    data = allocate (n, bits - 1);
  else
    data = allocate (n, bits - 1);
  *(volatile char *) &data;
  return data;
}

int
main (void)
{
  for (uint64_t released = 1;; released++)
    {
      volatile char *const block = allocate ((unsigned) released * 40503, 12);
      *block = 1;
      free ((void *) block);
      if (write (1, &released, sizeof released) != sizeof released)
	return 1;
    }
}
