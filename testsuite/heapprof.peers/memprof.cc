/* Allocations for LLVM's tools and ours: a call of operator new that is reached
   by a path that uses the memory and by one that leaves it unused; allocations
   that are inlined, recursive, indirect and local; with FAR, allocations that are
   far from the first line of their function.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#define CALLED __attribute__ ((noinline))

static char *volatile kept[32];
static int kept_count;

static void
keep (char *block)
{
  kept[kept_count++] = block;
}

CALLED char *
make (size_t size)
{
  char *block = new char[size];
  return block;
}

CALLED void
use_much (void)
{
  char *block = make (64);
  for (int i = 0; i < 20000; i++)
    static_cast<volatile char *> (block)[i % 64]++;
  keep (block);
}

CALLED void
use_never (void)
{
  char *block = make (100000);
  keep (block);
}

/* Both paths, through a function that is on each.  */
CALLED void
choose (bool much)
{
  if (much)
    use_much ();
  else
    use_never ();
}

static inline __attribute__ ((always_inline)) char *
inlined_leaf (size_t size)
{
  return new char[size];
}

static inline __attribute__ ((always_inline)) char *
inlined_middle (size_t size)
{
  char *block = inlined_leaf (size + 1);
  return block;
}

CALLED char *
outer (size_t size)
{
  char *block = inlined_middle (size);
  return block;
}

CALLED char *
descend (int depth)
{
  char *block = depth == 0 ? new (std::nothrow) char[100]
			   : descend (depth - 1);
  return block;
}

struct source
{
  virtual ~source () {}
  virtual char *get () = 0;
};

struct small_source : source
{
  CALLED char *
  get () override
  {
    char *block = new char[30];
    return block;
  }
};

struct large_source : source
{
  CALLED char *
  get () override
  {
    char *block = make (3000);
    return block;
  }
};

template <class T>
CALLED char *
boxed (T value)
{
  T *box = new T (value);
  return reinterpret_cast<char *> (box);
}

static CALLED char *
local (size_t size)
{
  char *block = static_cast<char *> (malloc (size));
  return block;
}

#ifdef FAR
/* Calls more than 65535 lines below their function's start, and above it.  */
#line 1000
CALLED char *
far_below (void)
{
#line 71003
  char *block = new char[50];
  return block;
}

#line 2000
CALLED char *
above (void)
{
#line 1500
  char *block = new char[60];
  return block;
}

#line 3000
#endif

int
main (void)
{
  choose (true);
  choose (false);
  keep (outer (200));
  for (int i = 1; i < 4; i++)
    {
      char *block = descend (i);
      keep (block);
    }
  small_source small;
  large_source large;
  source *sources[] = { &small, &large };
  for (source *each : sources)
    {
      char *block = each->get ();
      keep (block);
    }
  keep (boxed<long> (5));
  keep (boxed<double> (2.5));
  keep (local (40));
#ifdef FAR
  keep (far_below ());
  keep (above ());
#endif
  printf ("%d blocks\n", kept_count);
  return 0;
}
