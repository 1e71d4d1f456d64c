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
  if (slot_class < HINT_CACHED_CLASSES)
    tag_run (run, pool, slot_class);
  list_run (class, run);
  class->empty_runs++;
  return true;
}

/* Take the lowest free slot of CHUNK, which has one.  */

static uint32_t
take_lowest (struct hint_chunk *chunk)
{
  uint32_t word = chunk->lowest_word;
  while (chunk->taken[word] == UINT64_MAX)
    word++;
  const unsigned bit = (unsigned) __builtin_ctzll (~chunk->taken[word]);
  chunk->taken[word] |= (uint64_t) 1 << bit;
  chunk->lowest_word = (uint16_t) word;
  chunk->taken_count++;
  return word * 64 + bit;
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
  unsigned count = 0;
  use_pool (pool);
  hint_guard_lock (&class->guard);
  while (count < wanted
	 && (class->partial != 0 || add_run (class, pool, slot_class)))
    {
      const uint32_t run = class->partial - 1;
      struct hint_chunk *const chunk = &hint_chunks[run];
      char *const start = hint_chunk_start (run);
      if (chunk->taken_count == 0)
	class->empty_runs--;
      while (count < wanted && chunk->taken_count < chunk->slot_count)
	blocks[count++]
	  = start + (size_t) take_lowest (chunk) * chunk->slot_bytes;
      if (chunk->taken_count == chunk->slot_count)
	unlist_run (class, run);
    }
  hint_guard_unlock (&class->guard);
  return count;
}

/* Mark BLOCK's slot as free.  The caller holds the guard.  */

static void
give_one (struct class_runs *class, const void *block)
{
  const uint32_t run = hint_chunks[hint_chunk_of (block)].first;
  struct hint_chunk *const chunk = &hint_chunks[run];
  const uint32_t slot
    = hint_slot_at (chunk,
		    (size_t) ((const char *) block - hint_chunk_start (run)));
  if (slot == chunk->slot_count)
    hint_refuse ("invalid pointer released");
  uint64_t *const word = &chunk->taken[slot / 64];
  const uint64_t bit = (uint64_t) 1 << slot % 64;
  if ((*word & bit) == 0)
    hint_refuse ("block released twice");
  *word &= ~bit;
  if (slot / 64 < chunk->lowest_word)
    chunk->lowest_word = (uint16_t) (slot / 64);
  if (chunk->taken_count-- == chunk->slot_count)
    list_run (class, run);
  if (chunk->taken_count != 0)
    return;
  if (class->empty_runs == 0)
    {
      class->empty_runs = 1;
      return;
    }
  unlist_run (class, run);
  hint_tags[run] = (struct hint_tag){ 0 };
  hint_run_give (run, chunk->run_chunks);
}

void
hint_slots_give (unsigned pool, unsigned slot_class, void *const *blocks,
		 unsigned count)
{
  struct class_runs *const class = &runs[pool][slot_class];
  hint_guard_lock (&class->guard);
  for (unsigned i = 0; i < count; i++)
    give_one (class, blocks[i]);
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
