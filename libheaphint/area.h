/* Address space of the pools: chunks of 64 KiB and runs of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One range of addresses is reserved, its first half for cold blocks, its
   second half for hot ones, so that one subtraction and one shift tell whether
   a pointer is of a pool.  Chunks become accessible when they are first taken.
   What is known about a chunk lies behind the range, not in the chunk: neither
   allocating nor releasing a block touches its page.

   Invariant: the bytes of a chunk that is in no run in use are 0, and it has
   no pages.  */

#ifndef HEAPPROF_AREA_H
#define HEAPPROF_AREA_H

#include "hint-kind.h"
#include <stdbool.h>
#include <stdint.h>

#define HINT_CHUNK_SHIFT 16
#define HINT_CHUNK_BYTES ((size_t) 1 << HINT_CHUNK_SHIFT)
#define HINT_RANGE_SHIFT 38 /* 256 GiB */
#define HINT_SLOTS_MAX (HINT_CHUNK_BYTES / 16)

#define HINT_NO_CHUNK UINT32_MAX

enum hint_chunk_state
{
  HINT_CHUNK_UNKNOWN, /* inside a run, or never used */
  HINT_CHUNK_FREE,    /* first or last one of a free run */
  HINT_CHUNK_SLOTS,   /* in a run of slots of one class */
  HINT_CHUNK_LARGE    /* first one of a run that is one block */
};

/* A chunk; what is said of a run is in the record of its first chunk.  */
struct hint_chunk
{
  uint32_t first;      /* of its run, when that holds slots */
  uint32_t run_chunks; /* in the last chunk of a free run, too */
  uint32_t next;       /* list: free runs, or those with free slots */
  uint32_t previous;
  uint8_t state; /* enum hint_chunk_state */
  uint8_t slot_class;
  uint16_t lowest_word; /* of taken[]: those before it are full */
  uint32_t slot_bytes;
  uint32_t reciprocal; /* 2^32 / slot_bytes, rounded up */
  uint32_t slot_count;
  uint32_t taken_count;
  uint32_t unused[7];		       /* whole cache lines */
  uint64_t taken[HINT_SLOTS_MAX / 64]; /* a bit for each slot */
};

extern uintptr_t hint_range_start;
extern struct hint_chunk *hint_chunks;

/* The value of hint_range_start before a range is asked for: of all that a
   program can release, just the null pointer seems to lie in the range, so
   that the first releases of it are noticed (intercept.c) for free.  */
#define HINT_RANGE_UNKNOWN (1 - ((uintptr_t) 1 << HINT_RANGE_SHIFT))

/* May ADDRESS be of a pool?  False for everything else, but for addresses
   shortly behind the range when less could be reserved than was wanted.  */
static inline bool
hint_in_range (const void *address)
{
  const uintptr_t start = __atomic_load_n (&hint_range_start, __ATOMIC_RELAXED);
  return ((uintptr_t) address - start) >> HINT_RANGE_SHIFT == 0;
}

/* Reserve the range, once.  Without one, or with WANTED false, nothing is in
   it from then on.  */
bool hint_area_start (bool wanted);

/* The chunk of ADDRESS, which is in the range; HINT_NO_CHUNK if it is none
   that was ever used.  */
uint32_t hint_chunk_of (const void *address);

char *hint_chunk_start (uint32_t chunk);
enum hint_kind hint_chunk_kind (uint32_t chunk);

/* Take a run of CHUNKS chunks of KIND whose first is at a multiple of
   ALIGNMENT chunks, a power of two; its STATE is from then on as given.
   HINT_NO_CHUNK if there is none.  */
uint32_t hint_run_take (enum hint_kind kind, size_t chunks, size_t alignment,
			enum hint_chunk_state state);

/* Give back a run of CHUNKS chunks, or the last ones of a run.  Its pages go
   to the system.  */
void hint_run_give (uint32_t first, uint32_t chunks);

/* fork: hold the locks, release them.  */
void hint_area_lock (void);
void hint_area_unlock (void);

#endif /* HEAPPROF_AREA_H */
