/* Virtual calls of all kinds, each for objects of all possible classes; prints a
   sum for each.
   SPDX-License-Identifier: GPL-3.0-or-later

   The call in a function NAME is two lines after the line with its name.  */

#include "virtual-calls.h"
#include <stdio.h>

struct disc : shape
{
  using shape::shape;
  int area (int a) override { return 3 * a + size; }
};

namespace
{
struct tile : shape
{
  using shape::shape;
  int area (int a) override { return a * a - size; }
};
}

/* Two virtual tables that contain the same function.  */
struct plate : disc { using disc::disc; };
struct coin : disc { using disc::disc; };

/* The table pointer is not at the start, or at another place in each class.  */
struct other
{
  int weight = 5;
  virtual ~other () {}
  virtual int weigh (int a) { return a + weight; }
};
struct heavy : other, shape
{
  explicit heavy (int s) : shape (s) {}
  int area (int a) override { return a * weight + size; }
};
struct shared_base : virtual shape
{
  explicit shared_base (int s) : shape (s) {}
  int area (int a) override { return 7 * a - size; }
};
struct one_side : disc { using disc::disc; };
struct other_side : tile { using tile::tile; };
struct twice : one_side, other_side
{
  explicit twice (int s) : one_side (s), other_side (s + 1) {}
};

/* Values that are returned in memory, and exceptions.  */
struct triple { long values[3]; };
struct maker
{
  virtual ~maker () {}
  virtual triple make (int a) = 0;
};
struct plain : maker
{
  triple make (int a) override { return { { a, 2 * a, 3 * a } }; }
};
struct thrower : maker
{
  triple make (int a) override
  {
    if (a % 2)
      throw a;
    return { { -a, 0, 1 } };
  }
};

#define CALL extern "C" __attribute__ ((noinline, noclone)) int

CALL call_near (shape *p, int a)
{
  return p->area (a);
}

CALL call_same (shape *p, int a)
{
  return p->area (a) + 1;
}

CALL call_bases (shape *p, int a)
{
  return p->area (a) + 2;
}

CALL call_elsewhere (shape *p, int a)
{
  return p->area (a) + 3;
}

CALL call_lines (shape *p, int a)
{
  return p->area
    (a
     + 1) + 4;
}

CALL call_throwing (maker *p, int a)
{
  try {
    return p->make (a).values[1];
  } catch (int n) {
    return -n;
  }
}

CALL call_delete (shape *p, int)
{
  delete p;
  return 0;
}

static inline __attribute__ ((always_inline)) int
inlined (shape *p, int a)
{
  return p->area (a) + 6;
}

CALL call_inlined (shape *p, int a)
{
  return inlined (p, a) * 2;
}

CALL call_inlined_too (shape *p, int a)
{
  return inlined (p, a) * 3;
}

static void
run (const char *name, int (*call) (shape *, int))
{
  long sum = 0;
  twice two (4);
  shape *all[] = { new disc (1), new tile (2), new plate (3), new coin (4),
		   new heavy (5), new shared_base (6), new distant (7),
		   make_distant (8), make_hidden (9), make_secret (10),
		   make_remote (11),
		   static_cast<one_side *> (&two),
		   static_cast<other_side *> (&two) };
  int n = sizeof all / sizeof *all;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < (call == call_delete ? 0 : n); j++)
      sum += call (all[j], i) * (j + 1);
  for (int j = 0; j < n - 2; j++)
    call_delete (all[j], 0);
  printf ("%s %ld\n", name, sum);
}

int
main ()
{
  plain quiet;
  thrower loud;
  long sum = 0;
#define RUN(NAME) run (#NAME, NAME)
  RUN (call_near);
  RUN (call_same);
  RUN (call_bases);
  RUN (call_elsewhere);
  RUN (call_lines);
  RUN (call_delete);
  RUN (call_inlined);
  RUN (call_inlined_too);
  for (int i = 0; i < 100; i++)
    sum += call_throwing (&quiet, i) + 3 * call_throwing (&loud, i);
  printf ("call_throwing %ld\n", sum);
  return 0;
}
