/* Size classes of the arena's slots.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Blocks of up to 48 bytes share a granule with their headers.  Others of up to
   1008 bytes have slots of as many granules as they need, with headers outside
   (block.h).  Larger blocks have headers of 32 bytes in their slots; there are
   eight sizes of slots per doubling up to 256 KiB, so no more than an eighth is
   wasted.  Still larger ones are mapped one by one.  */

#ifndef HEAPPROF_SIZE_CLASS_H
#define HEAPPROF_SIZE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Small classes: 0 is that of blocks that share a granule with their headers, N
   that of N granules with headers outside.  */
#define RT_CLASS_OUTSIDE_MAX 16u
#define RT_CLASS_SMALL (1 + RT_CLASS_OUTSIDE_MAX)
#define RT_CLASS_GRANULE_BYTES 64u
#define RT_CLASS_INSIDE_BYTES 48u  /* of the largest block of class 0 */
#define RT_CLASS_SMALL_BYTES 1008u /* of the largest small block */
#define RT_CLASS_COUNT (RT_CLASS_SMALL + 8 * 8)
#define RT_CLASS_MAX_BYTES (256u * 1024)
#define RT_CLASS_LARGE 0xffu

/* True if headers of class INDEX are outside of its slots.  */
static inline bool
rt_class_is_outside (unsigned index)
{
  return index - 1 < RT_CLASS_OUTSIDE_MAX;
}

/* Return the class for a block of SIZE bytes, at most RT_CLASS_SMALL_BYTES,
   with the header outside.  */
static inline unsigned
rt_class_of_outside (size_t size)
{
  return (unsigned) (size + RT_CLASS_GRANULE_BYTES - 1)
	 / RT_CLASS_GRANULE_BYTES;
}

/* Return the class for a block of SIZE bytes, at most
   RT_CLASS_SMALL_BYTES.  */
static inline unsigned
rt_class_of_small (size_t size)
{
  return size <= RT_CLASS_INSIDE_BYTES ? 0 : rt_class_of_outside (size);
}

/* Return the smallest class whose slots have at least BYTES bytes, headers
   included; BYTES is more than 1024 and at most RT_CLASS_MAX_BYTES.  */
static inline unsigned
rt_class_of (size_t bytes)
{
  /* 2^SHIFT < BYTES <= 2^(SHIFT + 1), eight steps of 2^(SHIFT - 3).  */
  const unsigned shift = 63 - (unsigned) __builtin_clzl (bytes - 1);
  const unsigned step = (unsigned) ((bytes - 1) >> (shift - 3)) - 8;
  return RT_CLASS_SMALL + (shift - 10) * 8 + step;
}

/* Return the size of the slots of class INDEX, without headers outside.  */
static inline size_t
rt_class_bytes (unsigned index)
{
  if (index < RT_CLASS_SMALL)
    return (size_t) (index + (index == 0)) * RT_CLASS_GRANULE_BYTES;
  const unsigned above = index - RT_CLASS_SMALL;
  return (size_t) (9 + above % 8) << (7 + above / 8);
}

#endif /* HEAPPROF_SIZE_CLASS_H */
