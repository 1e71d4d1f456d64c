/* Virtual calls of four classes: of 32 objects, 24, 6, 1 and 1.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct shape
{
  int size;
  explicit shape (int s) : size (s) {}
  virtual int area (int a) = 0;
};

struct tile : shape
{
  using shape::shape;
  int area (int a) override { return a * a - size; }
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

static shape *
make (int i)
{
  if (i == 5)
    return new ring (i);
  if (i == 21)
    return new cone (i);
  if (i % 5 == 2)
    return new disc (i);
  return new tile (i);
}

extern "C" __attribute__ ((noinline, noclone)) int
sum (shape *const *all, int n)
{
  int total = 0;
  for (int i = 0; i < n; i++)
    total += all[i]->area (i);
  return total;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1;
  shape *all[32];
  unsigned total = 0;
  for (int i = 0; i < 32; i++)
    all[i] = make (i);
  for (int i = 0; i < n; i++)
    total += sum (all, 32);
  return total == 42;
}
