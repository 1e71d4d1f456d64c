/* Caches of slots, one per thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "cache.h"
#include "bytes.h"
#include "guard.h"
#include "refuse.h"
#include "slot-class.h"
#include "slots.h"
#include "system.h"
#include <errno.h>
#include <pthread.h>

#define CACHED_MOST_BYTES (64u * 1024)
#define PAGE_BYTES ((size_t) 4096)
#define SPACE_BYTES (32u * 1024)

/* Magazines that are looked at when a run of slots is needed: a few, so that
   several runs come between two looks at the same one.  */
#define TRIM_CLASSES 28u

/* Sizes of the arrays in bytes.  */
static const unsigned level_bytes[HINT_LEVELS] = { 256, 1024, 4096, 8192 };

__thread union hint_cache *hint_own_cache;
static __thread bool has_ended; /* or could not get a cache: uses the locks */

static struct hint_guard guard = HINT_GUARD_INIT;
static union hint_cache *unused;
static pthread_key_t key;
static bool has_key;

/* Return the number of blocks that a magazine of SLOT_CLASS holds at LEVEL.  */

static unsigned
blocks_kept (unsigned slot_class, uint64_t level)
{
  const unsigned by_bytes = CACHED_MOST_BYTES / hint_class_bytes (slot_class);
  const unsigned fit = level_bytes[level] / sizeof (void *);
  return by_bytes < fit ? by_bytes : fit;
}

_Static_assert(HINT_CACHED_CLASSES <= 1 << HINT_PLACES_SHIFT,
	       "each class that is cached has a place");
_Static_assert(offsetof (union hint_cache, trim_class) + sizeof (uint16_t)
		 <= offsetof (union hint_cache, magazines[HINT_FIRST_PLACE]),
	       "the rest ends before the magazines in use");
_Static_assert(HINT_CACHED_CLASSES % TRIM_CLASSES == 0,
	       "the same number of magazines is looked at each time");

/* Make the places from FIRST up to END of CACHE writable; return false on
   failure.  */

static bool
make_writable (union hint_cache *cache, uint32_t first, uint32_t end)
{
  char *const start = (char *) hint_magazine_at (cache, first);
  const size_t head = (uintptr_t) start & (PAGE_BYTES - 1);
  const size_t bytes = (end - first) * sizeof (struct hint_magazine);
  return hint_protect (start - head,
		       (head + bytes + PAGE_BYTES - 1) & -PAGE_BYTES,
		       PROT_READ | PROT_WRITE);
}

/* Magazines are read before they are used, but only pages of pools in use can
   be written: with mlockall, those that can be written are memory.  */

static union hint_cache *
make_cache (void)
{
  union hint_cache *const cache
    = hint_map (sizeof *cache, PROT_READ, MAP_NORESERVE);
  return cache != NULL && make_writable (cache, 0, 1) ? cache : NULL;
}

/* Return an array of LEVEL; NULL if memory is exhausted.  */

static void **
make_array (union hint_cache *cache, uint64_t level)
{
  void **const unused_one = cache->arrays[level];
  if (unused_one != NULL)
    {
      cache->arrays[level] = *unused_one;
      return unused_one;
    }
  if ((size_t) (cache->space_end - cache->space) < level_bytes[level])
    {
      char *const space = hint_map (SPACE_BYTES, PROT_READ | PROT_WRITE, 0);
      if (space == NULL)
	return NULL;
      cache->space = space;
      cache->space_end = space + SPACE_BYTES;
    }
  char *const array = cache->space;
  cache->space += level_bytes[level];
  return (void **) (void *) array;
}

/* Give MAGAZINE an array of LEVEL; return false if memory is exhausted.  */

static bool
set_array (union hint_cache *cache, unsigned slot_class,
	   struct hint_magazine *magazine, uint64_t level)
{
  void **const array = make_array (cache, level);
  void **const old = magazine->bottom;
  if (array == NULL)
    return false;
  const size_t count = (size_t) (magazine->top - old);
  if (old != NULL)
    {
      own_memcpy (array, old, count * sizeof *array);
      *old = cache->arrays[magazine->level];
      cache->arrays[magazine->level] = old;
    }
  magazine->bottom = array;
  magazine->top = array + count;
  magazine->end = array + blocks_kept (slot_class, level);
  magazine->level = (uint16_t) level;
  return true;
}

/* Enlarge MAGAZINE, which is too small for what the thread does; return false
   if it has its full size.  */

static bool
enlarge (union hint_cache *cache, unsigned slot_class,
	 struct hint_magazine *magazine)
{
  const uint64_t level = magazine->level + 1;
  return level < HINT_LEVELS
	 && blocks_kept (slot_class, level)
	      > blocks_kept (slot_class, magazine->level)
	 && set_array (cache, slot_class, magazine, level);
}

/* Return the magazine of SLOT_CLASS in POOL, ready for use; NULL if memory is
   exhausted.  */

