/* Writing the bytes of a packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There is one buffer, so one output at a time: the lock of dumps is held.
   Numbers are put from a local pointer on, which rt_pack_begin gives and
   rt_pack_end takes back: so it stays in a register.  */

#ifndef HEAPPROF_PACK_OUTPUT_H
#define HEAPPROF_PACK_OUTPUT_H

#include "heapprof/raw-packed.h"
#include "bytes.h"
#include <stddef.h>
#include <stdint.h>

/* No more bytes are put between rt_pack_begin and rt_pack_end.  */
#define RT_PACK_RECORD_BYTES 1024u

struct rt_pack_output
{
  int fd;
  int error;	      /* 0 or a negative errno; then nothing more is
			 written */
  uint64_t offset;    /* of the buffer in the file */
  uint64_t allocated; /* bytes of the file that have room */
  uint8_t *next;      /* byte of the buffer to be written */
  uint8_t *full;      /* from here on no record begins */
  uint32_t crc;	      /* of what was flushed */
};

extern struct rt_pack_output rt_pack_output
  __attribute__ ((visibility ("hidden")));

/* Begin to write FD, an empty file, at OFFSET.  */
void rt_pack_start (int fd, uint64_t offset);

/* Write what the buffer holds.  */
void rt_pack_flush (void);

/* Write what the buffer holds, and give back the room that is not used.  */
void rt_pack_finish (void);

/* Put any number of bytes.  */
void rt_pack_bytes (const void *data, size_t bytes);

/* Where to put a record.  */

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

/* Put a number at NEXT that is small in most cases; what is behind it.  */

static inline uint8_t *
rt_put_small (uint8_t *next, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    *next++ = (uint8_t) (number | 0x80);
  *next++ = (uint8_t) number;
  return next;
}

/* The same for one of any size, without branches that the processor cannot
   foresee.  Writes 8 bytes, whatever the number takes.  */

static inline uint8_t *
rt_put (uint8_t *next, uint64_t number)
{
  if (__builtin_expect (number >> 56 != 0, 0))
    return rt_put_small (next, number);
  /* A seventh, rounded down, of the number of the uppermost bit.  */
  const unsigned more
    = (63u - (unsigned) __builtin_clzll (number | 1)) * 37 >> 8;
  /* Eight groups of 7 bits, apart.  */
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
