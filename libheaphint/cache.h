/* Per-thread caches of slots, so that most allocations take no lock.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Caches hold pointers to slots in memory of their own: a cached block is not
   touched.  */

#ifndef HEAPPROF_CACHE_H
#define HEAPPROF_CACHE_H

#include "area.h"
#include "slot-class.h"

/* Classes of up to 4 KiB are cached: 32 blocks of each class up to 512 bytes,
   16 KiB of each of the others.  */
#define HINT_CACHED_CLASSES (HINT_CLASS_LINEAR + 8 * 4)
#define HINT_CACHED_MOST 32u

struct hint_magazine
{
  uint32_t count;
  uint32_t most; /* 0 until first used */
  void *blocks[HINT_CACHED_MOST];
};

struct hint_cache
{
  struct hint_cache *next_unused;
  struct hint_magazine magazines[HINT_KINDS][HINT_CACHED_CLASSES];
};

/* This thread's cache; NULL if it has none.  */
extern __thread struct hint_cache *hint_own_cache;

void *hint_cache_take_slowly (enum hint_kind kind, unsigned slot_class);
void hint_cache_give_slowly (enum hint_kind kind, unsigned slot_class,
			     void *block);

/* Return this thread's magazine; NULL if there is none.  */
static inline struct hint_magazine *
hint_magazine_of (enum hint_kind kind, unsigned slot_class)
{
  struct hint_cache *const cache = hint_own_cache;
  return cache != NULL && slot_class < HINT_CACHED_CLASSES
	   ? &cache->magazines[kind][slot_class]
	   : NULL;
}

/* Take one slot of SLOT_CLASS; NULL if there is no memory.  */
static inline void *
hint_cache_take (enum hint_kind kind, unsigned slot_class)
{
  struct hint_magazine *const magazine = hint_magazine_of (kind, slot_class);
  return magazine != NULL && magazine->count > 0
	   ? magazine->blocks[--magazine->count]
	   : hint_cache_take_slowly (kind, slot_class);
}

/* Release the slot BLOCK of SLOT_CLASS, whichever thread allocated it.  */
static inline void
hint_cache_give (enum hint_kind kind, unsigned slot_class, void *block)
{
  struct hint_magazine *const magazine = hint_magazine_of (kind, slot_class);
  if (magazine != NULL && magazine->count < magazine->most)
    magazine->blocks[magazine->count++] = block;
  else
    hint_cache_give_slowly (kind, slot_class, block);
}

/* Call once, before the functions above.  */
void hint_cache_start (void);

/* For fork: take and release the lock.  */
void hint_cache_lock (void);
void hint_cache_unlock (void);

#endif /* HEAPPROF_CACHE_H */
