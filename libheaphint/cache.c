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

__thread struct hint_cache *hint_own_cache;
static __thread bool has_ended; /* or could not get a cache: uses the locks */

static struct hint_guard guard = HINT_GUARD_INIT;
static struct hint_cache *unused;
static pthread_key_t key;
static bool has_key;

static unsigned
blocks_kept (unsigned slot_class)
{
  const unsigned most = CACHED_MOST_BYTES / hint_class_bytes (slot_class);
  return most < HINT_CACHED_MOST ? most : HINT_CACHED_MOST;
}

static struct hint_cache *
make_cache (void)
{
  return hint_map (sizeof (struct hint_cache), PROT_READ | PROT_WRITE, 0);
}

/* Give back the COUNT oldest blocks of MAGAZINE.  */

static void
flush (enum hint_kind kind, unsigned slot_class, struct hint_magazine *magazine,
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
  struct hint_cache *const cache = data;
  hint_own_cache = NULL;
  has_ended = true;
  for (unsigned kind = 0; kind < HINT_KINDS; kind++)
    for (unsigned i = 0; i < HINT_CACHED_CLASSES; i++)
      {
	struct hint_magazine *const magazine = &cache->magazines[kind][i];
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

static struct hint_cache *
get_cache (void)
{
  if (hint_own_cache != NULL || has_ended)
    return hint_own_cache;
  if (!has_key)
    return NULL;
  hint_guard_lock (&guard);
  struct hint_cache *cache = unused;
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
hint_cache_take_slowly (enum hint_kind kind, unsigned slot_class)
{
  struct hint_cache *const cache
    = slot_class < HINT_CACHED_CLASSES ? get_cache () : NULL;
  if (cache == NULL)
    {
      void *block;
      return hint_slots_take (kind, slot_class, &block, 1) == 1 ? block : NULL;
    }
  struct hint_magazine *const magazine = &cache->magazines[kind][slot_class];
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
hint_cache_give_slowly (enum hint_kind kind, unsigned slot_class, void *block)
{
  struct hint_cache *const cache
    = slot_class < HINT_CACHED_CLASSES ? get_cache () : NULL;
  if (cache == NULL)
    {
      hint_slots_give (kind, slot_class, &block, 1);
      return;
    }
  struct hint_magazine *const magazine = &cache->magazines[kind][slot_class];
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
