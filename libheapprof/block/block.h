/* The header in front of each block of program memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One counter covers 64 bytes of heap, so two small blocks could share it.
   Blocks start on a 32-byte boundary with a 32-byte header before them, so any
   64 bytes hold the end of one block, or the start of one, never both:

     |<------- 64 ------->|<------- 64 ------->|
     | block A | header B | block B ...

   Invariant: no granule holds bytes of two live blocks.

   The header is also used to find live blocks: it is at the start of each slot
   of the arena.  A block with a greater alignment starts later in its slot;
   then the start of the slot holds a redirecting header with the distance.  */

#ifndef HEAPPROF_BLOCK_H
#define HEAPPROF_BLOCK_H

#include "sampling.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_BLOCK_ALIGNMENT 32u
#define RT_BLOCK_HEADER_BYTES 32u

/* Bits of rt_block.state.  Fresh memory is RT_BLOCK_FREE.  */
enum
{
  RT_BLOCK_FREE = 0,
  RT_BLOCK_LIVE = 1,	 /* in use by the program */
  RT_BLOCK_SHIFTED = 2,	 /* not at the start of its slot */
  RT_BLOCK_REDIRECT = 4, /* not a block: the header is SIZE bytes further */
  RT_BLOCK_UP = 8	 /* the number of blocks it stands for was rounded up */
};

struct rt_block
{
  uint64_t alloc_ns; /* after the start of profiling */
  uint64_t size;     /* bytes that the program asked for */
  uint32_t mib;	     /* MIB index, 0 if not profiled */
  uint32_t epoch; /* the epoch at allocation: the release of a block of another
		     epoch, from before a fork or a reset, is not observed */
  uint16_t cpu;
  uint8_t size_class; /* of its slot, RT_CLASS_LARGE if mapped */
  uint8_t state;
  uint32_t magic; /* rt_block_magic of its address */
};

_Static_assert(sizeof (struct rt_block) == RT_BLOCK_HEADER_BYTES,
	       "the header fills one alignment unit");

/* Return a value specific to BLOCK's address, so that a copy of a header in
   program data is not mistaken for one.  */
static inline uint32_t
rt_block_magic (const struct rt_block *block)
{
  return (uint32_t) ((uintptr_t) block >> 5) * 2654435761u ^ 0x6870726fu;
}

static inline void *
rt_block_data (const struct rt_block *block)
{
  return (char *) block + RT_BLOCK_HEADER_BYTES;
}

static inline struct rt_block *
rt_block_of_data (const void *data)
{
  return (struct rt_block *) ((char *) data - RT_BLOCK_HEADER_BYTES);
}

/* While a block is free, or waits to be released, its first data word links it
   to the next one.  Every slot is large enough.  */
static inline struct rt_block **
rt_block_link (struct rt_block *block)
{
  return (struct rt_block **) rt_block_data (block);
}

static inline bool
rt_block_is_live (const struct rt_block *block)
{
  return (__atomic_load_n (&block->state, __ATOMIC_ACQUIRE) & RT_BLOCK_LIVE)
	 != 0;
}

/* Return what a block of SIZE bytes in STATE stands for: see sampling.h.  */
static inline struct rt_estimate
rt_block_estimate (size_t size, unsigned state)
{
  return rt_sample_estimate (size, (state & RT_BLOCK_UP) != 0);
}

#endif /* HEAPPROF_BLOCK_H */
