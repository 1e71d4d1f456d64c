/* Classes that only another unit knows.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct shape
{
  unsigned size = 3;
  virtual unsigned area (unsigned a) = 0;
};

/* In virtual-order-classes.cc.  */
shape *make_disc ();
shape *make_tile ();
shape *make_ring ();
