/* Classes that are not defined in the unit with the calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "virtual-calls.h"

namespace
{
struct secret : shape
{
  using shape::shape;
  int area (int a) override { return 17 * a + size; }
};
}

int
distant::area (int a)
{
  return 19 * a + size;
}

int
remote::area (int a)
{
  return 29 * a + size;
}

int
hidden::area (int a)
{
  return 23 * a + size;
}

shape *
make_secret (int size)
{
  return new secret (size);
}

shape *
make_distant (int size)
{
  return new distant (size);
}

shape *
make_remote (int size)
{
  return new remote (size);
}

shape *
make_hidden (int size)
{
  return new hidden (size);
}
