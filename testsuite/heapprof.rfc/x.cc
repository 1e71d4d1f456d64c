/* Two calling contexts of one allocation: main -> foo -> baz -> bar -> malloc,
   where baz calls bar twice.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

enum { CALLS = 10, HOT_ROUNDS = 100, BYTES = 40 };

char *
bar ()
{
  return (char *) malloc (BYTES);
}

void
baz (char **hot, char **cold)
{
  *hot = bar ();
  *cold = bar ();
}

void
foo (int round)
{
  char *hot;
  char *cold;
  baz (&hot, &cold);
  for (int i = 0; i < HOT_ROUNDS; i++)
    *(volatile char *) hot = (char) round;
  *(volatile char *) cold = (char) round;
  free (hot);
  free (cold);
}

int
main ()
{
  for (int i = 0; i < CALLS; i++)
    foo (i);
  return 0;
}
