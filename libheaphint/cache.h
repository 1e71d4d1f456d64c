/* Per-thread caches of slots, so that most allocations take no lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Caches hold pointers to slots in memory of their own: a cached block is not
   touched.  */

#ifndef HEAPPROF_CACHE_H
#define HEAPPROF_CACHE_H

#include "area.h"
#include "slot-class.h"

/* Classes of up to 4 KiB are cached: up to 64 KiB and 1023 blocks of each.  */
#define HINT_CACHED_CLASSES (HINT_CLASS_LISTED + 2 * HINT_CLASS_STEPS)
#define HINT_CACHED_BYTES (4u * 1024)

/* Places of a pool's magazines.  */
#define HINT_PLACES_SHIFT 7
#define HINT_FIRST_PLACE 5u

/* Blocks from BOTTOM to TOP; the next one is below TOP.  There is space up to
   END.  All NULL until first used: empty and full.  */
struct hint_magazine
{
  void **top;
  void **bottom;
  void **end;
  uint16_t level; /* of the size of its array */
  bool takes;	  /* it was empty since it was last full */
  uint32_t seen;  /* number of blocks, see hint_cache_trim */
};

/* Sizes of magazines' arrays: 32 blocks, then four times as many, then twice.
 */
#define HINT_LEVELS 4u

/* The magazine at place 0 is never used, which ends the fast paths; behind it
   there is the rest.  Only pages of magazines in use exist.  */
union hint_cache
{
  struct hint_magazine
    magazines[HINT_FIRST_PLACE + (HINT_POOLS << HINT_PLACES_SHIFT)];
  struct
  {
    struct hint_magazine none;
    union hint_cache *next_unused;
    char *space; /* for arrays */
    char *space_end;
    uint64_t pools_used[(HINT_POOLS + 63) / 64];
    void *arrays[HINT_LEVELS]; /* unused ones, each has the next */
    uint16_t trim_pool;	       /* where hint_cache_trim continues */
    uint16_t trim_class;
  };
};

/* This thread's cache; NULL if it has none.  */
extern __thread union hint_cache *hint_own_cache HINT_PRIVATE;

/* Return the place of the magazine of SLOT_CLASS, which is cached, in POOL.  */
static inline uint32_t
hint_magazine_place (unsigned pool, unsigned slot_class)
{
  return (pool << HINT_PLACES_SHIFT | slot_class) + HINT_FIRST_PLACE;
}

/* Return the pool of the magazine at PLACE.  */
static inline unsigned
hint_place_pool (uint32_t place)
{
  return (place - HINT_FIRST_PLACE) >> HINT_PLACES_SHIFT;
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

/* Call before a run is taken.  Give back slots that this thread does not need,
   of any size and pool: a few of them keep a run that is otherwise free from
   being used for other sizes.  */
void hint_cache_trim (void);

/* Take SIZE bytes of POOL and store their address in *DATA; return false if
   this thread has none ready.  */
static inline bool
hint_cache_take (unsigned pool, size_t size, void **data)
{
  union hint_cache *const cache = hint_own_cache;
  unsigned slot_class;
  if (__builtin_expect (cache == NULL, false))
    return false;
  /* One comparison for most blocks: 0 is a great number here.  */
  if (__builtin_expect (size - 1 < HINT_CLASS_LISTED_BYTES, true))
    slot_class = hint_class_listed[(size + 15) / 16];
  else if (size - 1 < HINT_CACHED_BYTES)
    slot_class = hint_class_of (size);
  else
    return false;
  struct hint_magazine *const magazine
    = hint_magazine_at (cache, hint_magazine_place (pool, slot_class));
  void **const top = magazine->top;
  if (__builtin_expect (top == magazine->bottom, false))
    return false;
  magazine->top = top - 1;
  *data = top[-1];
  return true;
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
  void **const top = magazine->top;
  if (__builtin_expect (top == magazine->end || !hint_starts_slot (tag, offset),
			false))
    return false;
  *top = data;
  magazine->top = top + 1;
  return true;
}

/* Call once, before the functions above.  */
void hint_cache_start (void);

/* With --enable-checking: true if each slot in this thread's cache is one that
   is taken, of its magazine's size and pool.  */
bool hint_cache_is_valid (void);

/* For fork: take and release the lock.  */
void hint_cache_lock (void);
void hint_cache_unlock (void);

#endif /* HEAPPROF_CACHE_H */
