/* Slots: small blocks of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "slots.h"
#include "bytes.h"
#include "cache.h"
#include "guard.h"
#include "slot-class.h"
#include "system.h"

/* Runs of slots up to this size, which threads cache, have one chunk; others
   have space for at least 16 slots.  */
#define SMALL_SLOT_BYTES HINT_CACHED_BYTES
#define LONG_RUN_CHUNKS 16u

/* Runs of a class with free slots; at most one of them is entirely empty.  */
struct class_runs
{
  struct hint_guard guard;
  uint32_t partial; /* chunk + 1, 0 ends the list */
  uint32_t empty_runs;
};

static struct class_runs runs[HINT_POOLS][HINT_CLASS_COUNT];

/* Pools that have runs, or had: fork needs only the locks of these.  The guard
   comes before those of classes.  */
static struct hint_guard pools_guard = HINT_GUARD_INIT;
static bool pool_used[HINT_POOLS];

void
hint_refuse (const char *what)
{
  static const char head[] = "heaphint: ";
  hint_print (head, sizeof head - 1);
  hint_print (what, own_strlen (what));
  hint_print ("\n", 1);
  hint_abort ();
}

/* Lists identify a run by its first chunk + 1.  */

static void
list_run (struct class_runs *class, uint32_t run)
{
  struct hint_chunk *const chunk = &hint_chunks[run];
  chunk->previous = 0;
  chunk->next = class->partial;
  if (class->partial != 0)
    hint_chunks[class->partial - 1].previous = run + 1;
  class->partial = run + 1;
}

static void
unlist_run (struct class_runs *class, uint32_t run)
{
  const struct hint_chunk *const chunk = &hint_chunks[run];
  if (chunk->previous == 0)
    class->partial = chunk->next;
  else
    hint_chunks[chunk->previous - 1].next = chunk->next;
  if (chunk->next != 0)
    hint_chunks[chunk->next - 1].previous = chunk->previous;
}

/* Describe RUN of one chunk for releases without a lock.  */

static void
tag_run (uint32_t run, unsigned pool, unsigned slot_class)
{
  hint_tags[run].place = hint_magazine_place (pool, slot_class);
  hint_tags[run].slot_bytes = hint_class_bytes (slot_class);
  hint_tags[run].inverse = UINT64_MAX / hint_class_bytes (slot_class) + 1;
}

/* Add a run of free slots; return false if memory is exhausted.  */

static bool
add_run (struct class_runs *class, unsigned pool, unsigned slot_class)
{
  const uint32_t slot_bytes = hint_class_bytes (slot_class);
  const uint32_t chunks = slot_bytes <= SMALL_SLOT_BYTES ? 1 : LONG_RUN_CHUNKS;
  const uint32_t run
    = hint_run_take (hint_pool_kind (pool), chunks, 1, HINT_CHUNK_SLOTS);
  if (run == HINT_NO_CHUNK)
    return false;
  struct hint_chunk *const chunk = &hint_chunks[run];
  for (uint32_t i = 0; i < chunks; i++)
    hint_chunks[run + i].first = run;
  chunk->slot_class = (uint8_t) slot_class;
  chunk->pool = (uint16_t) pool;
  chunk->slot_bytes = slot_bytes;
  chunk->reciprocal
    = (uint32_t) ((((uint64_t) 1 << 32) + slot_bytes - 1) / slot_bytes);
  chunk->slot_count
    = (uint32_t) (((size_t) chunks << HINT_CHUNK_SHIFT) / slot_bytes);
  chunk->taken_count = 0;
  chunk->lowest_word = 0;
  own_memset (chunk->taken, 0,
	      (chunk->slot_count + 63) / 64 * sizeof (uint64_t));
  /* There are no slots at the end of the last word.  */
  if (chunk->slot_count % 64 != 0)
    chunk->taken[chunk->slot_count / 64] = UINT64_MAX << chunk->slot_count % 64;
  if (slot_class < HINT_CACHED_CLASSES)
    tag_run (run, pool, slot_class);
  list_run (class, run);
  class->empty_runs++;
  return true;
}

/* Take up to WANTED free slots of CHUNK, the lowest ones, and store them in the
   last places before END, the lowest one last.  Return their number.  */

static unsigned
take_lowest (struct hint_chunk *chunk, char *start, void **end, unsigned wanted)
{
  const unsigned left = chunk->slot_count - chunk->taken_count;
  const unsigned most = wanted < left ? wanted : left;
  uint32_t word = chunk->lowest_word;
  unsigned count = 0;
  for (;; word++)
    {
      uint64_t free = ~chunk->taken[word];
      for (; free != 0 && count < most; free &= free - 1)
	{
	  const uint32_t slot = word * 64 + (uint32_t) __builtin_ctzll (free);
	  *--end = start + (size_t) slot * chunk->slot_bytes;
	  count++;
	}
      chunk->taken[word] = ~free;
      if (count == most)
	break;
    }
  chunk->lowest_word = (uint16_t) word;
  chunk->taken_count += count;
  return count;
}

