/* Buffered output of a packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There is one buffer, so only one output at a time: the dump lock is held.
   Numbers are stored through a local pointer, obtained from rt_pack_begin and
   passed to rt_pack_end, so that it stays in a register.  */

#ifndef HEAPPROF_PACK_OUTPUT_H
#define HEAPPROF_PACK_OUTPUT_H

#include "heapprof/raw-packed.h"
#include "bytes.h"
#include <stddef.h>
#include <stdint.h>

/* Maximum number of bytes between rt_pack_begin and rt_pack_end.  */
#define RT_PACK_RECORD_BYTES 1024u

struct rt_pack_output
{
  int fd;
  int error;	   /* 0 or a negative errno, after which nothing is written */
  uint64_t offset; /* of the buffer in the file */
  uint64_t allocated; /* bytes of the file with disk space */
  uint8_t *next;      /* next byte of the buffer to fill */
  uint8_t *full;      /* records must start before this */
  uint32_t crc;	      /* of the bytes flushed */
};

extern struct rt_pack_output rt_pack_output
  __attribute__ ((visibility ("hidden")));

/* Start writing FD, an empty file, at OFFSET.  */
void rt_pack_start (int fd, uint64_t offset);

/* Write the buffer.  */
void rt_pack_flush (void);

/* Write the buffer, and release unused disk space.  */
void rt_pack_finish (void);

/* Add any number of bytes.  */
void rt_pack_bytes (const void *data, size_t bytes);

/* Return the place for a record.  */

static inline uint8_t *
rt_pack_begin (void)
{
  if (rt_pack_output.next >= rt_pack_output.full)
    rt_pack_flush ();
  return rt_pack_output.next;
}

static inline void
rt_pack_end (uint8_t *next)
{
  rt_pack_output.next = next;
}

/* Store a number that is usually small at NEXT; return the end.  */

static inline uint8_t *
rt_put_small (uint8_t *next, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    *next++ = (uint8_t) (number | 0x80);
  *next++ = (uint8_t) number;
  return next;
}

/* Store a number of any size, without unpredictable branches.  Writes 8 bytes,
   whatever the number's length.  */

static inline uint8_t *
rt_put (uint8_t *next, uint64_t number)
{
  if (__builtin_expect (number >> 56 != 0, 0))
    return rt_put_small (next, number);
  /* The number of the uppermost bit divided by 7.  */
  const unsigned more
    = (63u - (unsigned) __builtin_clzll (number | 1)) * 37 >> 8;
  /* Spread out eight groups of 7 bits.  */
  uint64_t bytes = (number & UINT64_C (0x000000000fffffff))
		   | (number & UINT64_C (0x00fffffff0000000)) << 4;
  bytes = (bytes & UINT64_C (0x00003fff00003fff))
	  | (bytes & UINT64_C (0x0fffc0000fffc000)) << 2;
  bytes = (bytes & UINT64_C (0x007f007f007f007f))
	  | (bytes & UINT64_C (0x3f803f803f803f80)) << 1;
  bytes |= UINT64_C (0x8080808080808080) & (((uint64_t) 1 << 8 * more) - 1);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64 (bytes);
#endif
  own_memcpy (next, &bytes, sizeof bytes);
  return next + more + 1;
}

static inline uint8_t *
rt_put_signed (uint8_t *next, uint64_t difference)
{
  return rt_put (next, heapprof_packed_zigzag (difference));
}

#endif /* HEAPPROF_PACK_OUTPUT_H */
