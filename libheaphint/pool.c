/* Pools of cold and hot blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "pool.h"
#include "bytes.h"
#include "cache.h"
#include "fork.h"
#include "guard.h"
#include "plain-malloc.h"
#include "refuse.h"
#include "slot-class.h"
#include "slots.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* Blocks of up to this size do not move when they shrink.  */
#define SMALL_BYTES 64u

/* Check all structures of the pools, and this thread's cache.  */

static void
check_all (void)
{
  HINT_CHECK (hint_area_is_valid ());
  HINT_CHECK (hint_slots_are_valid ());
  HINT_CHECK (hint_cache_is_valid ());
}

/* Fork handlers.  The child has a single thread, which holds the locks.  */

static void
before_fork (void)
{
  hint_cache_lock ();
  hint_slots_lock ();
  hint_area_lock ();
  hint_guard_holds_all = true;
  check_all ();
}

static void
after_fork (void)
{
  hint_guard_holds_all = false;
  hint_area_unlock ();
  hint_slots_unlock ();
  hint_cache_unlock ();
}

#if HEAPPROF_CHECKING > 0

__attribute__ ((destructor)) static void
check_at_end (void)
{
  if (hint_range_bytes != 0)
    check_all ();
}

#endif

bool
hint_pool_start (void)
{
  if (!hint_area_start (true))
    return false;
  hint_cache_start ();
  at_fork (before_fork, after_fork, after_fork);
  return true;
}

/* Return SIZE rounded up to a multiple of ALIGNMENT, a power of two; 0 if that
   exceeds the maximum size of an object.  */

static size_t
rounded_up (size_t size, size_t alignment)
{
  if (size > PTRDIFF_MAX || alignment > PTRDIFF_MAX)
    return 0;
  const size_t bytes = (size + alignment - 1) & -alignment;
  return bytes > PTRDIFF_MAX ? 0 : bytes;
}

/* Allocate a run for a single block.  */

static void *
allocate_large (enum hint_kind kind, size_t bytes, size_t alignment,
		bool zeroed)
{
  const size_t chunks = (bytes + HINT_CHUNK_BYTES - 1) >> HINT_CHUNK_SHIFT;
  const size_t alignment_chunks
    = alignment <= HINT_CHUNK_BYTES ? 1 : alignment >> HINT_CHUNK_SHIFT;
  if (hint_area_is_at_peak ())
    hint_cache_trim ();
  const uint32_t run
    = hint_run_take (kind, chunks, alignment_chunks, HINT_CHUNK_LARGE, false);
  if (run == HINT_NO_CHUNK)
    return NULL;
  if (zeroed)
    hint_run_clear (run, (uint32_t) chunks);
  return hint_chunk_start (run);
}

static void *
allocate (unsigned pool, size_t size, size_t alignment, bool zeroed)
{
  const size_t bytes = rounded_up (size == 0 ? 1 : size, alignment);
  if (bytes == 0 || !hint_pool_takes (pool, bytes))
    return NULL;
  const int saved = errno;
  void *data;
  if (bytes > HINT_CLASS_MAX_BYTES || alignment > HINT_CHUNK_BYTES)
    data = allocate_large (hint_pool_kind (pool), bytes, alignment, zeroed);
  else
    {
      data = hint_cache_take_slowly (pool, hint_class_of (bytes));
      if (zeroed && data != NULL)
	own_memset (data, 0, size);
    }
  errno = saved;
  return data;
}

/* Return the first chunk of the run that holds the block DATA, which is in
   CHUNK; abort if there is no such block.  */

static inline uint32_t
run_in (uint32_t chunk, const void *data)
{
  uint32_t run = HINT_NO_CHUNK;
  if (chunk != HINT_NO_CHUNK)
    {
      if (hint_chunks[chunk].state == HINT_CHUNK_SLOTS)
	run = hint_slot_run (chunk, data);
      else if (hint_chunks[chunk].state == HINT_CHUNK_LARGE
	       && hint_chunk_start (chunk) == data)
	run = chunk;
    }
  if (run == HINT_NO_CHUNK)
    hint_refuse ("invalid pointer released");
  return run;
}

