/* Virtual calls for two classes, three of one for each of the other, and a loop in
   a function that is inlined.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct shape
{
  virtual int area (int a) = 0;
  virtual ~shape () {}
};

struct disc : shape
{
  int area (int a) override { return 3 * a; }
};

namespace
{
struct tile : shape
{
  int area (int a) override { return a * a - 1; }
};
}

static inline int
fold (int x)
{
  int r = 0;
  for (int i = 0; i < 3; i++)
    {
      if (x >> i & 1)
	r += x ^ i;
      else
	r -= i;
    }
  return r;
}

__attribute__ ((noinline)) shape *
make (int k)
{
  if (k % 4 == 0)
    return new disc;
  return new tile;
}

__attribute__ ((noinline)) int
step (int i)
{
  shape *s = make (i);
  int v = s->area (i);
  v += fold (v);
  delete s;
  return v;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 100;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += step (i);
  return sum == 42;
}
