/* Size classes of the arena's slots.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A slot is a header and the bytes after it.  Slot sizes are multiples of 32:
   every one from 64 to 1024, then eight sizes per doubling up to 256 KiB, so no
   more than an eighth is wasted.  Larger blocks are mapped one by one.  */

#ifndef HEAPPROF_SIZE_CLASS_H
#define HEAPPROF_SIZE_CLASS_H

#include <stddef.h>
#include <stdint.h>

#define RT_CLASS_LINEAR_BYTES 1024u
#define RT_CLASS_LINEAR (RT_CLASS_LINEAR_BYTES / 32 - 1)
#define RT_CLASS_COUNT (RT_CLASS_LINEAR + 8 * 8)
#define RT_CLASS_MAX_BYTES (256u * 1024)
#define RT_CLASS_LARGE 0xffu

/* Return the smallest class whose slots have at least BYTES bytes; BYTES is
   from 1 to RT_CLASS_MAX_BYTES.  */
static inline unsigned
rt_class_of (size_t bytes)
{
  if (bytes <= RT_CLASS_LINEAR_BYTES)
    return bytes <= 64 ? 0 : (unsigned) ((bytes - 1) / 32 - 1);
  /* 2^SHIFT < BYTES <= 2^(SHIFT + 1), eight steps of 2^(SHIFT - 3).  */
  const unsigned shift = 63 - (unsigned) __builtin_clzl (bytes - 1);
  const unsigned step = (unsigned) ((bytes - 1) >> (shift - 3)) - 8;
  return RT_CLASS_LINEAR + (shift - 10) * 8 + step;
}

/* Return the slot size of class INDEX.  */
static inline size_t
rt_class_bytes (unsigned index)
{
  if (index < RT_CLASS_LINEAR)
    return ((size_t) index + 2) * 32;
  const unsigned above = index - RT_CLASS_LINEAR;
  return (size_t) (9 + above % 8) << (7 + above / 8);
}

#endif /* HEAPPROF_SIZE_CLASS_H */
