/* Classes for the test of promoted virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct shape
{
  int size;
  explicit shape (int s) : size (s) {}
  virtual ~shape () {}
  virtual int area (int a) = 0;
};

/* A class that another unit defines; the unit that defines its key function has
   its virtual table.  */
struct distant : shape
{
  using shape::shape;
  int area (int a) override;
  virtual int inside (int a) { return a + size; }
};

/* Another such class, of which this unit makes no objects.  */
struct remote : shape
{
  using shape::shape;
  int area (int a) override;
};

/* Another such class, with a virtual table that other objects cannot see.  */
struct __attribute__ ((visibility ("hidden"))) hidden : shape
{
  using shape::shape;
  int area (int a) override;
};

/* Made by another unit: this one cannot use all these classes.  */
shape *make_secret (int size);
shape *make_distant (int size);
shape *make_remote (int size);
shape *make_hidden (int size);
