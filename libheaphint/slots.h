/* Slots: blocks of up to 64 KiB, several per run of chunks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Slots are taken and given back several at a time under the lock of their
   class; threads cache some (cache.h).  */

#ifndef HEAPPROF_SLOTS_H
#define HEAPPROF_SLOTS_H

#include "area.h"

/* Take up to WANTED slots of SLOT_CLASS of POOL, lowest addresses of a run
   first. Store them in BLOCKS, the lowest one last, and return their number.
   The slots' content is undefined.  */
unsigned hint_slots_take (unsigned pool, unsigned slot_class, void **blocks,
			  unsigned wanted);

/* True if a run of SLOT_CLASS of POOL has free slots, a moment ago.  */
bool hint_slots_are_at_hand (unsigned pool, unsigned slot_class);

/* Give back COUNT slots of one class of POOL; abort if one of them is not in
   use.  */
void hint_slots_give (unsigned pool, unsigned slot_class, void *const *blocks,
		      unsigned count);

/* Return the number of the slot of CHUNK's run that starts OFFSET bytes after
   the run's start; slot_count if there is none.  The product is exact for
   multiples of slot_bytes: there are at most 4096 slots, and the reciprocal is
   too large by less than 2^16 / 2^32.  */
static inline uint32_t
hint_slot_at (const struct hint_chunk *chunk, size_t offset)
{
  const uint64_t slot = ((uint64_t) offset * chunk->reciprocal) >> 32;
  return slot < chunk->slot_count && slot * chunk->slot_bytes == offset
	   ? (uint32_t) slot
	   : chunk->slot_count;
}

/* Return the number of the bit of SLOT in CHUNK's taken[].  */
static inline uint32_t
hint_slot_bit (const struct hint_chunk *chunk, uint32_t slot)
{
  return slot >= chunk->first_slot
	   ? slot - chunk->first_slot
	   : slot + chunk->slot_count - chunk->first_slot;
}

/* Return the first chunk of the run of ADDRESS, which is in CHUNK, part of a
   run of slots; HINT_NO_CHUNK if ADDRESS is not the start of a slot.  */
static inline uint32_t
hint_slot_run (uint32_t chunk, const void *address)
{
  const uint32_t run = hint_chunks[chunk].first;
  const size_t offset
    = (size_t) ((const char *) address - hint_chunk_start (run));
  const struct hint_chunk *const record = &hint_chunks[run];
  return hint_slot_at (record, offset) < record->slot_count ? run
							    : HINT_NO_CHUNK;
}

/* With --enable-checking: true if the runs with free slots, and their records
   and tags, are consistent.  */
bool hint_slots_are_valid (void);

/* For fork: take and release the locks.  */
void hint_slots_lock (void);
void hint_slots_unlock (void);

#endif /* HEAPPROF_SLOTS_H */
