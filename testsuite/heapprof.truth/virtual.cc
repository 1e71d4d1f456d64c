/* Objects with vtables, arrays with cookies, and a thrown exception.
   SPDX-License-Identifier: GPL-3.0-or-later

   -O2 square 100: shape has one derived class in this unit, so calls are direct
     and do not load the vtable pointer; one of its four stores remains.  */

#include "truth.h"
#include <cstddef>

namespace
{

struct shape
{
  virtual long area () const = 0;
  virtual ~shape () {}
};

struct square : shape
{
  volatile long side;
  explicit square (long s) { side = s; }
  long area () const override;
};

NOINLINE long
square::area () const
{
  return side * side;
}

struct counted
{
  volatile long value;
  counted () { value = 1; }
  ~counted () { value = 0; }
};

NOINLINE shape *
make_shape (long side)
{
  if (side < 0)
    throw side;
  return new square (side); // site: square
}

NOINLINE counted *
make_counted (std::size_t n)
{
  return new counted[n]; // site: counted
}

NOINLINE long
area_of (const shape *s)
{
  return s->area ();
}

} // namespace

int
main ()
{
  const int n = 25;
  const std::size_t m = 30;
  long total = 0;
  for (int i = 0; i < n; i++)
    {
      shape *s = make_shape (i);
      BARRIER ();
      total += area_of (s);
      BARRIER ();
      delete s;
    }
  try
    {
      delete make_shape (-1);
    }
  catch (long side)
    {
      total += side;
    }
  counted *c = make_counted (m);
  BARRIER ();
  delete[] c;

  /* The constructors of base and derived class store the vtable pointer, and
     side; area_of loads the vtable pointer, area the side twice; delete loads
     the vtable pointer, the destructors of derived and base class store it.  */
  truth_site ("square", n, n * sizeof (square), n * (2 + 1 + 1 + 2 + 1 + 2));
  /* The count before the array is stored, loaded to find the last element, and
     loaded to compute the size to release; each element has two stores.  */
  truth_site ("counted", 1, sizeof (std::size_t) + m * sizeof (counted),
	      3 + 2 * m);
  return total <= 0;
}
