/* Hints for programs with jemalloc: an arena for cold blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Hot blocks come from malloc.  Each thread has jemalloc create a cache for the
   arena; without it, every allocation would lock the arena.  Released blocks go
   through jemalloc's free into the thread's usual cache, so a few of them serve
   plain allocations before they return to their arena.  */

#include "definition.h"
#include "select.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__ ((weak))

extern void *mallocx (size_t, int) WEAK;
extern void *rallocx (void *, size_t, int) WEAK;
extern int mallctl (const char *, void *, size_t *, void *, size_t) WEAK;

/* jemalloc's flags: the logarithm of the alignment in the lowest six bits, then
   the clear flag, the cache's number + 2 and the arena's number + 1.  */
#define FLAG_ZERO 0x40
#define CACHE_SHIFT 8
#define NO_CACHE (1 << CACHE_SHIFT)
#define CACHES_MOST 4094u
#define ARENA_SHIFT 20

static __thread int cache_flag; /* 0: not made yet */
static unsigned arena;
static pthread_key_t key;
static bool has_key;

static void
end_thread (void *data)
{
  unsigned cache = (unsigned) (cache_flag >> CACHE_SHIFT) - 2;
  (void) data;
  if (cache_flag != NO_CACHE)
    mallctl ("tcache.destroy", NULL, NULL, &cache, sizeof cache);
  cache_flag = NO_CACHE;
}

static void
make_cache (void)
{
  unsigned cache;
  size_t bytes = sizeof cache;
  cache_flag = NO_CACHE;
  if (!has_key || mallctl ("tcache.create", &cache, &bytes, NULL, 0) != 0)
    return;
  if (cache < CACHES_MOST)
    cache_flag = (int) (cache + 2) << CACHE_SHIFT;
  else
    mallctl ("tcache.destroy", NULL, NULL, &cache, sizeof cache);
  pthread_setspecific (key, &cache_flag);
}

static int
flags (size_t alignment)
{
  if (cache_flag == 0)
    make_cache ();
  return __builtin_ctzl (alignment) | cache_flag
	 | (int) ((arena + 1) << ARENA_SHIFT);
}

static void *
allocate (unsigned pool, size_t size, size_t alignment, bool zeroed)
{
  (void) pool;
  /* mallocx does not accept 0.  */
  if (size == 0)
    return NULL;
  return mallocx (size, flags (alignment) | (zeroed ? FLAG_ZERO : 0));
}

static void *
reallocate (unsigned pool, void *data, size_t size)
{
  (void) pool;
  return rallocx (data, size, flags (HINT_ALIGNMENT));
}

/* True if malloc is jemalloc's.  In jemalloc's archive both functions are in
   one object.  */

static bool
serves_malloc (void)
{
  return hint_program_is_static ()
	 || hint_find_definition (HINT_MALLOC).module
	      == hint_find_definition (HINT_MALLOCX).module;
}

static const struct hint_backend backend
  = { .name = "jemalloc", .allocate = allocate, .reallocate = reallocate };

const struct hint_backend *
hint_jemalloc_backend (void)
{
  if (mallocx == NULL || rallocx == NULL || mallctl == NULL
      || !serves_malloc ())
    return NULL;
  size_t bytes = sizeof arena;
  if (mallctl ("arenas.create", &arena, &bytes, NULL, 0) != 0)
    return NULL;
  has_key = pthread_key_create (&key, end_thread) == 0;
  return &backend;
}
