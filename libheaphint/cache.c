/* Caches of slots, one per thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "cache.h"
#include "bytes.h"
#include "guard.h"
#include "slot-class.h"
#include "slots.h"
#include "system.h"
#include <pthread.h>

/* Classes of up to 4 KiB are cached: 32 blocks of each class up to 512 bytes,
   16 KiB of each of the others.  */
#define CACHED_CLASSES (HINT_CLASS_LINEAR + 8 * 4)
#define MOST_BLOCKS 32u
#define MOST_BYTES (16u * 1024)

struct magazine
{
  uint32_t count;
  uint32_t most;
  void *blocks[MOST_BLOCKS];
};

struct cache
{
  struct cache *next_unused;
  struct magazine magazines[HINT_KINDS][CACHED_CLASSES];
};

static __thread struct cache *own;
static __thread bool has_ended; /* or could not get a cache: uses the locks */

static struct hint_guard guard = HINT_GUARD_INIT;
static struct cache *unused;
static pthread_key_t key;
static bool has_key;

static unsigned
blocks_kept (unsigned slot_class)
{
  const unsigned most = MOST_BYTES / hint_class_bytes (slot_class);
  return most < MOST_BLOCKS ? most : MOST_BLOCKS;
}

static struct cache *
make_cache (void)
{
  return hint_map (sizeof (struct cache), PROT_READ | PROT_WRITE, 0);
}

/* Give back the COUNT oldest blocks of MAGAZINE.  */

static void
flush (enum hint_kind kind, unsigned slot_class, struct magazine *magazine,
       unsigned count)
{
  hint_slots_give (kind, slot_class, magazine->blocks, count);
  magazine->count -= count;
  own_memmove (magazine->blocks, magazine->blocks + count,
	       magazine->count * sizeof magazine->blocks[0]);
}

/* Called by the C library when a thread ends.  */

static void
end_thread (void *data)
{
  struct cache *const cache = data;
  own = NULL;
  has_ended = true;
  for (unsigned kind = 0; kind < HINT_KINDS; kind++)
    for (unsigned i = 0; i < CACHED_CLASSES; i++)
      {
	struct magazine *const magazine = &cache->magazines[kind][i];
	if (magazine->count > 0)
	  flush (kind, i, magazine, magazine->count);
      }
  hint_guard_lock (&guard);
  cache->next_unused = unused;
  unused = cache;
  hint_guard_unlock (&guard);
}

/* Return this thread's cache, creating it if necessary; NULL if it cannot have
   one.  */

static struct cache *
get_cache (void)
{
  if (own != NULL || has_ended)
    return own;
  if (!has_key)
    return NULL;
  hint_guard_lock (&guard);
  struct cache *cache = unused;
  if (cache != NULL)
    unused = cache->next_unused;
  hint_guard_unlock (&guard);
  if (cache == NULL)
    cache = make_cache ();
  own = cache;
  has_ended = cache == NULL;
  if (cache != NULL)
    pthread_setspecific (key, cache);
  return own;
}

void *
hint_cache_take (enum hint_kind kind, unsigned slot_class)
{
  struct cache *const cache = slot_class < CACHED_CLASSES ? get_cache () : NULL;
  if (cache == NULL)
    {
      void *block;
      return hint_slots_take (kind, slot_class, &block, 1) == 1 ? block : NULL;
    }
  struct magazine *const magazine = &cache->magazines[kind][slot_class];
  if (magazine->count == 0)
    {
      if (magazine->most == 0)
	magazine->most = blocks_kept (slot_class);
      magazine->count = hint_slots_take (kind, slot_class, magazine->blocks,
					 magazine->most / 2);
      if (magazine->count == 0)
	return NULL;
      /* So that the lowest address is taken first.  */
      for (unsigned i = 0, j = magazine->count - 1; i < j; i++, j--)
	{
	  void *const block = magazine->blocks[i];
	  magazine->blocks[i] = magazine->blocks[j];
	  magazine->blocks[j] = block;
	}
    }
  return magazine->blocks[--magazine->count];
}

void
hint_cache_give (enum hint_kind kind, unsigned slot_class, void *block)
{
  struct cache *const cache = slot_class < CACHED_CLASSES ? get_cache () : NULL;
  if (cache == NULL)
    {
      hint_slots_give (kind, slot_class, &block, 1);
      return;
    }
  struct magazine *const magazine = &cache->magazines[kind][slot_class];
  if (magazine->most == 0)
    magazine->most = blocks_kept (slot_class);
  if (magazine->count == magazine->most)
    flush (kind, slot_class, magazine, magazine->most / 2);
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
