/* The half of a program that is compiled by clang.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "border.h"
#include <stdlib.h>

static volatile unsigned calls;

NOINLINE void *
clang_allocate (size_t bytes)
{
  return malloc (bytes);
}

NOINLINE void *
clang_pass_on (size_t bytes)
{
  void *const block = gcc_pass_on (bytes);
  calls++;
  return block;
}

NOINLINE void
clang_touch (void *block, unsigned times)
{
  for (unsigned i = 0; i < times; i++)
    *(volatile char *) block = 1;
}

NOINLINE void
clang_copy (void *to, const void *from, size_t bytes)
{
  __builtin_memcpy (to, from, bytes);
}

NOINLINE void
clang_release (void *block)
{
  free (block);
}
