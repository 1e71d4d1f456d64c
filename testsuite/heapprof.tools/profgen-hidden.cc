/* Classes of anonymous namespaces that share names, each copy of this file in a
   program with its own; MAKE is the name of its function, OTHERS says whether
   this is the file with the main function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

struct Shape
{
  virtual int area (int) = 0;
};

struct Named
{
  virtual int name (int) = 0;
};

Shape *make_first ();
Shape *make_second ();

namespace {

struct Square : Shape
{
  int area (int n) override
  {
    int sum = STEP;
    for (int i = 0; i < n; i++)
      sum ^= sum * STEP + i;
    return sum;
  }
};

struct Label : Shape, Named
{
  int area (int n) override { return n; }
  int name (int n) override { return n * STEP; }
};

}

Shape *
MAKE ()
{
  return new Square;
}

#ifdef OTHERS
__attribute__ ((noipa)) static int
add_areas (Shape *shape, int times)
{
  int sum = 0;
  for (int i = 0; i < times; i++)
    sum += shape->area (10);
  return sum;
}

__attribute__ ((noipa)) static int
add_names (Named *named, int times)
{
  int sum = 0;
  for (int i = 0; i < times; i++)
    sum += named->name (i);
  return sum;
}

int
main ()
{
  Label label;
  Named *volatile named = &label;
  int sum = add_areas (make_second (), 40);
  sum += add_areas (make_first (), 60) + add_names (named, 50);
  std::printf ("%d\n", sum);
}
#endif
