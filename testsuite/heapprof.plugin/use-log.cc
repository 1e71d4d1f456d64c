/* An allocator that prints the hints it gets.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum class __hot_cold_t : unsigned char;

void *
operator new (size_t size, __hot_cold_t hint)
{
  printf ("%zu:%u ", size, (unsigned) hint);
  return malloc (size);
}

/* The operator without a hint.  */
void *
operator new (size_t size)
{
  printf ("%zu:- ", size);
  return malloc (size);
}

void
operator delete (void *p) noexcept
{
  free (p);
}

void
operator delete (void *p, size_t) noexcept
{
  free (p);
}
