/* Accesses that the plugin counts and skips in C++ functions; see kinds.exp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct shape
{
  virtual int area (int);
  int width;
};

struct base
{
  int height;
};

struct derived : virtual base
{
  int depth;
};

extern "C"
{
  /* The pointer to the virtual table is in the object, the table is not.
     expect virtual_call: counted 2 loads; skipped 1 constant */
  int
  virtual_call (shape *p)
  {
    return p->area (p->width);
  }

  /* expect virtual_base: counted 2 loads; skipped 1 constant */
  int
  virtual_base (derived *p)
  {
    return p->height;
  }
}
