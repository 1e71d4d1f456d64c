/* Per-thread caches of slots, so that most allocations take no lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Caches hold pointers to slots in memory of their own: a cached block is not
   touched.  */

#ifndef HEAPPROF_CACHE_H
#define HEAPPROF_CACHE_H

#include "area.h"
#include "slot-class.h"

/* Classes of up to 16 KiB are cached: 31 blocks of each class up to 512 bytes,
   16 KiB, but at least two blocks, of each of the others.  */
#define HINT_CACHED_CLASSES (HINT_CLASS_LINEAR + 8 * 6)
#define HINT_CACHED_BYTES (16u * 1024)
#define HINT_CACHED_MOST 31u

/* Places of a pool's magazines.  */
#define HINT_PLACES_SHIFT 6

struct hint_magazine
{
  uint32_t count;
  uint32_t most; /* 0 until first used */
  void *blocks[HINT_CACHED_MOST];
};

/* The magazine at place 0 is always full and empty, which ends the fast paths;
   behind its numbers there is the rest.  Only pages of magazines in use
   exist.  */
union hint_cache
{
  struct hint_magazine magazines[1 + (HINT_POOLS << HINT_PLACES_SHIFT)];
  struct
  {
    uint64_t zero; /* the first magazine's COUNT and MOST */
    union hint_cache *next_unused;
    uint64_t pools_used[(HINT_POOLS + 63) / 64];
  };
};

/* This thread's cache; NULL if it has none.  */
extern __thread union hint_cache *hint_own_cache HINT_PRIVATE;

/* Return the place of the magazine of SLOT_CLASS, which is cached, in POOL.  */
static inline uint32_t
hint_magazine_place (unsigned pool, unsigned slot_class)
{
  return (pool << HINT_PLACES_SHIFT | slot_class) + 1;
}

/* Return the pool of the magazine at PLACE.  */
static inline unsigned
hint_place_pool (uint32_t place)
{
  return (place - 1) >> HINT_PLACES_SHIFT;
}

static inline struct hint_magazine *
hint_magazine_at (union hint_cache *cache, uint32_t place)
{
  return &cache->magazines[place];
}

/* Take or give a slot.  The slow forms do what the fast ones below cannot;
   hint_cache_take_slowly returns NULL if memory is exhausted.  BLOCK is in use,
   whichever thread allocated it.  */
void *hint_cache_take_slowly (unsigned pool, unsigned slot_class);
void hint_cache_give_slowly (unsigned pool, unsigned slot_class, void *block);

/* Take SIZE bytes of POOL; return NULL if this thread has none ready.  */
static inline void *
hint_cache_take (unsigned pool, size_t size)
{
  union hint_cache *const cache = hint_own_cache;
  if (__builtin_expect (cache == NULL || size - 1 >= HINT_CACHED_BYTES, false))
    return NULL;
  struct hint_magazine *const magazine
    = hint_magazine_at (cache,
			hint_magazine_place (pool, hint_class_of (size)));
  const uint32_t count = magazine->count;
  if (__builtin_expect (count == 0, false))
    return NULL;
  magazine->count = count - 1;
  return magazine->blocks[count - 1];
}

/* Give back DATA, which is at OFFSET in the range; return false if this
   thread's cache does not take it.  */
static inline bool
hint_cache_give (void *data, size_t offset)
{
  union hint_cache *const cache = hint_own_cache;
  if (__builtin_expect (cache == NULL, false))
    return false;
  const struct hint_tag *const tag = &hint_tags[offset >> HINT_CHUNK_SHIFT];
  struct hint_magazine *const magazine = hint_magazine_at (cache, tag->place);
  const uint32_t count = magazine->count;
  if (__builtin_expect (count >= magazine->most
			  || !hint_starts_slot (tag, offset),
			false))
    return false;
  magazine->count = count + 1;
  magazine->blocks[count] = data;
  return true;
}

/* Call once, before the functions above.  */
void hint_cache_start (void);

/* For fork: take and release the lock.  */
void hint_cache_lock (void);
void hint_cache_unlock (void);

#endif /* HEAPPROF_CACHE_H */
