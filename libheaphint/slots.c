/* Slots: small blocks of the pools.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "slots.h"
#include "bytes.h"
#include "cache.h"
#include "guard.h"
#include "refuse.h"
#include "slot-class.h"

/* Runs of slots up to this size, which threads cache, have one chunk; others
   have space for at least 16 slots.  */
#define SMALL_SLOT_BYTES HINT_CACHED_BYTES
#define LONG_RUN_SLOTS 16u

const uint8_t hint_class_listed[HINT_CLASS_LISTED_BYTES / 16 + 1]
  = { 0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
      32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37, 38, 38, 39, 39, 40, 40,
      41, 41, 42, 42, 43, 43, 44, 44, 45, 45, 46, 46, 47, 47 };

/* Runs of a class with free slots, none of which is entirely empty.  */
struct class_runs
{
  struct hint_guard guard;
  uint32_t partial; /* chunk + 1, 0 ends the list */
  uint32_t count;   /* of all runs, the full ones, too */
};

static struct class_runs runs[HINT_POOLS][HINT_CLASS_COUNT];

/* Pools that have runs, or had: fork needs only the locks of these.  The guard
   comes before those of classes.  */
static struct hint_guard pools_guard = HINT_GUARD_INIT;
static bool pool_used[HINT_POOLS];

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

/* Return the slot that is used first in a class's only run, of SLOT_COUNT slots
   of SLOT_BYTES.  If it were the first one, the blocks of sizes that have few
   would all compete for the same lines of the processor's caches.  It is in the
   first page, or among the first four slots.  */

static uint32_t
choose_first_slot (uint32_t slot_bytes, uint32_t slot_count)
{
  static uint32_t runs_made;
  const uint32_t number
    = __atomic_fetch_add (&runs_made, 1, __ATOMIC_RELAXED) * 27;
  const uint32_t slot
    = slot_bytes > 1024 ? number % 4 : number % 64 * 64 / slot_bytes;
  return slot < slot_count ? slot : 0;
}

/* Add a run of free slots; return false if memory is exhausted.  */

static bool
add_run (struct class_runs *class, unsigned pool, unsigned slot_class)
{
  const uint32_t slot_bytes = hint_class_bytes (slot_class);
  const uint32_t chunks
    = slot_bytes <= SMALL_SLOT_BYTES
	? 1
	: (uint32_t) ((LONG_RUN_SLOTS * slot_bytes + HINT_CHUNK_BYTES - 1)
		      >> HINT_CHUNK_SHIFT);
  const uint32_t run = hint_run_take (hint_pool_kind (pool), chunks, 1,
				      HINT_CHUNK_SLOTS, class->count > 0);
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
  chunk->first_slot
    = class->count++ > 0
	? 0
	: (uint16_t) choose_first_slot (slot_bytes, chunk->slot_count);
  own_memset (chunk->taken, 0,
	      (chunk->slot_count + 63) / 64 * sizeof (uint64_t));
  /* There are no slots at the end of the last word.  */
  if (chunk->slot_count % 64 != 0)
    chunk->taken[chunk->slot_count / 64] = UINT64_MAX << chunk->slot_count % 64;
  if (slot_class < HINT_CACHED_CLASSES)
    tag_run (run, pool, slot_class);
  list_run (class, run);
  return true;
}

/* Return a word with the COUNT bits from FIRST on set, 1 to 64 - FIRST.  */

static inline uint64_t
bits_from (unsigned first, unsigned count)
{
  return UINT64_MAX >> (64 - count) << first;
}

/* Store the addresses of COUNT slots of SLOT_BYTES from SLOT on in the places
   before END, the lowest one last.  */

static inline void
store_slots (void **end, char *slot, uint32_t slot_bytes, unsigned count)
{
  void **const start = end - count;
  for (; end - start >= 4; slot += 4 * slot_bytes, end -= 4)
    {
      end[-1] = slot;
      end[-2] = slot + slot_bytes;
      end[-3] = slot + 2 * slot_bytes;
      end[-4] = slot + 3 * slot_bytes;
    }
  for (; end > start; slot += slot_bytes)
    *--end = slot;
}