static void
use_pool (unsigned pool)
{
  if (__atomic_load_n (&pool_used[pool], __ATOMIC_ACQUIRE))
    return;
  hint_guard_lock (&pools_guard);
  __atomic_store_n (&pool_used[pool], true, __ATOMIC_RELEASE);
  hint_guard_unlock (&pools_guard);
}

unsigned
hint_slots_take (unsigned pool, unsigned slot_class, void **blocks,
		 unsigned wanted)
{
  struct class_runs *const class = &runs[pool][slot_class];
  unsigned lacking = wanted;
  use_pool (pool);
  hint_guard_lock (&class->guard);
  while (lacking > 0
	 && (class->partial != 0 || add_run (class, pool, slot_class)))
    {
      const uint32_t run = class->partial - 1;
      struct hint_chunk *const chunk = &hint_chunks[run];
      if (chunk->taken_count == 0)
	class->empty_runs--;
      lacking -= take_lowest (chunk, hint_chunk_start (run), blocks + lacking,
			      lacking);
      if (chunk->taken_count == chunk->slot_count)
	unlist_run (class, run);
    }
  hint_guard_unlock (&class->guard);
  if (lacking > 0)
    own_memmove (blocks, blocks + lacking,
		 (wanted - lacking) * sizeof blocks[0]);
  return wanted - lacking;
}

/* Give RUN back, which is empty, unless it is the only one of CLASS that is. */

static void
give_run (struct class_runs *class, uint32_t run)
{
  if (class->empty_runs == 0)
    {
      class->empty_runs = 1;
      return;
    }
  unlist_run (class, run);
  hint_tags[run] = (struct hint_tag){ 0 };
  hint_run_give (run, hint_chunks[run].run_chunks);
}

/* Mark SLOT of CHUNK's run as free.  The caller holds the guard.  */

static inline void
give_one (struct class_runs *class, struct hint_chunk *chunk, uint32_t slot)
{
  uint64_t *const word = &chunk->taken[slot / 64];
  const uint64_t bit = (uint64_t) 1 << slot % 64;
  if (slot >= chunk->slot_count)
    hint_refuse ("invalid pointer released");
  if ((*word & bit) == 0)
    hint_refuse ("block released twice");
  *word ^= bit;
  if (slot / 64 < chunk->lowest_word)
    chunk->lowest_word = (uint16_t) (slot / 64);
  const uint32_t taken = chunk->taken_count--;
  if (taken == chunk->slot_count)
    list_run (class, (uint32_t) (chunk - hint_chunks));
  if (taken == 1)
    give_run (class, (uint32_t) (chunk - hint_chunks));
}

/* Pointers that are not the start of a slot were refused before, except just
   after the last slot.  Neighbours in BLOCKS are often in one chunk.  */

void
hint_slots_give (unsigned pool, unsigned slot_class, void *const *blocks,
		 unsigned count)
{
  struct class_runs *const class = &runs[pool][slot_class];
  const bool is_short = slot_class < HINT_CACHED_CLASSES;
  const uintptr_t range = hint_range_start;
  size_t in_chunk = SIZE_MAX, start = 0;
  struct hint_chunk *chunk = NULL;
  hint_guard_lock (&class->guard);
  for (unsigned i = 0; i < count; i++)
    {
      const size_t place = (uintptr_t) blocks[i] - range;
      if (place >> HINT_CHUNK_SHIFT != in_chunk)
	{
	  in_chunk = place >> HINT_CHUNK_SHIFT;
	  const size_t run = is_short ? in_chunk : hint_chunks[in_chunk].first;
	  start = run << HINT_CHUNK_SHIFT;
	  chunk = &hint_chunks[run];
	}
      const uint64_t slot = (uint64_t) (place - start) * chunk->reciprocal;
      give_one (class, chunk, (uint32_t) (slot >> 32));
    }
  hint_guard_unlock (&class->guard);
}

void
hint_slots_lock (void)
{
  hint_guard_lock (&pools_guard);
  for (unsigned pool = 0; pool < HINT_POOLS; pool++)
    for (unsigned i = 0; pool_used[pool] && i < HINT_CLASS_COUNT; i++)
      hint_guard_lock (&runs[pool][i].guard);
}

void
hint_slots_unlock (void)
{
  for (unsigned pool = HINT_POOLS; pool-- > 0;)
    for (unsigned i = HINT_CLASS_COUNT; pool_used[pool] && i-- > 0;)
      hint_guard_unlock (&runs[pool][i].guard);
  hint_guard_unlock (&pools_guard);
}
