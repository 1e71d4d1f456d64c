/* Size classes of the pools' slots.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Every multiple of 16 up to 512, of 32 up to 1 KiB, then 32 classes per
   doubling up to 64 KiB: at most a sixteenth is wasted, a thirty-second above 1
   KiB, but for the smallest.  The slot size for a multiple of a power of two A
   is also a multiple of A: class steps smaller than A divide it, so the size
   fits exactly, and larger steps are multiples of A.  */

#ifndef HEAPPROF_SLOT_CLASS_H
#define HEAPPROF_SLOT_CLASS_H

#include <stddef.h>
#include <stdint.h>

#define HINT_CLASS_LINEAR 32u
#define HINT_CLASS_LISTED 48u /* up to 1 KiB */
#define HINT_CLASS_STEPS 32u  /* per doubling above that */
#define HINT_CLASS_COUNT (HINT_CLASS_LISTED + 6 * HINT_CLASS_STEPS)
#define HINT_CLASS_MAX_BYTES (64u * 1024)

/* By the number of 16 bytes: classes of sizes up to 1 KiB.  */
#define HINT_CLASS_LISTED_BYTES 1024u
extern const uint8_t hint_class_listed[HINT_CLASS_LISTED_BYTES / 16 + 1]
  __attribute__ ((visibility ("hidden")));

/* Return the smallest class whose slots have at least BYTES bytes; BYTES is
   from 1 to HINT_CLASS_MAX_BYTES.  Most sizes need no branch that depends on
   the size.  */
static inline unsigned
hint_class_of (size_t bytes)
{
  if (__builtin_expect (bytes <= HINT_CLASS_LISTED_BYTES, true))
    return hint_class_listed[(bytes + 15) / 16];
  const unsigned log2 = 63 - (unsigned) __builtin_clzl (bytes - 1);
  const unsigned steps = (unsigned) ((bytes - 1) >> (log2 - 5));
  return HINT_CLASS_LISTED + (log2 - 10) * HINT_CLASS_STEPS
	 + (steps - HINT_CLASS_STEPS);
}

/* Return the slot size of class INDEX.  */
static inline unsigned
hint_class_bytes (unsigned index)
{
  if (index < HINT_CLASS_LINEAR)
    return (index + 1) * 16;
  if (index < HINT_CLASS_LISTED)
    return (index - HINT_CLASS_LINEAR + 17) * 32;
  const unsigned above = index - HINT_CLASS_LISTED;
  return (HINT_CLASS_STEPS + 1 + above % HINT_CLASS_STEPS)
	 << (5 + above / HINT_CLASS_STEPS);
}

#endif /* HEAPPROF_SLOT_CLASS_H */
