/* The standard containers, whose templates are compiled with the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "truth.h"
#include <cstddef>
#include <memory>
#include <vector>

namespace
{

/* An allocator that has the line of the allocation.  */
template <typename T> struct site_allocator
{
  using value_type = T;
  site_allocator () = default;
  template <typename U> site_allocator (const site_allocator<U> &) {}
  T *allocate (std::size_t n)
  {
    return static_cast<T *> (::operator new (n * sizeof (T))); // site: element
  }
  void deallocate (T *p, std::size_t) { ::operator delete (p); }
};

template <typename T, typename U>
bool
operator== (const site_allocator<T> &, const site_allocator<U> &)
{
  return true;
}

template <typename T, typename U>
bool
operator!= (const site_allocator<T> &, const site_allocator<U> &)
{
  return false;
}

using vector = std::vector<long, site_allocator<long>>;

NOINLINE void
fill (vector &v, long n)
{
  for (long i = 0; i < n; i++)
    {
      v.push_back (i);		/* 1 */
      BARRIER ();
    }
}

NOINLINE long
sum (const vector &v)
{
  long total = 0;
  for (long item : v)
    {
      total += item;		/* 1 */
      BARRIER ();
    }
  return total;
}

NOINLINE int *
make_int ()
{
  return new int (5); // site: int
}

} // namespace

int
main ()
{
  const long n = 900;
  long total;
  {
    vector v;
    v.reserve (n);
    fill (v, n);
    total = sum (v);
  }
  {
    std::unique_ptr<int> owned (make_int ());
    BARRIER ();
    total += *owned;		/* 1, and 1 when created */
    BARRIER ();
  }
  truth_site ("element", 1, n * sizeof (long), 2 * n);
  truth_site ("int", 1, sizeof (int), 2);
  return total <= 0;
}