/* Take up to WANTED free slots of CHUNK, whose first slot is FIRST: the lowest
   bits.  Store them in the last places before END, the lowest one last.  Return
   their number.  Neighbours are taken together.  */

static inline unsigned
take_lowest (struct hint_chunk *chunk, uint32_t first, char *start, void **end,
	     unsigned wanted)
{
  const unsigned left = chunk->slot_count - chunk->taken_count;
  const unsigned most = wanted < left ? wanted : left;
  uint32_t word = chunk->lowest_word;
  unsigned count = 0;
  for (;; word++)
    {
      uint64_t free = ~chunk->taken[word];
      while (free != 0 && count < most)
	{
	  const unsigned lowest = (unsigned) __builtin_ctzll (free);
	  const uint64_t behind = ~(free >> lowest);
	  unsigned several
	    = behind == 0 ? 64 : (unsigned) __builtin_ctzll (behind);
	  uint32_t slot = word * 64 + lowest + first;
	  several = several < most - count ? several : most - count;
	  if (first > 0 && slot >= chunk->slot_count)
	    slot -= chunk->slot_count;
	  else if (first > 0 && several > chunk->slot_count - slot)
	    several = chunk->slot_count - slot;
	  store_slots (end, start + (size_t) slot * chunk->slot_bytes,
		       chunk->slot_bytes, several);
	  end -= several;
	  count += several;
	  free ^= bits_from (lowest, several);
	}
      chunk->taken[word] = ~free;
      if (count == most)
	break;
    }
  chunk->lowest_word = (uint16_t) word;
  chunk->taken_count += count;
  return count;
}

#if HEAPPROF_CHECKING > 0

/* Return the number of bits that are set in WORD.  The built-in function may be
   a call of one in libgcc, which the program may define.  */

static uint32_t
count_bits (uint64_t word)
{
  uint32_t count = 0;
  for (; word != 0; word &= word - 1)
    count++;
  return count;
}

/* Return the number of slots that are taken according to the words of CHUNK,
   whose slots after the last one are marked as taken; all words before the
   lowest one with a free slot must be full.  Return UINT32_MAX otherwise.  */

static uint32_t
count_taken (const struct hint_chunk *chunk)
{
  const uint32_t words = (chunk->slot_count + 63) / 64;
  uint32_t count = 0;
  for (uint32_t i = 0; i < words; i++)
    {
      if (i < chunk->lowest_word && chunk->taken[i] != UINT64_MAX)
	return UINT32_MAX;
      count += count_bits (chunk->taken[i]);
    }
  return count - (words * 64 - chunk->slot_count);
}

static bool
tag_is_valid (uint32_t run, unsigned pool, unsigned slot_class)
{
  const struct hint_tag *const tag = &hint_tags[run];
  if (slot_class >= HINT_CACHED_CLASSES)
    return tag->place == 0 && tag->inverse == 0;
  return tag->place == hint_magazine_place (pool, slot_class)
	 && tag->slot_bytes == hint_class_bytes (slot_class)
	 && tag->inverse == UINT64_MAX / tag->slot_bytes + 1;
}

/* True if RUN can be in the list of SLOT_CLASS of POOL.  */

static bool
run_is_valid (uint32_t run, unsigned pool, unsigned slot_class)
{
  const struct hint_chunk *const chunk = &hint_chunks[run];
  const enum hint_kind kind = hint_pool_kind (pool);
  if (run >= 2 * hint_half_chunks || hint_chunk_kind (run) != kind
      || run >= hint_accessible[hint_chunk_area (run)])
    return false;
  const size_t bytes = (size_t) chunk->run_chunks << HINT_CHUNK_SHIFT;
  for (uint32_t i = 0; i < chunk->run_chunks; i++)
    if (chunk[i].state != HINT_CHUNK_SLOTS || chunk[i].first != run)
      return false;
  return chunk->slot_class == slot_class && chunk->pool == pool
	 && chunk->slot_bytes == hint_class_bytes (slot_class)
	 && chunk->slot_count == bytes / chunk->slot_bytes
	 && chunk->taken_count > 0 && chunk->taken_count < chunk->slot_count
	 && chunk->taken_count == count_taken (chunk)
	 && tag_is_valid (run, pool, slot_class);
}

