/* Functions that are not public, each allocating a block of another size.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdlib>

#define NOINLINE __attribute__ ((noinline))

static void *volatile kept;
static int zero;

namespace
{
int none;

NOINLINE void
make (int n)
{
  kept = malloc (n + none);
}

NOINLINE static void
both (int n)
{
  kept = malloc (n + none);
}

namespace inside
{
NOINLINE void
deep (int n)
{
  kept = malloc (n + none);
}
}

inline namespace version
{
NOINLINE void
plain (int n)
{
  kept = malloc (n + none);
}
}

template <class T>
NOINLINE void
many (T n)
{
  kept = malloc (n + none);
}

template <void (*F) (int)>
NOINLINE void
apply (int n)
{
  F (1);
  kept = malloc (n + none);
}

struct box
{
  NOINLINE void
  grow (int n)
  {
    kept = malloc (n + none);
  }
  static void make_static (int n);
};

struct with_constructor
{
  NOINLINE explicit with_constructor (int n) : size (n)
  {
    kept = malloc (n + none);
  }
  NOINLINE ~with_constructor ()
  {
    kept = malloc (size + 1 + none);
  }
  int size;
};

template <class T> struct with_member_template
{
  template <class U>
  NOINLINE static void
  make (U n)
  {
    kept = malloc (n + none);
  }
};

__attribute__ ((always_inline)) inline void
inlined (int n)
{
  kept = malloc (n + none);
}

NOINLINE void
call_inlined (int n)
{
  inlined (n);
}

NOINLINE void
box::make_static (int n)
{
  kept = malloc (n + none);
}

NOINLINE void
operator+ (const box &, int n)
{
  kept = malloc (n + none);
}
}

namespace named
{
namespace
{
NOINLINE void
hidden (int n)
{
  kept = malloc (n + none);
}
}

NOINLINE static void
local (int n)
{
  kept = malloc (n + none);
}
}

template <void (*F) (int)>
NOINLINE void
call (int n)
{
  F (1);
  kept = malloc (n + none);
}

NOINLINE static void
own (int n)
{
  kept = malloc (n + zero);
}

int
main ()
{
  make (101);
  both (102);
  inside::deep (103);
  plain (104);
  many (105);
  many (106L);
  apply<make> (107);
  apply<inside::deep> (108);
  box b;
  b.grow (109);
  box::make_static (110);
  b + 111;
  named::hidden (112);
  named::local (113);
  call<make> (114);
  call<named::hidden> (115);
  own (116);
  with_constructor (117);
  with_member_template<int>::make (119L);
  call_inlined (120);
}
