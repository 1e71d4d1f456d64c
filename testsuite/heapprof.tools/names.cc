// Nested functions that are not public, around allocations that differ in size.
// With OUT_OF_LINE they are not inlined.
// SPDX-License-Identifier: GPL-3.0-or-later

#ifdef OUT_OF_LINE
# define PLACED __attribute__ ((noinline))
#else
# define PLACED __attribute__ ((always_inline)) inline
#endif

void *volatile sink;
void other_unit ();

// These two are at the lines and columns of their namesakes in
// names-other.cc, and have other parameters.
namespace { PLACED void duplicate (int bytes) { sink = new char[bytes]; } }
static PLACED void keep (int bytes) { sink = new char[bytes]; }

namespace
{
template <typename T> struct box
{
  PLACED box (int bytes) { sink = new char[bytes]; }
  PLACED void grow (int bytes) { sink = new char[bytes]; }
  PLACED ~box () { sink = new char[sizeof (T)]; }
};

struct one { char bytes[201]; };
struct two { char bytes[202]; };

struct part
{
  part () {}
  PLACED part (const part &) { sink = new char[301]; }
  PLACED part (part &&) { sink = new char[302]; }
};

// Its constructors are implicit.
struct whole
{
  part p;
};
}

template <typename T> static PLACED void
instance (T bytes)
{
  struct local
  {
    static PLACED void member (T n) { sink = new char[n]; }
  };
  auto lambda = [] (T n) { local::member (n); };
  lambda (bytes);
}

static PLACED void
typed (int &bytes)
{
  auto lambda = [&] (auto more) { sink = new char[bytes + more]; };
  lambda (1);
  lambda (2L);
}

int
main ()
{
  duplicate (101);
  keep (102);
  {
    box<one> first (103);
    first.grow (104);
    box<two> second (105);
    second.grow (106);
  }
  instance<int> (107);
  instance<short> (108);
  int bytes = 110;
  typed (bytes);
  whole original;
  whole copy (original);
  whole moved (static_cast<whole &&> (copy));
  sink = &moved;
  other_unit ();
  return 0;
}
