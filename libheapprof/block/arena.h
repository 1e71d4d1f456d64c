/* Memory for the program's blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A custom allocator, because blocks must not share a granule (block.h), a dump
   must enumerate the live blocks, and a static program has no other malloc to
   call.

   Address space is allocated in chunks; a chunk is divided into spans, a span
   into slots of one size class, or of all those with headers outside.  A thread
   takes slots from its own cache, without a lock; the cache exchanges batches
   with the class's central list. Blocks above RT_CLASS_MAX_BYTES are mappings.
   A table of 64 KiB pages shows for any address whether it belongs to the
   arena.  */

#ifndef HEAPPROF_ARENA_H
#define HEAPPROF_ARENA_H

#include "block.h"
#include "central.h"
#include "place.h"
#include "size-class.h"
#include "slots.h"
#include "span.h"

/* A thread's caches of all classes, and the headers of fresh granules for slots
   whose headers are outside.  */
struct rt_caches
{
  struct rt_block *granule;
  struct rt_block *granule_end;
  struct rt_cache of_class[RT_CLASS_COUNT];
};

/* Take the first free slot of CACHE of class INDEX, which has one; return it,
   and store where its data is in *DATA.
   The next allocation will write the header and read the link of the one after
   it; after a large release neither is in the processor's cache.  */
static inline __attribute__ ((always_inline)) struct rt_block *
rt_cache_take_first (struct rt_cache *cache, unsigned index, void **data)
{
  struct rt_block *const slot = cache->free;
  *data = rt_block_data_in (slot, index);
  struct rt_block *const next = *(struct rt_block **) *data;
  cache->free = next;
  cache->free_count--;
  /* The processor would look page 0 up each time.  */
  if (next != NULL)
    {
      __builtin_prefetch (next, 1);
      __builtin_prefetch (rt_block_data_in (next, index), 1);
    }
  return slot;
}

/* Write the header of a BLOCK of SIZE bytes that is not far, except for its
   class.  */
static inline struct rt_block *
rt_block_set_header (struct rt_block *block, size_t size)
{
  block->size_epoch = (uint16_t) size;
  block->state = RT_BLOCK_FREE;
  return block;
}

/* rt_arena_allocate for any block.  */
struct rt_block *rt_arena_allocate_any (struct rt_caches *caches, size_t size,
					size_t alignment, bool *zeroed);

/* Allocate a block of SIZE bytes, aligned to ALIGNMENT, a power of two.  Its
   header is valid except for the profile's fields, and its state is still
   RT_BLOCK_FREE.  Set *ZEROED if its bytes are known to be zero, and *DATA to
   where they are.  Return NULL if memory is exhausted.  CACHES are the calling
   thread's, here and below.  Most blocks are small, and their thread has free
   slots.  */
static inline __attribute__ ((always_inline)) struct rt_block *
rt_arena_allocate_at (struct rt_caches *caches, size_t size, size_t alignment,
		      bool *zeroed, void **data)
{
  if (__builtin_expect (size < rt_far_bytes && alignment <= RT_BLOCK_ALIGNMENT,
			1))
    {
      const unsigned index = rt_class_of_small (size);
      struct rt_cache *const cache = &caches->of_class[index];
      if (__builtin_expect (cache->free != NULL, 1))
	{
	  struct rt_block *const slot
	    = rt_cache_take_first (cache, index, data);
	  *zeroed = false;
	  slot->size_class = (uint8_t) index;
	  return rt_block_set_header (slot, size);
	}
    }
  struct rt_block *const block
    = rt_arena_allocate_any (caches, size, alignment, zeroed);
  if (block != NULL)
    *data = rt_block_data (block);
  return block;
}

static inline struct rt_block *
rt_arena_allocate (struct rt_caches *caches, size_t size, size_t alignment,
		   bool *zeroed)
{
  void *data;
  return rt_arena_allocate_at (caches, size, alignment, zeroed, &data);
}

/* From now on, let all blocks be far.  If IS_NEEDED, return a copy of BLOCK
   that is, and release BLOCK.  If memory is exhausted, return BLOCK.  */
struct rt_block *rt_arena_make_far (struct rt_caches *caches,
				    struct rt_block *block, bool is_needed);

