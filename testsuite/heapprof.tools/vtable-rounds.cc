/* Virtual calls for mixes of five classes, two of which share the function.
   SPDX-License-Identifier: GPL-3.0-or-later

   With CLASSES or CALLS defined, only this part of the program.  */

#include <stdlib.h>

struct shape
{
  int size;
  explicit shape (int s) : size (s) {}
  virtual int area (int a) = 0;
};

shape *make (int kind, int i);

#ifndef CALLS
struct tile : shape
{
  using shape::shape;
  int area (int a) override { return a * a - size; }
};

struct plate : tile
{
  using tile::tile;
};

namespace
{
struct disc : shape
{
  using shape::shape;
  int area (int a) override { return 3 * a + size; }
};
}

struct ring : shape
{
  using shape::shape;
  int area (int a) override { return 5 * a + size; }
};

struct cone : shape
{
  using shape::shape;
  int area (int a) override { return 7 * a + size; }
};

shape *
make (int kind, int i)
{
  switch (kind)
    {
    case 0:
      return new tile (i);
    case 1:
      return new plate (i);
    case 2:
      return new disc (i);
    case 3:
      return new ring (i);
    default:
      return new cone (i);
    }
}
#endif

#ifndef CLASSES
/* Mixes of 32 objects: numbers of tiles, plates, discs, rings and cones.  */
static const int mixes[][5] = {
  { 24, 0, 6, 1, 1 },
  { 13, 11, 6, 1, 1 },
  { 4, 4, 20, 3, 1 },
  { 17, 13, 0, 1, 1 },
};

/* Fill ALL with MIX, spreading each kind over it.  */
static void
fill (shape **all, const int *mix)
{
  int at = 0;
  for (int kind = 0; kind < 5; kind++)
    for (int i = 0; i < mix[kind]; i++)
      {
	all[at] = make (kind, at);
	at = (at + 5) % 32;
      }
}

template<int mix>
__attribute__ ((noinline, noclone)) int
sum (shape *const *all, int n)
{
  int total = 0;
  for (int i = 0; i < n; i++)
    total += all[i]->area (i + mix);
  return total;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1;
  shape *all[4][32];
  unsigned total = 0;
  for (int mix = 0; mix < 4; mix++)
    fill (all[mix], mixes[mix]);
  for (int i = 0; i < n; i++)
    total += sum<0> (all[0], 32) + sum<1> (all[1], 32) + sum<2> (all[2], 32)
	     + sum<3> (all[3], 32);
  return total == 42;
}
#endif