/* Check the runs of SLOT_CLASS of POOL that have free slots.  The caller holds
   the guard.  */

static bool
class_is_valid (unsigned pool, unsigned slot_class)
{
  const struct class_runs *const class = &runs[pool][slot_class];
  uint32_t previous = 0;
  for (uint32_t at = class->partial; at != 0; at = hint_chunks[at - 1].next)
    {
      if (!run_is_valid (at - 1, pool, slot_class)
	  || hint_chunks[at - 1].previous != previous)
	return false;
      previous = at;
    }
  return true;
}

bool
hint_slots_are_valid (void)
{
  bool are_valid = true;
  for (unsigned pool = 0; pool < HINT_POOLS && are_valid; pool++)
    for (unsigned i = 0;
	 i < HINT_CLASS_COUNT && are_valid
	 && __atomic_load_n (&pool_used[pool], __ATOMIC_ACQUIRE);
	 i++)
      {
	hint_guard_lock (&runs[pool][i].guard);
	are_valid = class_is_valid (pool, i);
	hint_guard_unlock (&runs[pool][i].guard);
      }
  return are_valid;
}

#endif

static void
use_pool (unsigned pool)
{
  if (__atomic_load_n (&pool_used[pool], __ATOMIC_ACQUIRE))
    return;
  hint_guard_lock (&pools_guard);
  __atomic_store_n (&pool_used[pool], true, __ATOMIC_RELEASE);
  hint_guard_unlock (&pools_guard);
}

bool
hint_slots_are_at_hand (unsigned pool, unsigned slot_class)
{
  return __atomic_load_n (&runs[pool][slot_class].partial, __ATOMIC_RELAXED)
	 != 0;
}

unsigned
hint_slots_take (unsigned pool, unsigned slot_class, void **blocks,
		 unsigned wanted)
{
  struct class_runs *const class = &runs[pool][slot_class];
  unsigned lacking = wanted;
  use_pool (pool);
  hint_guard_lock (&class->guard);
  /* One more run is enough for now.  */
  while (lacking > 0
	 && (class->partial != 0
	     || (lacking == wanted && add_run (class, pool, slot_class))))
    {
      const uint32_t run = class->partial - 1;
      struct hint_chunk *const chunk = &hint_chunks[run];
      char *const start = hint_chunk_start (run);
      lacking -= chunk->first_slot == 0
		   ? take_lowest (chunk, 0, start, blocks + lacking, lacking)
		   : take_lowest (chunk, chunk->first_slot, start,
				  blocks + lacking, lacking);
      if (chunk->taken_count == chunk->slot_count)
	unlist_run (class, run);
    }
  HINT_CHECK_FULL (class_is_valid (pool, slot_class));
  hint_guard_unlock (&class->guard);
  if (lacking > 0)
    own_memmove (blocks, blocks + lacking,
		 (wanted - lacking) * sizeof blocks[0]);
  return wanted - lacking;
}

/* Give RUN of CLASS back, which is empty.  Its pages may be used next by
   another class, so it does not wait for this one.  */

static void
give_run (struct class_runs *class, uint32_t run)
{
  unlist_run (class, run);
  class->count--;
  hint_tags[run] = (struct hint_tag){ 0 };
  hint_run_give (run, hint_chunks[run].run_chunks);
}

/* Mark the slots of CHUNK's run whose bits of WORD are in BITS as free.  */

static inline void
free_bits (struct hint_chunk *chunk, uint32_t word, uint64_t bits)
{
  if ((chunk->taken[word] & bits) != bits)
    hint_refuse ("block released twice");
  chunk->taken[word] ^= bits;
  if (bits != 0 && word < chunk->lowest_word)
    chunk->lowest_word = (uint16_t) word;
}

/* Return the number of blocks from BLOCKS on, at most MOST, each of which is
   STEP bytes after the one before, modulo 2^64.  */

static inline unsigned
count_neighbours (void *const *blocks, unsigned most, uintptr_t step)
{
  uintptr_t next = (uintptr_t) blocks[0] + step;
  unsigned count = 1;
  for (; count < most && (uintptr_t) blocks[count] == next; count++)
    next += step;
  return count;
}

