/* Loops over memory for code without vector registers: small, not fast.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_BYTES_SMALL_H
#define HEAPPROF_BYTES_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void
copy (char *to, const char *from, size_t bytes)
{
  const bool upwards = (uintptr_t) to - (uintptr_t) from >= bytes;
  for (size_t i = 0; i < bytes; i++)
    {
      const size_t at = upwards ? i : bytes - 1 - i;
      to[at] = from[at];
      BARRIER ();
    }
}

static inline void
fill (char *to, unsigned char value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    {
      to[i] = (char) value;
      BARRIER ();
    }
}

static inline size_t
length (const char *text, size_t most)
{
  size_t n = 0;
  for (; n < most && text[n] != '\0'; n++)
    BARRIER ();
  return n;
}

#endif /* HEAPPROF_BYTES_SMALL_H */