static uint32_t
run_of (const void *data)
{
  return run_in (hint_chunk_of (data), data);
}

static size_t
bytes_of_run_block (uint32_t run)
{
  const struct hint_chunk *const chunk = &hint_chunks[run];
  return chunk->state == HINT_CHUNK_SLOTS
	   ? chunk->slot_bytes
	   : (size_t) chunk->run_chunks << HINT_CHUNK_SHIFT;
}

bool
hint_pool_has (const void *data)
{
  return hint_in_range (data) && hint_chunk_of (data) != HINT_NO_CHUNK;
}

size_t
hint_pool_usable_bytes (const void *data)
{
  return bytes_of_run_block (run_of (data));
}

static inline void
release_in (uint32_t run, void *data)
{
  const struct hint_chunk *const chunk = &hint_chunks[run];
  if (chunk->state == HINT_CHUNK_SLOTS)
    hint_cache_give_slowly (chunk->pool, chunk->slot_class, data);
  else
    {
      const int saved = errno;
      hint_run_give (run, chunk->run_chunks);
      errno = saved;
    }
}

void
hint_pool_release (void *data)
{
  release_in (run_of (data), data);
}

bool
hint_pool_release_own (void *data)
{
  const uint32_t chunk = hint_chunk_of (data);
  if (chunk == HINT_NO_CHUNK)
    return false;
  release_in (run_in (chunk, data), data);
  return true;
}

size_t
hint_pool_usable_own (const void *data)
{
  const uint32_t chunk = hint_chunk_of (data);
  return chunk == HINT_NO_CHUNK ? 0 : bytes_of_run_block (run_in (chunk, data));
}

/* Copy DATA, of OLD bytes, to NEW, of SIZE bytes, and release DATA, whatever
   its kind.  */

static void *
move_block (void *new, void *data, size_t old, size_t size)
{
  if (new == NULL)
    return NULL;
  own_memcpy (new, data, old < size ? old : size);
  if (hint_pool_has (data))
    hint_pool_release (data);
  else
    free (data);
  return new;
}

/* Shorten the run of a large block, if that suffices.  */

static bool
shrink_large (uint32_t run, size_t size)
{
  if (hint_chunks[run].state != HINT_CHUNK_LARGE
      || size <= HINT_CLASS_MAX_BYTES)
    return false;
  const uint32_t chunks
    = (uint32_t) ((size + HINT_CHUNK_BYTES - 1) >> HINT_CHUNK_SHIFT);
  hint_run_shorten (run, chunks);
  return true;
}

/* Make the run of a large block longer, in place or by moving its pages. Return
   the block, or NULL if that is not possible.  */

static void *
grow_large (enum hint_kind kind, uint32_t run, size_t size)
{
  struct hint_chunk *const chunk = &hint_chunks[run];
  const uint32_t old = chunk->run_chunks;
  const size_t chunks = (size + HINT_CHUNK_BYTES - 1) >> HINT_CHUNK_SHIFT;
  if (chunk->state != HINT_CHUNK_LARGE || chunks > hint_half_chunks)
    return NULL;
  if (hint_run_extend (run, (uint32_t) chunks))
    return hint_chunk_start (run);
  const uint32_t moved
    = hint_run_take (kind, chunks, 1, HINT_CHUNK_LARGE, false);
  if (moved == HINT_NO_CHUNK)
    return NULL;
  if (hint_run_move (run, moved, old))
    hint_run_give_empty (run, old);
  else
    {
      own_memcpy (hint_chunk_start (moved), hint_chunk_start (run),
		  (size_t) old << HINT_CHUNK_SHIFT);
      hint_run_give (run, old);
    }
  return hint_chunk_start (moved);
}

/* True if the block of RUN is in POOL, as far as a block of its size can be. */

static bool
is_in_pool (uint32_t run, unsigned pool)
{
  return hint_chunks[run].state == HINT_CHUNK_SLOTS
	   ? hint_chunks[run].pool == pool
	   : hint_chunk_kind (run) == hint_pool_kind (pool);
}