/* Return the bits of SLOT's word, whose bit for it has NUMBER, of the slots
   from BLOCKS on, at most MOST, that are neighbours: as they were allocated, or
   the reverse if STEP is negative.  Store their number in *COUNT.  In a run
   that is turned, the slots of the first and the last bit are neighbours.  */

static __attribute__ ((noinline)) uint64_t
neighbours (const struct hint_chunk *chunk, uint32_t slot, uint32_t number,
	    void *const *blocks, intptr_t step, unsigned most, unsigned *count)
{
  const unsigned bit = number % 64;
  const unsigned behind
    = (number > slot ? chunk->first_slot : chunk->slot_count) - slot;
  const unsigned in_word = step < 0 ? (slot < bit ? slot : bit) + 1
				    : (behind < 64 - bit ? behind : 64 - bit);
  *count = count_neighbours (blocks, most < in_word ? most : in_word,
			     (uintptr_t) step);
  return bits_from (step < 0 ? bit + 1 - *count : bit, *count);
}

/* Mark those of the COUNT blocks as free that are in the run of CHUNK, which is
   at START, and IS_TURNED if its first slot is not that of bit 0, up to the
   first that is not; the first one is.  Return their number.  The caller holds
   the guard.  Pointers that are not the start of a slot were refused before,
   except just after the last slot.  Neighbours are often in the same word,
   which is then changed once, and often in order of address.  */

static inline __attribute__ ((always_inline)) unsigned
free_slots (struct hint_chunk *chunk, bool is_turned, uintptr_t start,
	    void *const *blocks, unsigned count)
{
  const size_t run_bytes = (size_t) chunk->run_chunks << HINT_CHUNK_SHIFT;
  const uint64_t reciprocal = chunk->reciprocal;
  const uint32_t slot_count = chunk->slot_count;
  const intptr_t slot_bytes = chunk->slot_bytes;
  uint32_t word = 0;
  uint64_t bits = 0;
  unsigned i = 0;
  while (i < count)
    {
      const size_t offset = (uintptr_t) blocks[i] - start;
      if (offset >= run_bytes)
	break;
      const uint32_t slot = (uint32_t) ((offset * reciprocal) >> 32);
      if (slot >= slot_count)
	hint_refuse ("invalid pointer released");
      const uint32_t number = is_turned ? hint_slot_bit (chunk, slot) : slot;
      const intptr_t step
	= i + 1 < count ? (char *) blocks[i + 1] - (char *) blocks[i] : 0;
      uint64_t these = (uint64_t) 1 << number % 64;
      unsigned several = 1;
      if (step == slot_bytes || step == -slot_bytes)
	these = neighbours (chunk, slot, number, blocks + i, step, count - i,
			    &several);
      if (number / 64 != word)
	{
	  free_bits (chunk, word, bits);
	  word = number / 64;
	  bits = 0;
	}
      if ((bits & these) != 0)
	hint_refuse ("block released twice");
      bits |= these;
      i += several;
    }
  free_bits (chunk, word, bits);
  return i;
}

/* Neighbours in BLOCKS are often in one run.  */

void
hint_slots_give (unsigned pool, unsigned slot_class, void *const *blocks,
		 unsigned count)
{
  struct class_runs *const class = &runs[pool][slot_class];
  hint_guard_lock (&class->guard);
  while (count > 0)
    {
      const size_t place = (uintptr_t) blocks[0] - hint_range_start;
      const uint32_t run = hint_chunks[place >> HINT_CHUNK_SHIFT].first;
      struct hint_chunk *const chunk = &hint_chunks[run];
      const uintptr_t start = (uintptr_t) hint_chunk_start (run);
      const unsigned freed = chunk->first_slot == 0
			       ? free_slots (chunk, false, start, blocks, count)
			       : free_slots (chunk, true, start, blocks, count);
      if (chunk->taken_count == chunk->slot_count)
	list_run (class, run);
      chunk->taken_count -= freed;
      if (chunk->taken_count == 0)
	give_run (class, run);
      blocks += freed;
      count -= freed;
    }
  HINT_CHECK_FULL (class_is_valid (pool, slot_class));
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
