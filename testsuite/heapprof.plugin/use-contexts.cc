/* Contexts of allocations that can be distinguished, and some that cannot.  The
   size of an allocation identifies its context.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>

void *
make (int size)
{
  return operator new (size);
}

void *
walk (int depth, int size)
{
  if (depth == 0)
    return make (size);
  return walk (depth - 1, size);
}

void *odd (int depth, int size);

void *
even (int depth, int size)
{
  if (depth == 0)
    return operator new (size);
  return odd (depth - 1, size);
}

void *
odd (int depth, int size)
{
  return even (depth - 1, size);
}

void *
top (int size)
{
  return walk (3, size);
}

void *(*volatile pointer) (int) = top;

/* Called by another unit and by this one.  */
void *
visible (int size)
{
  return operator new (size);
}

struct base
{
  virtual void *get (int size) { return operator new (size); }
};

struct derived : base
{
  void *get (int size) { return base::get (size); }
};

base *volatile object = new derived;

static void *
fixed (int size)
{
  return operator new (size);
}

void *other_unit (int size);

void *volatile sink;

int
main ()
{
  sink = top (1);
  sink = top (2);
  sink = walk (2, 3);
  sink = pointer (4);
  sink = even (4, 5);
  sink = even (4, 6);
  sink = visible (7);
  sink = other_unit (8);
  sink = object->get (9);
  sink = static_cast<derived *> (object)->derived::get (10);
  sink = fixed (11);
  sink = fixed (12);
  return 0;
}
