/* A class in a shared library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "virtual-link.h"

struct far : shape
{
  using shape::shape;
  int area (int a) override;
};

int
far::area (int a)
{
  return 19 * a - size;
}

shape *
make_far (int size)
{
  return new far (size);
}
