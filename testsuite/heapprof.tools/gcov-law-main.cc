/* Several units with gcc's counters: virtual and indirect calls, templates in two
   units, threads that count at the same time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-law.h"
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>

namespace
{
struct shape
{
  virtual ~shape () = default;
  virtual long area () const = 0;
};

struct square : shape
{
  long side;
  explicit square (long s) : side (s) {}
  long area () const override { return side * side; }
};

struct strip : shape
{
  long length;
  explicit strip (long l) : length (l) {}
  long area () const override { return length < 0 ? -length : length; }
};

struct unused : shape
{
  long area () const override { return 0; }
};

std::unique_ptr<shape>
make_shape (long n)
{
  if (n % 11 == 7)
    throw std::out_of_range ("shape");
  if (n % 4 == 0)
    return std::make_unique<square> (n);
  return std::make_unique<strip> (n % 2 ? n : -n);
}

long
add_areas (long n)
{
  accumulator<long> sum;
  for (long i = 0; i < n; i++)
    try
      {
	sum.add (make_shape (i)->area ());
      }
    catch (const std::out_of_range &)
      {
	sum.add (1);
      }
  return sum.value;
}
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? std::atol (argv[1]) : 50;
  long first = 0, second = 0;
  std::thread one ([&] { first = add_areas (n) + law_work (n); });
  std::thread two ([&] { second = add_areas (2 * n) + law_work (n / 2); });
  one.join ();
  two.join ();
  long both = law_twice (n) + first + second;
  return both == 4711 ? law_never (both) : 0;
}
