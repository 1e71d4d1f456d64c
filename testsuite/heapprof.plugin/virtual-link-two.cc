/* More classes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "virtual-link.h"

namespace
{
struct local : shape
{
  using shape::shape;
  int area (int a) override { return 13 * a - size; }
};

struct middle : scaled<11>
{
  using scaled<11>::scaled;
  int width () override { return size + 1; }
};

/* Two levels below the class with the function that it overrides.  */
struct deep : middle
{
  using middle::middle;
  int area (int a) override { return 17 * a + width (); }
};
}

shape *
make_local_two (int size)
{
  return new local (size);
}

shape *
make_scaled_two (int size)
{
  return new scaled<11> (size);
}

shape *
make_deep (int size)
{
  return new deep (size);
}