static struct hint_magazine *
get_magazine (union hint_cache *cache, unsigned pool, unsigned slot_class)
{
  struct hint_magazine *const magazine
    = hint_magazine_at (cache, hint_magazine_place (pool, slot_class));
  const uint64_t bit = (uint64_t) 1 << pool % 64;
  if (magazine->bottom != NULL)
    return magazine;
  if ((cache->pools_used[pool / 64] & bit) == 0)
    {
      if (!make_writable (cache, hint_magazine_place (pool, 0),
			  hint_magazine_place (pool + 1, 0)))
	return NULL;
      cache->pools_used[pool / 64] |= bit;
    }
  return set_array (cache, slot_class, magazine, 0) ? magazine : NULL;
}

#if HEAPPROF_CHECKING > 0

/* True if BLOCK is a slot of SLOT_CLASS of POOL, and taken.  */

static bool
slot_is_taken (unsigned pool, unsigned slot_class, const void *block)
{
  size_t range;
  const size_t offset = hint_range_offset (block, &range);
  if (offset >= range || hint_chunk_of (block) == HINT_NO_CHUNK)
    return false;
  const uint32_t run = hint_chunk_of (block);
  const struct hint_chunk *const chunk = &hint_chunks[run];
  const uint32_t slot = hint_slot_at (chunk, offset & (HINT_CHUNK_BYTES - 1));
  return chunk->state == HINT_CHUNK_SLOTS && chunk->pool == pool
	 && chunk->slot_class == slot_class && slot < chunk->slot_count
	 && (__atomic_load_n (&chunk->taken[hint_slot_bit (chunk, slot) / 64],
			      __ATOMIC_RELAXED)
	       >> hint_slot_bit (chunk, slot) % 64
	     & 1)
	      != 0;
}

static bool
magazine_is_valid (const struct hint_magazine *magazine, unsigned pool,
		   unsigned slot_class)
{
  void **const bottom = magazine->bottom;
  if (bottom == NULL)
    return magazine->top == NULL && magazine->end == NULL;
  if (magazine->level >= HINT_LEVELS
      || magazine->end != bottom + blocks_kept (slot_class, magazine->level)
      || magazine->top < bottom || magazine->top > magazine->end)
    return false;
  for (void **block = bottom; block < magazine->top; block++)
    if (!slot_is_taken (pool, slot_class, *block))
      return false;
  return true;
}

bool
hint_cache_is_valid (void)
{
  union hint_cache *const cache = hint_own_cache;
  bool is_valid = cache == NULL
		  || (cache->none.top == NULL && cache->none.bottom == NULL
		      && cache->none.end == NULL);
  for (unsigned pool = 0; cache != NULL && pool < HINT_POOLS; pool++)
    {
      const uint32_t place = hint_magazine_place (pool, 0);
      if ((cache->pools_used[pool / 64] >> pool % 64 & 1) == 0)
	continue;
      for (unsigned i = 0; i < HINT_CACHED_CLASSES && is_valid; i++)
	is_valid
	  = magazine_is_valid (hint_magazine_at (cache, place + i), pool, i);
    }
  return is_valid;
}

#endif

/* Give back the COUNT oldest blocks of MAGAZINE.  */

static void
flush (unsigned pool, unsigned slot_class, struct hint_magazine *magazine,
       size_t count)
{
  void **const bottom = magazine->bottom;
  const size_t left = (size_t) (magazine->top - bottom) - count;
  hint_slots_give (pool, slot_class, bottom, (unsigned) count);
  own_memmove (bottom, bottom + count, left * sizeof *bottom);
  magazine->top = bottom + left;
}

static void
flush_pool (union hint_cache *cache, unsigned pool)
{
  for (unsigned i = 0; i < HINT_CACHED_CLASSES; i++)
    {
      struct hint_magazine *const magazine
	= hint_magazine_at (cache, hint_magazine_place (pool, i));
      if (magazine->top != magazine->bottom)
	flush (pool, i, magazine, (size_t) (magazine->top - magazine->bottom));
    }
}

/* Give back the slots of MAGAZINE that were not needed since the last look at
   it, as far as its tops at both times show that.  */

static void
give_unneeded (unsigned pool, unsigned slot_class,
	       struct hint_magazine *magazine)
{
  const uint32_t count = (uint32_t) (magazine->top - magazine->bottom);
  const uint32_t least = count < magazine->seen ? count : magazine->seen;
  const uint32_t given = count == magazine->seen ? count : least / 2;
  if (given > 0)
    flush (pool, slot_class, magazine, given);
  magazine->seen = count - given;
}

/* Return the first pool that CACHE has used from POOL on; HINT_POOLS if there
   is none.  */

static unsigned
next_used_pool (const union hint_cache *cache, unsigned pool)
{
  uint64_t mask = UINT64_MAX << pool % 64;
  for (unsigned i = pool / 64; i < sizeof cache->pools_used / sizeof mask; i++)
    {
      const uint64_t used = cache->pools_used[i] & mask;
      if (used != 0)
	return i * 64 + (unsigned) __builtin_ctzll (used);
      mask = UINT64_MAX;
    }
  return HINT_POOLS;
}

