/* The half of a program that is compiled by gcc: blocks of either half,
   accessed and released by either half.  The test has the counts, made by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "border.h"
#include <stdlib.h>

static volatile unsigned calls;

NOINLINE void *
gcc_allocate (size_t bytes)
{
  return malloc (bytes);
}

/* The increment keeps the call from being the last one.  */

NOINLINE void *
gcc_pass_on (size_t bytes)
{
  void *const block = clang_allocate (bytes);
  calls++;
  return block;
}

static NOINLINE void
gcc_touch (void *block, unsigned times)
{
  for (unsigned i = 0; i < times; i++)
    *(volatile char *) block = 1;
}

static NOINLINE void
gcc_copy (void *to, const void *from, size_t bytes)
{
  __builtin_memcpy (to, from, bytes);
}

/* The calls are main, clang, gcc, clang.  */

static NOINLINE void
through_both (void)
{
  for (unsigned i = 0; i < 5; i++)
    {
      void *const block = clang_pass_on (64);
      gcc_touch (block, 10);
      clang_touch (block, 20);
      if (i % 2 == 0)
	free (block);
      else if (i != 3)
	clang_release (block);
    }
}

static NOINLINE void
of_gcc (void)
{
  for (unsigned i = 0; i < 3; i++)
    {
      void *const block = gcc_allocate (48);
      clang_touch (block, 7);
      clang_release (block);
    }
}

static NOINLINE void
copied (size_t bytes)
{
  void *const one = gcc_allocate (bytes), *const other = clang_allocate (bytes);
  gcc_copy (one, other, bytes);
  clang_copy (other, one, bytes);
  clang_copy (other, one, bytes);
  free (one);
  free (other);
}

int
main (void)
{
  through_both ();
  of_gcc ();
  copied (80);
  return calls != 5;
}
