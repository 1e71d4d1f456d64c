/* A program whose calls the tests of the tools look up.  Each caller calls malloc
   or another function once, so that the calls can be found by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#define CALLED __attribute__ ((noinline, noclone))

void *kept;

CALLED void *
grab (size_t size)
{
  return malloc (size);
}

static inline __attribute__ ((always_inline)) void *
inner (size_t size)
{
  void *block = malloc (size);
  kept = block;
  return block;
}

CALLED void *
outer (size_t size)
{
  return inner (size + 1);
}

CALLED void
build (void)
{
  kept = grab (100);
}

CALLED void
scan (void)
{
  kept = grab (200);
}

int
main (void)
{
  build ();
  scan ();
  return outer (300) == NULL;
}
