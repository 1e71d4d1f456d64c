/* The proposal's other program: two calls of the same function, each the last in
   its branch.
   SPDX-License-Identifier: GPL-3.0-or-later

   A line that ends with @NAME is called NAME below.

   EXPECT 10: leaf then choose main
   EXPECT 15: leaf else choose main  */

#include <stdlib.h>

enum { CALLS = 25, BYTES = 40 };

char *
bar ()
{
  return (char *) malloc (BYTES);	// @leaf
}

char *
baz (bool x)
{
  if (x)
    return bar ();			// @then
  else
    return bar ();			// @else
}

void
foo (int round)
{
  char *block = baz (round % 5 < 2);	// @choose
  *(volatile char *) block = (char) round;
  free (block);
}

int
main ()
{
  for (int i = 0; i < CALLS; i++)
    foo (i);				// @main
  return 0;
}
