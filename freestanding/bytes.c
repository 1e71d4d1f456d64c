/* Copying, filling and comparing memory without the C library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each loop contains a barrier, so that the compiler cannot turn its body into
   a call of the function being defined.  The loops are the machine's; where
   vector registers may not be used, small code is preferred to fast code.  */

#include "bytes.h"
#include <stdbool.h>
#include <stdint.h>

#define WEAK __attribute__ ((weak))
#define BARRIER() __asm__ volatile("" ::: "memory")

#include "bytes-loops.h"

WEAK void *
own_memmove (void *to, const void *from, size_t bytes)
{
  copy (to, from, bytes);
  return to;
}

extern __typeof__ (own_memmove) (own_memcpy)
  __attribute__ ((weak, alias ("__hpr_memmove")));

WEAK void *(own_memset) (void *to, int value, size_t bytes)
{
  fill (to, (unsigned char) value, bytes);
  return to;
}

WEAK int
own_memcmp (const void *a, const void *b, size_t bytes)
{
  const unsigned char *p = a, *q = b;
  int difference = 0;
  for (size_t i = 0; i < bytes && difference == 0; i++)
    {
      difference = p[i] - q[i];
      BARRIER ();
    }
  return difference;
}

WEAK size_t
own_strlen (const char *text)
{
  return length (text, SIZE_MAX);
}

WEAK size_t
own_strnlen (const char *text, size_t most)
{
  return length (text, most);
}