/* Allocate without a thread's caches, for use inside a signal handler: takes no
   lock, always uses a mapping of its own, and is not enumerated.  */
struct rt_block *rt_arena_allocate_apart (size_t size, size_t alignment);

/* Make the block live: from now on a dump includes it.  */
static inline void
rt_arena_publish (struct rt_block *block)
{
  __atomic_store_n (&block->state, block->state | RT_BLOCK_LIVE,
		    __ATOMIC_RELEASE);
}

/* Mark the block as no longer used by the program.  */
static inline void
rt_arena_retract (struct rt_block *block)
{
  __atomic_store_n (&block->state, (uint8_t) (block->state & ~RT_BLOCK_LIVE),
		    __ATOMIC_RELEASE);
}

/* Release a retracted block, whose data is at DATA.  */
void rt_arena_release_at (struct rt_caches *caches, struct rt_block *block,
			  void *data);

static inline void
rt_arena_release (struct rt_caches *caches, struct rt_block *block)
{
  rt_arena_release_at (caches, block, rt_block_data (block));
}

/* rt_arena_find in a span of far blocks.  */
struct rt_block *rt_arena_find_far (const void *data);

/* Return the block whose data starts at DATA, live or not; NULL if there is no
   such block of ours.  Any address is allowed.  A granule where no block
   started yet counts as a block that was never used.  */
static inline struct rt_block *
rt_arena_find (const void *data)
{
  const uint32_t entry = rt_span_entry (data);
  if (__builtin_expect (entry == 0, 0))
    return NULL;
  const uintptr_t bits = (uintptr_t) data;
  const uintptr_t offset = bits % RT_SPAN_PAGE_BYTES;
  const unsigned index = entry >> RT_SPAN_CLASS_SHIFT;
  if (__builtin_expect (index > 1, 0))
    return rt_arena_find_far (data);
  /* Before the first granule, this leads to what is before the headers, and
     that is zero.  */
  const bool is_outside = index == 1;
  const uintptr_t at = is_outside ? 0 : RT_BLOCK_HEADER_BYTES;
  const uintptr_t header
    = is_outside ? bits - offset + offset / RT_BLOCK_OUTSIDE : bits - at;
  return bits % RT_CLASS_GRANULE_BYTES == at ? (struct rt_block *) header
					     : NULL;
}

/* Return the live block with some of the SIZE bytes from START on, at most a
   granule; NULL if there is none, or only one that has a mapping of its own and
   starts elsewhere.  For a process with one thread.  */
struct rt_block *rt_arena_find_in (uintptr_t start, size_t size);

/* True if it is worth trying to resize BLOCK to SIZE bytes without copying.  */
bool rt_arena_fits (struct rt_block *block, size_t size);

/* Resize BLOCK: change the size in its header, or move a mapping's pages.
   Return the block at its new place, live as before, or NULL if that failed and
   nothing changed.  */
struct rt_block *rt_arena_resize (struct rt_block *block, size_t size);

/* Let no live block of an epoch other than EPOCH be profiled.  */
void rt_arena_retire (uint32_t epoch);

/* Return the program's pointer to BLOCK.  */
const void *rt_arena_data (const struct rt_block *block);

/* Call VISIT for each live block, in the order of addresses within each span.
   Blocks allocated or released meanwhile may or may not be visited.  */
void rt_arena_visit_live (void (*visit) (const struct rt_block *block,
					 void *data),
			  void *data);

/* Bytes mapped for blocks, for mallinfo.  */
size_t rt_arena_mapped_bytes (void);

/* Give the cached slots of an ending thread to the other threads.  */
void rt_arena_flush (struct rt_caches *caches);

/* Give memory without blocks back to the kernel.  Return true if there was
   some.  */
bool rt_arena_trim (struct rt_caches *caches);

/* For fork: take all locks, release them, or reset them in the child.  */
void rt_arena_lock_all (void);
void rt_arena_unlock_all (void);
void rt_arena_reset_locks (void);

/* True if CACHES hold the right number of free slots of their classes.  With
   --enable-checking.  */
bool rt_arena_is_valid (const struct rt_caches *caches);

#endif /* HEAPPROF_ARENA_H */
