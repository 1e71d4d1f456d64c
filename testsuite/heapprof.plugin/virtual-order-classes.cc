/* Three classes with a function of their own each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "virtual-order.h"

struct disc : shape
{
  unsigned area (unsigned a) override { return a * 7 - size; }
};

struct tile : shape
{
  unsigned area (unsigned a) override { return a / 3 + size; }
};

struct ring : shape
{
  unsigned area (unsigned a) override { return a ^ size; }
};

shape *
make_disc ()
{
  return new disc;
}

shape *
make_tile ()
{
  return new tile;
}

shape *
make_ring ()
{
  return new ring;
}
