/* Caches of slots, one per thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "cache.h"
#include "bytes.h"
#include "guard.h"
#include "slot-class.h"
#include "slots.h"
#include "system.h"
#include <errno.h>
#include <pthread.h>

#define CACHED_MOST_BYTES (16u * 1024)
#define PAGE_BYTES ((size_t) 4096)

__thread union hint_cache *hint_own_cache;
static __thread bool has_ended; /* or could not get a cache: uses the locks */

static struct hint_guard guard = HINT_GUARD_INIT;
static union hint_cache *unused;
static pthread_key_t key;
static bool has_key;

static unsigned
blocks_kept (unsigned slot_class)
{
  const unsigned most = CACHED_MOST_BYTES / hint_class_bytes (slot_class);
  return most < 2 ? 2 : most < HINT_CACHED_MOST ? most : HINT_CACHED_MOST;
}

_Static_assert(HINT_CACHED_CLASSES <= 1 << HINT_PLACES_SHIFT,
	       "each class that is cached has a place");

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

/* Return the magazine of SLOT_CLASS in POOL, ready for use; NULL if memory is
   exhausted.  */

static struct hint_magazine *
get_magazine (union hint_cache *cache, unsigned pool, unsigned slot_class)
{
  struct hint_magazine *const magazine
    = hint_magazine_at (cache, hint_magazine_place (pool, slot_class));
  const uint64_t bit = (uint64_t) 1 << pool % 64;
  if (magazine->most != 0)
    return magazine;
  if ((cache->pools_used[pool / 64] & bit) == 0)
    {
      if (!make_writable (cache, hint_magazine_place (pool, 0),
			  hint_magazine_place (pool + 1, 0)))
	return NULL;
      cache->pools_used[pool / 64] |= bit;
    }
  magazine->most = blocks_kept (slot_class);
  return magazine;
}

/* Give back the COUNT oldest blocks of MAGAZINE.  */

static void
flush (unsigned pool, unsigned slot_class, struct hint_magazine *magazine,
       unsigned count)
{
  hint_slots_give (pool, slot_class, magazine->blocks, count);
  magazine->count -= count;
  for (unsigned i = 0; i < magazine->count; i++)
    magazine->blocks[i] = magazine->blocks[count + i];
}

static void
flush_pool (union hint_cache *cache, unsigned pool)
{
  for (unsigned i = 0; i < HINT_CACHED_CLASSES; i++)
    {
      struct hint_magazine *const magazine
	= hint_magazine_at (cache, hint_magazine_place (pool, i));
      if (magazine->count > 0)
	flush (pool, i, magazine, magazine->count);
    }
}

/* Called by the C library when a thread ends.  */

static void
end_thread (void *data)
{
  union hint_cache *const cache = data;
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

/* Return the magazine of SLOT_CLASS in POOL of this thread; NULL if it has
   none.  */

static struct hint_magazine *
own_magazine (unsigned pool, unsigned slot_class)
{
  union hint_cache *const cache
    = slot_class < HINT_CACHED_CLASSES ? get_cache () : NULL;
  return cache != NULL ? get_magazine (cache, pool, slot_class) : NULL;
}

void *
hint_cache_take_slowly (unsigned pool, unsigned slot_class)
{
  struct hint_magazine *const magazine = own_magazine (pool, slot_class);
  if (magazine == NULL)
    {
      void *block;
      return hint_slots_take (pool, slot_class, &block, 1) == 1 ? block : NULL;
    }
  if (magazine->count == 0)
    magazine->count = hint_slots_take (pool, slot_class, magazine->blocks,
				       magazine->most / 2);
  return magazine->count == 0 ? NULL : magazine->blocks[--magazine->count];
}

void
hint_cache_give_slowly (unsigned pool, unsigned slot_class, void *block)
{
  struct hint_magazine *const magazine = own_magazine (pool, slot_class);
  if (magazine == NULL)
    {
      hint_slots_give (pool, slot_class, &block, 1);
      return;
    }
  if (magazine->count == magazine->most)
    flush (pool, slot_class, magazine, magazine->most / 2);
  magazine->blocks[magazine->count++] = block;
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
