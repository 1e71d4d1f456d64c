/* The base of the classes for the test of calls that the link promotes.  Each
   class is known only to the unit that makes its objects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct shape
{
  int size;
  explicit shape (int s) : size (s) {}
  virtual ~shape () {}
  virtual int area (int a) = 0;
  virtual int width () { return size; }
};

/* Instances in several units.  */
template<int factor> struct scaled : shape
{
  using shape::shape;
  int area (int a) override { return factor * a + size; }
};

/* In virtual-link-one.cc.  */
shape *make_ring (int size);
shape *make_wide_ring (int size);
shape *make_local_one (int size);
shape *make_both (int size);
shape *make_shared (int size);
shape *make_scaled_one (int size);

/* In virtual-link-two.cc.  */
shape *make_local_two (int size);
shape *make_scaled_two (int size);
shape *make_deep (int size);

/* In a shared library, virtual-link-library.cc.  */
shape *make_far (int size);