void
hint_cache_trim (void)
{
  union hint_cache *const cache = hint_own_cache;
  if (cache == NULL)
    return;
  unsigned first = cache->trim_class;
  unsigned pool = next_used_pool (cache, cache->trim_pool);
  if (pool != cache->trim_pool)
    first = 0;
  if (pool == HINT_POOLS)
    pool = next_used_pool (cache, 0);
  if (pool == HINT_POOLS)
    return;
  for (unsigned i = first; i < first + TRIM_CLASSES; i++)
    give_unneeded (pool, i,
		   hint_magazine_at (cache, hint_magazine_place (pool, i)));
  first += TRIM_CLASSES;
  const bool is_done = first == HINT_CACHED_CLASSES;
  cache->trim_class = (uint16_t) (is_done ? 0 : first);
  cache->trim_pool = (uint16_t) (pool + is_done);
}

/* Called by the C library when a thread ends.  */

static void
end_thread (void *data)
{
  union hint_cache *const cache = data;
  HINT_CHECK (hint_cache_is_valid ());
  hint_own_cache = NULL;
  has_ended = true;
  for (unsigned pool = 0; pool < HINT_POOLS; pool++)
    if ((cache->pools_used[pool / 64] >> pool % 64 & 1) != 0)
      flush_pool (cache, pool);
  hint_guard_lock (&guard);
  cache->next_unused = unused;
  unused = cache;
  hint_guard_unlock (&guard);
}

/* Return this thread's cache, creating it if necessary; NULL if it cannot have
   one.  */

static union hint_cache *
get_cache (void)
{
  if (hint_own_cache != NULL || has_ended)
    return hint_own_cache;
  if (!has_key)
    return NULL;
  hint_guard_lock (&guard);
  union hint_cache *cache = unused;
  if (cache != NULL)
    unused = cache->next_unused;
  hint_guard_unlock (&guard);
  if (cache == NULL)
    cache = make_cache ();
  hint_own_cache = cache;
  has_ended = cache == NULL;
  if (cache != NULL)
    {
      const int saved = errno;
      pthread_setspecific (key, cache);
      errno = saved;
    }
  return hint_own_cache;
}

void *
hint_cache_take_slowly (unsigned pool, unsigned slot_class)
{
  union hint_cache *const cache
    = slot_class < HINT_CACHED_CLASSES ? get_cache () : NULL;
  struct hint_magazine *const magazine
    = cache != NULL ? get_magazine (cache, pool, slot_class) : NULL;
  if (magazine == NULL)
    {
      void *block;
      return hint_slots_take (pool, slot_class, &block, 1) == 1 ? block : NULL;
    }
  HINT_CHECK (magazine_is_valid (magazine, pool, slot_class));
  if (magazine->top == magazine->bottom)
    {
      /* Below the peak this would save no memory, and the slots of blocks that
	 live for a short time would go back and forth.  */
      if (!hint_slots_are_at_hand (pool, slot_class) && hint_area_is_at_peak ())
	hint_cache_trim ();
      const unsigned most = (unsigned) (magazine->end - magazine->bottom);
      magazine->takes = true;
      magazine->top
	+= hint_slots_take (pool, slot_class, magazine->bottom, most / 2);
      enlarge (cache, slot_class, magazine);
    }
  return magazine->top == magazine->bottom ? NULL : *--magazine->top;
}

/* Make space in MAGAZINE, which is full.  A thread that only releases blocks of
   this size, which others allocate, keeps few of them.  */

static void
make_space (union hint_cache *cache, unsigned pool, unsigned slot_class,
	    struct hint_magazine *magazine)
{
  const size_t count = (size_t) (magazine->end - magazine->bottom);
  if (!magazine->takes)
    flush (pool, slot_class, magazine, count);
  else if (!enlarge (cache, slot_class, magazine))
    {
      flush (pool, slot_class, magazine, count / 2);
      magazine->takes = false;
    }
}

void
hint_cache_give_slowly (unsigned pool, unsigned slot_class, void *block)
{
  union hint_cache *const cache
    = slot_class < HINT_CACHED_CLASSES ? get_cache () : NULL;
  struct hint_magazine *const magazine
    = cache != NULL ? get_magazine (cache, pool, slot_class) : NULL;
  if (magazine == NULL)
    {
      hint_slots_give (pool, slot_class, &block, 1);
      return;
    }
  HINT_CHECK (magazine_is_valid (magazine, pool, slot_class));
  if (magazine->top == magazine->end)
    make_space (cache, pool, slot_class, magazine);
  *magazine->top++ = block;
}

void
hint_cache_start (void)
{
  has_key = pthread_key_create (&key, end_thread) == 0;
}

void
hint_cache_lock (void)
{
  hint_guard_lock (&guard);
}

void
hint_cache_unlock (void)
{
  hint_guard_unlock (&guard);
}
