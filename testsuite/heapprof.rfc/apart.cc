/* Calls that an optimizer would merge.
   SPDX-License-Identifier: GPL-3.0-or-later

   A line that ends with @NAME is called NAME below; `twice' means two contexts
   with the same lines.  All functions are called with 0 to 7.

   EXPECT 4: make branch-odd m-branch
   EXPECT 4: make branch-even m-branch
   EXPECT 4: direct-odd m-direct
   EXPECT 4: direct-even m-direct
   EXPECT 4: small then-small m-inlined
   EXPECT 4: small else-small m-inlined
   EXPECT 2: case-0 m-cases
   EXPECT 2: case-1 m-cases
   EXPECT 2: case-2 m-cases
   EXPECT 2: case-3 m-cases
   EXPECT 8: make loop-same m-loop
   EXPECT 16: make loop-other m-loop
   EXPECT 8: same-one m-same-one
   EXPECT 8: same-two m-same-two
   EXPECT 1: make seldom m-cold
   EXPECT 7: make often m-cold
   EXPECT 4 twice: make one-line m-one-line
   EXPECT 4: make pointer-odd m-pointer
   EXPECT 4: make pointer-even m-pointer
   EXPECT 4: method virtual-odd m-virtual
   EXPECT 4: method virtual-even m-virtual
   EXPECT 4: throw-odd m-throw
   EXPECT 4: throw-even m-throw
   EXPECT 4: fail fail-odd m-fail
   EXPECT 4: fail fail-even m-fail
   EXPECT 4: new-odd m-new
   EXPECT 4: new-even m-new
   EXPECT 4: make cleaned-odd m-cleaned
   EXPECT 4: make cleaned-even m-cleaned
   EXPECT 4: copy-odd m-copy
   EXPECT 4: copy-even m-copy
   EXPECT 4: make deep-odd deep m-deep
   EXPECT 4: make deep-even deep m-deep  */

#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static void *volatile kept;
static volatile int counter;

NOINLINE void *
make ()
{
  return malloc (16);				// @make
}

NOINLINE void *
branch (int x)
{
  if (x & 1)
    return make ();				// @branch-odd
  else
    return make ();				// @branch-even
}

NOINLINE void *
direct (int x)
{
  if (x & 1)
    return malloc (24);				// @direct-odd
  return malloc (24);				// @direct-even
}

static inline __attribute__ ((always_inline)) void *
small_block ()
{
  return malloc (8);				// @small
}

NOINLINE void
inlined (int x)
{
  if (x & 1)
    kept = small_block ();			// @then-small
  else
    kept = small_block ();			// @else-small
}

NOINLINE void
cases (int x)
{
  switch (x & 3)
    {
    case 0:
      kept = calloc (1, 32);			// @case-0
      break;
    case 1:
      kept = calloc (1, 32);			// @case-1
      break;
    case 2:
      kept = calloc (1, 32);			// @case-2
      break;
    default:
      kept = calloc (1, 32);			// @case-3
      counter = x;
    }
}

NOINLINE void
loop (int x)
{
  for (int i = 0; i < 3; i++)
    if (i == (x & 1))
      {
	counter = i;
	kept = make ();				// @loop-same
      }
    else
      {
	counter = i;
	kept = make ();				// @loop-other
      }
}

/* Two identical functions.  */

NOINLINE static void *
same_one ()
{
  return malloc (48);				// @same-one
}

NOINLINE static void *
same_two ()
{
  return malloc (48);				// @same-two
}

NOINLINE void
cold (int x)
{
  if (__builtin_expect (x == 7, 0))
    kept = make ();				// @seldom
  else
    kept = make ();				// @often
}

NOINLINE void
one_line (int x)
{
  kept = x & 1 ? make () : make ();		// @one-line
}

static void *(*volatile maker) () = make;

NOINLINE void *
pointer (int x)
{
  void *(*f) () = maker;
  if (x & 1)
    return f ();				// @pointer-odd
  else
    return f ();				// @pointer-even
}

struct factory
{
  virtual void *make () = 0;
};

struct blocks : factory
{
  void *make () override;
};

NOINLINE void *
blocks::make ()
{
  return malloc (56);				// @method
}

static blocks some_blocks;
static factory *volatile some_factory = &some_blocks;

NOINLINE void *
virtually (int x)
{
  factory *f = some_factory;
  if (x & 1)
    return f->make ();				// @virtual-odd
  else
    return f->make ();				// @virtual-even
}

NOINLINE void
thrower (int x)
{
  if (x & 1)
    throw 1;					// @throw-odd
  else
    throw 1;					// @throw-even
}

NOINLINE void
fail ()
{
  throw 2L;					// @fail
}

NOINLINE void
failing (int x)
{
  if (x & 1)
    fail ();					// @fail-odd
  else
    fail ();					// @fail-even
}

NOINLINE void *
newly (int x)
{
  if (x & 1)
    return new char[100];			// @new-odd
  else
    return new char[100];			// @new-even
}

struct cleaner
{
  ~cleaner () { counter = counter + 1; }
};

/* Calls with an object to destroy if they throw.  */
NOINLINE void *
cleaned (int x)
{
  cleaner c;
  if (x & 1)
    return make ();				// @cleaned-odd
  else
    return make ();				// @cleaned-even
}

NOINLINE char *
copy (int x)
{
  if (x & 1)
    return strdup ("copy");			// @copy-odd
  return strdup ("copy");			// @copy-even
}

NOINLINE void *
deepest (int x)
{
  if (x & 1)
    {
      counter = 1;
      return make ();				// @deep-odd
    }
  counter = 1;
  return make ();				// @deep-even
}

NOINLINE void *
deeper (int x)
{
  return deepest (x);				// @deep
}

int
main ()
{
  for (int x = 0; x < 8; x++)
    {
      kept = branch (x);			// @m-branch
      kept = direct (x);			// @m-direct
      inlined (x);				// @m-inlined
      cases (x);				// @m-cases
      loop (x);					// @m-loop
      kept = same_one ();			// @m-same-one
      kept = same_two ();			// @m-same-two
      cold (x);					// @m-cold
      one_line (x);				// @m-one-line
      kept = pointer (x);			// @m-pointer
      kept = virtually (x);			// @m-virtual
      try
	{
	  thrower (x);				// @m-throw
	}
      catch (int)
	{
	  counter = x;
	}
      try
	{
	  failing (x);				// @m-fail
	}
      catch (long)
	{
	  counter = x;
	}
      kept = newly (x);				// @m-new
      kept = cleaned (x);			// @m-cleaned
      kept = copy (x);				// @m-copy
      kept = deeper (x);			// @m-deep
    }
  return 0;
}
