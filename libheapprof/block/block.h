/* The header of each block of program memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Invariant: no granule holds bytes of two live blocks.

   One counter covers 64 bytes of heap, so two small blocks could share it.  So
   each slot has its own granules.  A header has 16 bytes.

   A block of up to 48 bytes has a granule together with its header:

     |<------- 64 ------->|<------- 64 ------->|
     | hdr |  A           | hdr |  B           |

   Other small blocks fill their granules.  Slots of all these sizes lie one
   after another in a page, in the order in which they were first used: a
   program's next object is often a part of the last one, and a processor that
   loads the one loads the line after it, too.  Their headers are together at
   the start of the page, 16 bytes for each granule, so that the place of one
   leads to that of the other:

     |  | headers: A . B C . . | ... |  A  :     |  B  |  C  :     :     |

   Only the header of a slot's first granule is used, but for blocks that are
   aligned to more than a granule: theirs is that of the granule where they
   start.  If that is not the slot's first one, the slot's is a redirecting
   header with the distance from one to the other.

   Large blocks have the header before them, and 16 bytes more before that for
   sizes and times that do not fit.  If they are not at the start of their slot,
   because of their alignment, the redirecting header is there.  */

#ifndef HEAPPROF_BLOCK_H
#define HEAPPROF_BLOCK_H

#include "heapprof/raw-format.h"
#include "sampling.h"
#include "size-class.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_BLOCK_ALIGNMENT 16u	   /* of all blocks */
#define RT_BLOCK_FAR_ALIGNMENT 32u /* of far ones */
#define RT_BLOCK_HEADER_BYTES 16u

/* Bits of rt_block.state.  Fresh memory is RT_BLOCK_FREE.  */
enum
{
  RT_BLOCK_FREE = 0,
  RT_BLOCK_LIVE = 1,	 /* in use by the program */
  RT_BLOCK_SHIFTED = 2,	 /* not at the start of its slot */
  RT_BLOCK_REDIRECT = 4, /* not a block: the header is MIB bytes further */
  RT_BLOCK_UP = 8,	 /* the number of blocks it stands for was rounded up */
  RT_BLOCK_USED = 16	 /* not fresh */
};

/* Headers that are outside are in the same page as the blocks, which are as
   many times as far from its start.  */
#define RT_BLOCK_PAGE_BYTES 65536u
#define RT_BLOCK_OUTSIDE (RT_CLASS_GRANULE_BYTES / RT_BLOCK_HEADER_BYTES)

/* The size and the epoch share 16 bits.  */
#define RT_BLOCK_SIZE_BITS 10u
#define RT_BLOCK_SIZE_FAR ((1u << RT_BLOCK_SIZE_BITS) - 1) /* not here */
#define RT_BLOCK_EPOCH_BITS (16u - RT_BLOCK_SIZE_BITS)
#define RT_BLOCK_EPOCHS (1u << RT_BLOCK_EPOCH_BITS)

struct rt_block
{
  uint64_t alloc;      /* time after the start of profiling, and above its
			  HEAPPROF_RAW_TIME_BITS the CPU */
  uint32_t mib;	       /* MIB index, 0 if not profiled */
  uint16_t size_epoch; /* bytes that the program asked for; then the lowest bits
			  of the epoch at allocation: the release of a block of
			  another epoch, from before a fork or a reset, is not
			  observed */
  uint8_t size_class;  /* of its slot, RT_CLASS_LARGE if mapped */
  uint8_t state;
};

/* Before the header of a block whose size is RT_BLOCK_SIZE_FAR.  */
struct rt_block_far
{
  uint64_t size;
  uint32_t high;  /* what does not fit of the time */
  uint32_t magic; /* rt_block_hash of the block's address */
};

_Static_assert(sizeof (struct rt_block) == RT_BLOCK_HEADER_BYTES
		 && sizeof (struct rt_block_far) == RT_BLOCK_HEADER_BYTES,
	       "both fill half an alignment unit");

/* Return a value specific to BLOCK's address, so that a copy of a header in
   program data is not mistaken for one.  */
static inline uint32_t
rt_block_hash (const struct rt_block *block)
{
  return (uint32_t) ((uintptr_t) block >> 4) * 2654435761u ^ 0x6870726fu;
}

/* Return the data of BLOCK, whose class is INDEX.  */
static inline __attribute__ ((always_inline)) void *
rt_block_data_in (const struct rt_block *block, unsigned index)
{
  const uintptr_t offset = (uintptr_t) block % RT_BLOCK_PAGE_BYTES;
  return (char *) block
	 + (rt_class_is_outside (index) ? offset * (RT_BLOCK_OUTSIDE - 1)
					: RT_BLOCK_HEADER_BYTES);
}

