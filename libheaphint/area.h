/* The address space of the pools: chunks of 64 KiB and runs of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One range of addresses is reserved, its first half for cold blocks, its
   second half for hot ones, so that one subtraction and one comparison show
   whether a pointer is in a pool.  Chunks become accessible when they are first
   taken.  The records of chunks are after the range, not in the chunks: neither
   allocating nor releasing a block touches its page.

   Chunks that are given back keep their pages while these do not add to the
   peak, as a fault for each of them costs more than most allocations.  Hot
   memory beyond the first megabytes is in huge pages, where all pages of a run
   will probably be used.  Which addresses have them is decided at the start: a
   program may no longer make that call later.
   Invariant: a chunk that is not in a run in use and does not keep its pages
   has all bytes 0.  */

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

/* The parts of the range: a half for cold blocks, and of the other one an
   eighth in small pages and the rest in huge ones.  */
enum hint_area
{
  HINT_AREA_COLD,
  HINT_AREA_HOT,
  HINT_AREA_HUGE,
  HINT_AREAS
};

enum hint_chunk_state
{
  HINT_CHUNK_UNKNOWN, /* inside a run, or never used */
  HINT_CHUNK_FREE,    /* first or last chunk of a free run */
  HINT_CHUNK_SLOTS,   /* in a run of slots of one class */
  HINT_CHUNK_LARGE    /* first chunk of a run that is one block */
};

/* The record of a chunk; a run is described by the record of its first
   chunk.  */
struct hint_chunk
{
  uint32_t first;      /* of its run, if that holds slots */
  uint32_t run_chunks; /* also in the last chunk of a free run */
  uint32_t next; /* in the list of free runs, or of runs with free slots */
  uint32_t previous;
  uint8_t state; /* enum hint_chunk_state */
  uint8_t slot_class;
  uint16_t pool; /* of slots */
  uint32_t slot_bytes;
  uint32_t reciprocal; /* 2^32 / slot_bytes, rounded up */
  uint32_t slot_count;
  uint32_t taken_count;
  uint16_t lowest_word; /* in taken[]: all words before it are full */
  uint16_t first_slot;	/* the one of bit 0 in taken[], see add_run */
  bool keeps_pages;	/* free, but was used */
  uint32_t kept;	/* such chunks in a free run, */
  uint32_t kept_first;	/* the first one at the earliest, */
  uint32_t kept_end;	/* and the end of the last one at the latest */
  uint32_t unused[2];	/* pads to whole cache lines */
  uint64_t taken[HINT_SLOTS_MAX / 64]; /* one bit per slot */
};

/* What releasing a slot needs to know of its chunk, in a quarter of a cache
   line.  All 0 if the chunk is not a run of slots that threads cache.  */
struct hint_tag
{
  uint64_t inverse; /* 2^64 / slot_bytes, rounded up */
  uint32_t place;   /* of its magazine, see cache.h */
  uint32_t slot_bytes;
};

/* The range, 0 bytes until it is reserved, and the records and tags of its
   chunks.  */
extern uintptr_t hint_range_start HINT_PRIVATE;
extern size_t hint_range_bytes HINT_PRIVATE;
extern struct hint_chunk *hint_chunks HINT_PRIVATE;
extern struct hint_tag *hint_tags HINT_PRIVATE;

/* Return the place of ADDRESS in the range, in bytes; at least *BYTES, which
   is set to the size of the range, if it is not there.  */
static inline size_t
hint_range_offset (const void *address, size_t *bytes)
{
  *bytes = __atomic_load_n (&hint_range_bytes, __ATOMIC_ACQUIRE);
  return (uintptr_t) address
	 - __atomic_load_n (&hint_range_start, __ATOMIC_RELAXED);
}

static inline bool
hint_in_range (const void *address)
{
  size_t bytes;
  const size_t offset = hint_range_offset (address, &bytes);
  return offset < bytes;
}

/* True if the slots of the chunk that TAG describes may start at OFFSET in the
   range.  Exact but for a multiple of the slot size after the last slot.  */
