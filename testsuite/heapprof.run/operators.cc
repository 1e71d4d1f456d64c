// Every C++ allocation function, each in a separate function.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#define NOINLINE __attribute__ ((noinline, noclone))

static void *volatile sink;

struct alignas (256) wide { char bytes[300]; };
struct item { char bytes[24]; ~item () { sink = this; } };

static NOINLINE void
use_new ()
{
  for (int i = 0; i < 5; i++)
    {
      int *p = new int (i);
      sink = p;
      delete p;
    }
}

static NOINLINE void
use_new_array ()
{
  item *p = new item[10];	// and a count of 8 bytes
  sink = p;
  delete[] p;
}

static NOINLINE void
use_new_aligned ()
{
  wide *p = new wide;
  sink = p;
  if (reinterpret_cast<std::size_t> (p) % 256 != 0)
    std::abort ();
  delete p;
}

static NOINLINE void
use_new_aligned_array ()
{
  wide *p = new wide[2];
  sink = p;
  delete[] p;
}

static NOINLINE void
use_new_nothrow ()
{
  char *p = new (std::nothrow) char[33];
  sink = p;
  delete[] p;
}

static NOINLINE void
use_operator_directly ()
{
  void *p = ::operator new (44, std::align_val_t (64), std::nothrow);
  sink = p;
  ::operator delete (p, 44, std::align_val_t (64));
}

static NOINLINE void
use_string ()
{
  std::string s (50, 'x');	// room for 50 and a zero
  s += "y";			// twice as much
  sink = &s[0];
}

static int handled;

static void
handler ()
{
  if (++handled == 3)
    std::set_new_handler (nullptr);
}

static bool
fails_as_it_should ()
{
  const std::size_t volatile huge
    = std::numeric_limits<std::size_t>::max () / 2;
  std::set_new_handler (handler);
  bool thrown = false;
  try
    {
      sink = new char[huge];
    }
  catch (const std::bad_alloc &)
    {
      thrown = true;
    }
  // Stored because gcc 16 assumes that an unused block can be allocated.
  sink = new (std::nothrow) char[huge];
  return thrown && handled == 3 && sink == nullptr;
}

int
main ()
{
  use_new ();
  use_new_array ();
  use_new_aligned ();
  use_new_aligned_array ();
  use_new_nothrow ();
  use_operator_directly ();
  use_string ();
  return fails_as_it_should () ? 0 : 1;
}