static inline void *
rt_block_data (const struct rt_block *block)
{
  return rt_block_data_in (block, block->size_class);
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

static inline struct rt_block_far *
rt_block_far (const struct rt_block *block)
{
  return (struct rt_block_far *) block - 1;
}

static inline bool
rt_block_is_far (const struct rt_block *block)
{
  return block->size_epoch % (RT_BLOCK_SIZE_FAR + 1) == RT_BLOCK_SIZE_FAR;
}

/* Return the bytes that the program asked for.  */
static inline uint64_t
rt_block_size (const struct rt_block *block)
{
  const unsigned size = block->size_epoch % (RT_BLOCK_SIZE_FAR + 1);
  return __builtin_expect (size != RT_BLOCK_SIZE_FAR, 1)
	   ? size
	   : rt_block_far (block)->size;
}

/* Change the size of BLOCK; it stays as far as it is.  */
static inline void
rt_block_set_size (struct rt_block *block, uint64_t size)
{
  if (rt_block_is_far (block))
    rt_block_far (block)->size = size;
  else
    block->size_epoch
      = (uint16_t) ((block->size_epoch & ~RT_BLOCK_SIZE_FAR) | size);
}

/* Make BLOCK a far one of SIZE bytes.  */
static inline void
rt_block_set_far (struct rt_block *block, uint64_t size)
{
  block->size_epoch = RT_BLOCK_SIZE_FAR;
  rt_block_far (block)->size = size;
  rt_block_far (block)->high = 0;
  rt_block_far (block)->magic = rt_block_hash (block);
}

/* True if BLOCK belongs to EPOCH, the present one.  Those of epochs that have
   the same lowest bits were retired (epoch.c).  */
static inline bool
rt_block_is_of (const struct rt_block *block, uint32_t epoch)
{
  return (uint16_t) (block->size_epoch ^ epoch << RT_BLOCK_SIZE_BITS)
	 <= RT_BLOCK_SIZE_FAR;
}

/* True if BLOCK can be allocated at NS.  */
static inline bool
rt_block_holds_time (const struct rt_block *block, uint64_t ns)
{
  return ns >> HEAPPROF_RAW_TIME_BITS == 0 || rt_block_is_far (block);
}

/* BLOCK is allocated in MIB and EPOCH, at NS, which it holds, on CPU.  */
static inline __attribute__ ((always_inline)) void
rt_block_begin (struct rt_block *block, uint32_t mib, uint32_t epoch,
		uint64_t ns, uint32_t cpu)
{
  const unsigned size = block->size_epoch & RT_BLOCK_SIZE_FAR;
  /* In this order, as the MIB of a block of an earlier epoch may be taken away
     meanwhile (rt_arena_retire).  */
  __atomic_store_n (&block->size_epoch,
		    (uint16_t) (size | epoch << RT_BLOCK_SIZE_BITS),
		    __ATOMIC_RELAXED);
  __atomic_store_n (&block->mib, mib, __ATOMIC_RELEASE);
  if (__builtin_expect (size == RT_BLOCK_SIZE_FAR, 0))
    {
      rt_block_far (block)->high = (uint32_t) (ns >> HEAPPROF_RAW_TIME_BITS);
      ns &= HEAPPROF_RAW_TIME_MASK;
    }
  block->alloc = ns | (uint64_t) cpu << HEAPPROF_RAW_TIME_BITS;
}

static inline uint64_t
rt_block_alloc_ns (const struct rt_block *block)
{
  const uint64_t ns = block->alloc & HEAPPROF_RAW_TIME_MASK;
  if (__builtin_expect (!rt_block_is_far (block), 1))
    return ns;
  return ns | (uint64_t) rt_block_far (block)->high << HEAPPROF_RAW_TIME_BITS;
}

/* Return the same if it was on CPU, and before 2^48 ns.  Otherwise, something
   greater than any such time.  */
static inline uint64_t
rt_block_alloc_ns_on (const struct rt_block *block, uint32_t cpu)
{
  return block->alloc ^ (uint64_t) cpu << HEAPPROF_RAW_TIME_BITS;
}

static inline uint16_t
rt_block_alloc_cpu (const struct rt_block *block)
{
  return (uint16_t) (block->alloc >> HEAPPROF_RAW_TIME_BITS);
}

/* Return what a block of SIZE bytes in STATE stands for: see sampling.h.  */
static inline struct rt_estimate
rt_block_estimate (size_t size, unsigned state)
{
  return rt_sample_estimate (size, (state & RT_BLOCK_UP) != 0);
}

#endif /* HEAPPROF_BLOCK_H */