/* True if a block of OLD bytes that shrinks to SIZE bytes stays where it is. */

static inline bool
stays (size_t old, size_t size)
{
  return size <= old && (size > old / 2 || old <= SMALL_BYTES);
}

/* Return the tag of the chunk of DATA, which is in the range.  */

static const struct hint_tag *
tag_of (const void *data)
{
  size_t range;
  return &hint_tags[hint_range_offset (data, &range) >> HINT_CHUNK_SHIFT];
}

/* Resize DATA, in the pools, to SIZE bytes of POOL, with what is at hand in
   this thread's cache; NULL if that is not enough.  */

static inline void *
resize_fast (unsigned pool, void *data, size_t size)
{
  size_t range;
  const size_t offset = hint_range_offset (data, &range);
  const struct hint_tag *const tag = tag_of (data);
  if (!hint_starts_slot (tag, offset))
    return NULL;
  const size_t old = tag->slot_bytes;
  if (hint_place_pool (tag->place) == pool && stays (old, size))
    return data;
  void *new;
  if (!hint_cache_take (pool, size, &new))
    return NULL;
  own_memcpy (new, data, old < size ? old : size);
  if (!hint_cache_give (data, offset))
    hint_pool_release (data);
  return new;
}

/* Resize DATA to SIZE bytes of POOL, in place if possible.  */

static void *
resize (unsigned pool, void *data, size_t size)
{
  void *const fast = resize_fast (pool, data, size);
  if (fast != NULL)
    return fast;
  const uint32_t run = run_of (data);
  const size_t old = bytes_of_run_block (run);
  const bool stays_in_pool = is_in_pool (run, pool);
  if (stays_in_pool && size <= old)
    {
      const int saved = errno;
      const bool in_place = stays (old, size) || shrink_large (run, size);
      errno = saved;
      if (in_place)
	return data;
    }
  if (stays_in_pool && size > old)
    {
      const int saved = errno;
      void *const grown = grow_large (hint_pool_kind (pool), run, size);
      errno = saved;
      if (grown != NULL)
	return grown;
    }
  return move_block (allocate (pool, size, HINT_ALIGNMENT, false), data, old,
		     size);
}

/* Return the pool of DATA; of a large block, which is in none, the kind's
   first. RUN is the block's.  */

static unsigned
pool_of_run (uint32_t run)
{
  return hint_chunks[run].state == HINT_CHUNK_SLOTS
	   ? hint_chunks[run].pool
	   : hint_pool (0, hint_chunk_kind (run));
}

void *
hint_pool_resize (void *data, size_t size)
{
  if (size == 0)
    {
      hint_pool_release (data);
      return NULL;
    }
  const uint32_t place = tag_of (data)->place;
  void *const fast
    = place == 0 ? NULL : resize_fast (hint_place_pool (place), data, size);
  if (fast != NULL)
    return fast;
  const uint32_t run = run_of (data);
  void *const moved = resize (pool_of_run (run), data, size);
  if (moved != NULL)
    return moved;
  /* The pool is full or has no blocks of this size, or memory is
     exhausted.  */
  return move_block (hint_plain_malloc (size), data, bytes_of_run_block (run),
		     size);
}

void *
hint_pool_grow (unsigned pool, void *data, size_t size)
{
  const uint32_t run = run_of (data);
  const size_t old = bytes_of_run_block (run);
  if (size <= old || hint_chunks[run].state == HINT_CHUNK_LARGE)
    return NULL;
  return move_block (pool == HINT_NO_POOL || !hint_pool_takes (pool, size)
		       ? hint_plain_malloc (size)
		       : allocate (pool, size, HINT_ALIGNMENT, false),
		     data, old, size);
}

static void *
reallocate (unsigned pool, void *data, size_t size)
{
  if (hint_pool_has (data))
    return resize (pool, data, size);
  return move_block (allocate (pool, size, HINT_ALIGNMENT, false), data,
		     malloc_usable_size (data), size);
}

const struct hint_backend hint_pool_backend
  = { .name = "pools", .allocate = allocate, .reallocate = reallocate };
