/* Classes of all kinds, each with virtual functions of its own.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "virtual-link.h"

struct ring : shape
{
  using shape::shape;
  int area (int a) override { return 3 * a + size; }
};

/* Shares a function with its base.  */
struct wide_ring : ring
{
  using ring::ring;
  int width () override { return 2 * size; }
};

struct other
{
  int weight = 5;
  virtual ~other () {}
  virtual int weigh (int a) { return a + weight; }
};

namespace
{
/* Another unit has a class of this name.  */
struct local : shape
{
  using shape::shape;
  int area (int a) override { return 5 * a - size; }
};

/* Calls of the second base's functions go through thunks.  */
struct both : other, shape
{
  explicit both (int s) : shape (s) {}
  int area (int a) override { return a * weight + size; }
};
}

struct shared : virtual shape
{
  explicit shared (int s) : shape (s) {}
  int area (int a) override { return 7 * a - size; }
};

shape *
make_ring (int size)
{
  return new ring (size);
}

shape *
make_wide_ring (int size)
{
  return new wide_ring (size);
}

shape *
make_local_one (int size)
{
  return new local (size);
}

shape *
make_both (int size)
{
  return new both (size);
}

shape *
make_shared (int size)
{
  return new shared (size);
}

shape *
make_scaled_one (int size)
{
  return new scaled<11> (size);
}