static inline bool
hint_starts_slot (const struct hint_tag *tag, size_t offset)
{
  return (offset & (HINT_CHUNK_BYTES - 1)) * tag->inverse < tag->inverse;
}

/* Reserve the range, once.  If that fails, or WANTED is false, no address is in
   the range from then on.  */
bool hint_area_start (bool wanted);

/* The number of chunks of each kind, and the first one in huge pages.  */
extern uint32_t hint_half_chunks HINT_PRIVATE;
extern uint32_t hint_huge_first HINT_PRIVATE;

/* By area: the chunks from this one on must not be touched yet, nor their
   records.  */
extern uint32_t hint_accessible[HINT_AREAS] HINT_PRIVATE;

/* True if another run would make more chunks in use than ever were, and these
   are not just a few.  Without a lock, so that it may be wrong while
   other threads take and give runs.  */
bool hint_area_is_at_peak (void);

static inline char *
hint_chunk_start (uint32_t chunk)
{
  return (char *) hint_range_start + ((size_t) chunk << HINT_CHUNK_SHIFT);
}

static inline enum hint_kind
hint_chunk_kind (uint32_t chunk)
{
  return chunk < hint_half_chunks ? HINT_COLD : HINT_HOT;
}

/* Return the area of CHUNK.  */
static inline enum hint_area
hint_chunk_area (uint32_t chunk)
{
  return chunk < hint_half_chunks  ? HINT_AREA_COLD
	 : chunk < hint_huge_first ? HINT_AREA_HOT
				   : HINT_AREA_HUGE;
}

/* Return the chunk of ADDRESS, which is in the range; HINT_NO_CHUNK if that
   chunk was never used.  */
static inline uint32_t
hint_chunk_of (const void *address)
{
  const uint32_t chunk
    = (uint32_t) (((uintptr_t) address - hint_range_start) >> HINT_CHUNK_SHIFT);
  const uint32_t known
    = __atomic_load_n (&hint_accessible[hint_chunk_area (chunk)],
		       __ATOMIC_RELAXED);
  return chunk < known ? chunk : HINT_NO_CHUNK;
}

/* Take a run of CHUNKS chunks of KIND, aligned to ALIGNMENT chunks, a power of
   two, and set its state to STATE.  Its bytes are unknown.  IS_FULL is true if
   all its pages will probably be used.  Return HINT_NO_CHUNK if there is
   none.  */
uint32_t hint_run_take (enum hint_kind kind, size_t chunks, size_t alignment,
			enum hint_chunk_state state, bool is_full);

/* Clear all bytes of the run of CHUNKS chunks from FIRST, which was just
   taken.  */
void hint_run_clear (uint32_t first, uint32_t chunks);

/* Give back a run of CHUNKS chunks.  Pages are returned to the system when the
   free chunks of the kind keep too many, or either kind needs others.  */
void hint_run_give (uint32_t first, uint32_t chunks);

/* Give back a run of CHUNKS chunks without pages: its bytes are 0.  */
void hint_run_give_empty (uint32_t first, uint32_t chunks);

/* Make the run from FIRST CHUNKS chunks long, which is not more than it has,
   and give back the rest.  */
void hint_run_shorten (uint32_t first, uint32_t chunks);

/* Make the run from FIRST CHUNKS chunks long, which is more than it has, if the
   chunks behind it are free; the bytes of these are unknown.  */
bool hint_run_extend (uint32_t first, uint32_t chunks);

/* Move the contents of the CHUNKS chunks from FROM to those from TO, without
   copying; return false if copying them is the better or the only way.  The
   bytes at FROM are 0 then.  */
bool hint_run_move (uint32_t from, uint32_t to, uint32_t chunks);

/* With --enable-checking: true if the runs cover all chunks that were ever
   taken, and the lists of free ones and the counts agree with them.  */
bool hint_area_is_valid (void);

/* For fork: take and release the locks.  */
void hint_area_lock (void);
void hint_area_unlock (void);

#endif /* HEAPPROF_AREA_H */
