/* Size classes of the arena's slots.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Blocks of up to 1008 bytes have slots of a multiple of 64 bytes with a header
   of 16: in or, for those of 64 and 128 bytes, outside of them (block.h).
   Larger blocks have headers of 32 bytes; there are eight sizes of slots per
   doubling up to 256 KiB, so no more than an eighth is wasted.  Still larger
   ones are mapped one by one.  */

#ifndef HEAPPROF_SIZE_CLASS_H
#define HEAPPROF_SIZE_CLASS_H

#include <stddef.h>
#include <stdint.h>

/* Small classes.  The first two have their headers outside.  */
enum
{
  RT_CLASS_64,	/* up to 64 bytes; the other way for other sizes */
  RT_CLASS_128, /* up to 128 */
  RT_CLASS_32,	/* up to 32 */
  RT_CLASS_48,
  RT_CLASS_112,
  RT_CLASS_176, /* this and all others are 64 bytes apart */
  RT_CLASS_SMALL = RT_CLASS_176 + 14
};

#define RT_CLASS_SMALL_BYTES 1008u /* of the largest small block */
#define RT_CLASS_COUNT (RT_CLASS_SMALL + 8 * 8)
#define RT_CLASS_MAX_BYTES (256u * 1024)
#define RT_CLASS_LARGE 0xffu

/* Classes of small blocks by their sizes in units of 16 bytes, rounded up.  */
#define RT_CLASS_UNITS (RT_CLASS_SMALL_BYTES / 16 + 1)
extern const uint8_t rt_class_of_units[]
  __attribute__ ((visibility ("hidden")));

/* Return the class for a block of SIZE bytes, at most
   RT_CLASS_SMALL_BYTES.  */
static inline unsigned
rt_class_of_small (size_t size)
{
  return rt_class_of_units[(size + 15) / 16];
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
  if (index < RT_CLASS_176)
    return index == RT_CLASS_128 || index == RT_CLASS_112 ? 128 : 64;
  if (index < RT_CLASS_SMALL)
    return ((size_t) index - RT_CLASS_176 + 3) * 64;
  const unsigned above = index - RT_CLASS_SMALL;
  return (size_t) (9 + above % 8) << (7 + above / 8);
}

#endif /* HEAPPROF_SIZE_CLASS_H */
