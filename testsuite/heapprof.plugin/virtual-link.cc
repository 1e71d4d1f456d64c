/* Virtual calls for classes of other units; prints a sum for each.
   SPDX-License-Identifier: GPL-3.0-or-later

   The call in a function NAME is two lines after the line with its name.  */

#include "virtual-link.h"
#include <stdio.h>

#define CALL extern "C" __attribute__ ((noinline, noclone)) int

CALL call_ring (shape *p, int a)
{
  return p->area (a);
}

CALL call_local (shape *p, int a)
{
  return p->area (a) + 1;
}

CALL call_both (shape *p, int a)
{
  return p->area (a) + 2;
}

CALL call_shared (shape *p, int a)
{
  return p->area (a) + 3;
}

CALL call_scaled (shape *p, int a)
{
  return p->area (a) + 4;
}

CALL call_far (shape *p, int a)
{
  return p->area (a) + 5;
}

static void
run (const char *name, int (*call) (shape *, int))
{
  long sum = 0;
  shape *all[]
    = { make_ring (1), make_wide_ring (2), make_local_one (3), make_both (4),
	make_shared (5), make_scaled_one (6), make_local_two (7),
	make_scaled_two (8), make_deep (9), make_far (10) };
  int n = sizeof all / sizeof *all;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < n; j++)
      sum += call (all[j], i) * (j + 1);
  for (int j = 0; j < n; j++)
    delete all[j];
  printf ("%s %ld\n", name, sum);
}

int
main ()
{
#define RUN(NAME) run (#NAME, NAME)
  RUN (call_ring);
  RUN (call_local);
  RUN (call_both);
  RUN (call_shared);
  RUN (call_scaled);
  RUN (call_far);
  return 0;
}
