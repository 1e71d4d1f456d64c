/* Classes for the test of promoted virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct shape
{
  int size;
  explicit shape (int s) : size (s) {}
  virtual ~shape () {}
  virtual int area (int a) = 0;
};

/* What another unit defines; its function is the one that has the table with
   it.  */
struct distant : shape
{
  using shape::shape;
  int area (int a) override;
  virtual int inside (int a) { return a + size; }
};

/* The same for one that this unit makes no objects of.  */
struct remote : shape
{
  using shape::shape;
  int area (int a) override;
};

/* The same with a table that other objects cannot see.  */
struct __attribute__ ((visibility ("hidden"))) hidden : shape
{
  using shape::shape;
  int area (int a) override;
};

/* What another unit keeps for itself, or even the name of.  */
shape *make_secret (int size);
shape *make_distant (int size);
shape *make_remote (int size);
shape *make_hidden (int size);
