/* Memory for the program's blocks: slots and large blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "arena.h"
#include "apart.h"
#include "bytes.h"
#include "invariant.h"
#include "place.h"
#include "reclaim.h"
#include "shadow.h"
#include "slots.h"
#include "span.h"
#include "sys.h"

/* Class of blocks that are mappings without a span: see
   rt_arena_allocate_apart.  */
#define CLASS_APART 0xfeu

/* Add the free SLOT with DATA to CACHE, whose list is not full.  */

static inline __attribute__ ((always_inline)) void
push_slot (struct rt_cache *cache, struct rt_block *slot, void *data)
{
  *(struct rt_block **) data = cache->free;
  cache->free = slot;
  cache->free_count++;
}

/* Add the free SLOT to CACHE.  */

static void
add_slot (struct rt_cache *cache, unsigned index, struct rt_block *slot)
{
  if (cache->free_count == cache->batch)
    {
      if (cache->batch == 0)
	cache->batch = rt_central_batch (index);
      else if (cache->spare != NULL)
	rt_central_give (index, cache->spare, cache->batch);
      cache->spare = cache->free;
      cache->free = NULL;
      cache->free_count = 0;
    }
  push_slot (cache, slot, rt_block_data_in (slot, index));
}

/* Take a previously used slot from CACHE; NULL if it has none.  */

static struct rt_block *
take_slot (struct rt_cache *cache, unsigned index)
{
  if (cache->free == NULL)
    {
      if (cache->spare == NULL)
	return NULL;
      cache->free = cache->spare;
      cache->free_count = cache->batch;
      cache->spare = NULL;
    }
  void *data;
  return rt_cache_take_first (cache, index, &data);
}

/* Turn the COUNT fresh granules from GRANULE on, which are as many as a slot
   may have, into a free one.  */

static void
free_granules (struct rt_caches *caches, struct rt_block *granule,
	       unsigned count)
{
  granule->size_class = (uint8_t) count;
  add_slot (&caches->of_class[count], count, granule);
}

/* Give CACHES fresh granules; return false if memory is exhausted.  */

static bool
take_granules (struct rt_caches *caches)
{
  struct rt_block **const first = &caches->granule;
  struct rt_block **const end = &caches->granule_end;
  if (rt_central_take_granules (first, end, false))
    return true;
  rt_reclaim_if_due ();
  return rt_central_take_granules (first, end, true);
}

/* Fill CACHE as rt_central_refill does.  */

static bool
refill (struct rt_cache *cache, unsigned index)
{
  if (rt_central_refill (cache, index, false))
    return true;
  rt_reclaim_if_due ();
  return rt_central_refill (cache, index, true);
}

/* Take a fresh slot of class INDEX, which is outside; NULL if memory is
   exhausted.  */

static struct rt_block *
take_fresh_outside (struct rt_caches *caches, unsigned index)
{
  while (caches->granule_end - caches->granule < (ptrdiff_t) index)
    {
      const unsigned left = (unsigned) (caches->granule_end - caches->granule);
      if (left > 0)
	free_granules (caches, caches->granule, left);
      caches->granule = caches->granule_end;
      if (!take_granules (caches))
	return NULL;
    }
  struct rt_block *const slot = caches->granule;
  caches->granule += index;
  return slot;
}

/* Take a fresh slot of class INDEX, which is not outside, from CACHE, which has
   some.  */

static struct rt_block *
take_fresh (struct rt_cache *cache, unsigned index)
{
  struct rt_block *const slot = (struct rt_block *) cache->run;
  cache->run += rt_class_bytes (index);
  return slot;
}

/* Take a slot of class INDEX.  Set *ZEROED to whether its bytes are known to be
   zero.  Return NULL if memory is exhausted.  */

static struct rt_block *
take_any_slot (struct rt_caches *caches, unsigned index, bool *zeroed)
{
  struct rt_cache *const cache = &caches->of_class[index];
  if (cache->free == NULL && cache->spare == NULL
      && cache->run == cache->run_end && !refill (cache, index))
    return NULL;
  struct rt_block *slot = take_slot (cache, index);
  *zeroed = slot == NULL;
  if (slot == NULL)
    slot = rt_class_is_outside (index) ? take_fresh_outside (caches, index)
				       : take_fresh (cache, index);
  if (slot != NULL)
    slot->size_class = (uint8_t) index;
  return slot;
}

static size_t
whole_pages (size_t bytes)
{
  return (bytes + SYS_PAGE_BYTES - 1) / SYS_PAGE_BYTES * SYS_PAGE_BYTES;
}

/* The slot of a mapping.  */
static const struct rt_slots large_slots
  = { .count = 1,
      .first_header = RT_FIRST_FAR - RT_BLOCK_HEADER_BYTES,
      .first_data = RT_FIRST_FAR,
      .size_class = RT_CLASS_LARGE };

/* Return the header of the slot in the mapping at START, of SIZE_CLASS.  */

static struct rt_block *
slot_at (char *start, unsigned size_class)
{
  struct rt_block *const slot
    = (struct rt_block *) (start + large_slots.first_header);
  slot->size_class = (uint8_t) size_class;
  return slot;
}

static struct rt_block *
allocate_large (size_t size, size_t alignment, size_t needed, bool *zeroed)
{
  struct rt_span *const span
    = rt_span_create_large (&large_slots, whole_pages (needed), zeroed);
  if (span == NULL)
    return NULL;
  struct rt_block *const block
    = rt_place_far (slot_at (span->start, RT_CLASS_LARGE), size, alignment);
  if (rt_span_enter_large (span, rt_block_data (block)))
    return block;
  rt_span_destroy_large (span, rt_block_data (block));
  return NULL;
}

struct rt_block *
rt_arena_allocate_any (struct rt_caches *caches, size_t size, size_t alignment,
		       bool *zeroed)
{
  if (alignment < RT_BLOCK_ALIGNMENT)
    alignment = RT_BLOCK_ALIGNMENT;
  const struct rt_need need = rt_need_of (size, alignment);
  *zeroed = true;
  if (need.bytes == 0)
    return NULL;
  if (need.index == RT_CLASS_LARGE)
    return allocate_large (size, alignment, need.bytes, zeroed);

  struct rt_block *const slot = take_any_slot (caches, need.index, zeroed);
  if (slot == NULL)
    return NULL;
  return need.is_far ? rt_place_far (slot, size, alignment)
		     : rt_place_small (slot, size, alignment);
}

struct rt_block *
rt_arena_make_far (struct rt_caches *caches, struct rt_block *block,
		   bool is_needed)
{
  bool zeroed;
  rt_far_bytes = 0;
  if (!is_needed)
    return block;
  /* Those with a greater alignment are far.  */
  struct rt_block *const copy
    = rt_arena_allocate_any (caches, rt_block_size (block),
			     HEAPPROF_GRANULE_BYTES, &zeroed);
  if (copy == NULL)
    return block;
  own_memcpy (rt_block_data (copy), rt_block_data (block),
	      rt_block_size (block));
  rt_arena_release (caches, block);
  return copy;
}

struct rt_block *
rt_arena_allocate_apart (size_t size, size_t alignment)
{
  if (alignment < RT_BLOCK_ALIGNMENT)
    alignment = RT_BLOCK_ALIGNMENT;
  const size_t needed = rt_need_far (size, alignment).bytes;
  if (needed == 0)
    return NULL;
  const bool is_page = needed <= SYS_LEAST_PAGE_BYTES;
  void *const start
    = is_page ? rt_apart_take () : rt_span_map_apart (whole_pages (needed));
  if (start == NULL)
    return NULL;
  if (!is_page)
    rt_shadow_discard (start, whole_pages (needed));
  struct rt_block *const block
    = rt_place_far (slot_at (start, CLASS_APART), size, alignment);
  /* The block is never profiled, so these fields are free.  */
  block->alloc = (uintptr_t) start;
  block->mib = 0;
  rt_block_far (block)->high
    = (uint32_t) (whole_pages (needed) / SYS_PAGE_BYTES);
  if (is_page || rt_span_enter_apart (rt_block_data (block)))
    return block;
  sys_unmap (start, whole_pages (needed));
  return NULL;
}

const void *
rt_arena_data (const struct rt_block *block)
{
  return rt_block_data (block);
}

/* Return the header of BLOCK's slot.  */

static struct rt_block *
slot_of (struct rt_block *block)
{
  if ((block->state & RT_BLOCK_SHIFTED) == 0)
    return block;
  if (rt_class_is_outside (block->size_class))
    {
      struct rt_block *slot = block - 1;
      while ((slot->state & RT_BLOCK_REDIRECT) == 0)
	slot--;
      return slot;
    }
  bool apart;
  const uintptr_t data = (uintptr_t) rt_block_data (block);
  const struct rt_span *const span = rt_span_find ((const void *) data, &apart);
  return (struct rt_block *) rt_span_header (span, rt_span_slot (span, data));
}

/* rt_arena_release for any block.  */

static __attribute__ ((noinline)) void
release_any (struct rt_caches *caches, struct rt_block *block)
{
  const unsigned index = block->size_class;
  bool apart;
  if (index == CLASS_APART)
    {
      void *const start = (void *) (uintptr_t) block->alloc;
      const size_t pages = rt_block_far (block)->high;
      if (pages == 1)
	rt_apart_give (start);
      else
	rt_span_unmap_apart (start, pages * SYS_PAGE_BYTES,
			     rt_block_data (block));
      return;
    }
  if (index == RT_CLASS_LARGE)
    {
      rt_span_destroy_large (rt_span_find (rt_block_data (block), &apart),
			     rt_block_data (block));
      return;
    }
  struct rt_block *const slot = slot_of (block);
  __atomic_store_n (&slot->state,
		    slot == block ? RT_BLOCK_USED
				  : RT_BLOCK_USED | RT_BLOCK_REDIRECT,
		    __ATOMIC_RELEASE);
  add_slot (&caches->of_class[index], index, slot);
}

void
rt_arena_release_at (struct rt_caches *caches, struct rt_block *block,
		     void *data)
{
  const unsigned index = block->size_class;
  struct rt_cache *const cache
    = &caches->of_class[index < RT_CLASS_COUNT ? index : 0];
  if (__builtin_expect (index >= RT_CLASS_COUNT
			  || (block->state & RT_BLOCK_SHIFTED) != 0
			  || cache->free_count == cache->batch,
			0))
    {
      release_any (caches, block);
      return;
    }
  __atomic_store_n (&block->state, RT_BLOCK_USED, __ATOMIC_RELEASE);
  push_slot (cache, block, data);
}

bool
rt_arena_fits (struct rt_block *block, size_t size)
{
  const unsigned index = block->size_class;
  if (index == CLASS_APART || rt_need_far (size, 0).bytes == 0)
    return false;
  if (index == RT_CLASS_LARGE)
    return rt_need_far (size, 0).bytes > RT_CLASS_MAX_BYTES
	   && (block->state & RT_BLOCK_SHIFTED) == 0;
  if (rt_far_bytes == 0 && !rt_block_is_far (block))
    return false;
  const size_t shift = (size_t) ((char *) rt_block_data (block)
				 - (char *) rt_block_data (slot_of (block)));
  const size_t slot_bytes = rt_class_bytes (index);
  /* Not if most of the slot would be wasted.  */
  return shift + size <= rt_slot_data_bytes (index)
	 && (slot_bytes <= 256
	     || size + RT_BLOCK_HEADER_BYTES >= slot_bytes / 2);
}

struct rt_block *
rt_arena_resize (struct rt_block *block, size_t size)
{
  bool apart;
  if (block->size_class != RT_CLASS_LARGE)
    {
      rt_block_set_size (block, size);
      return block;
    }
  const void *const data = rt_block_data (block);
  struct rt_span *const span = rt_span_find (data, &apart);
  const size_t bytes = whole_pages (rt_need_far (size, 0).bytes);
  if (!rt_span_resize_large (span, data, bytes))
    return NULL;
  struct rt_block *const moved = (struct rt_block *) rt_span_header (span, 0);
  rt_block_far (moved)->size = size;
  rt_block_far (moved)->magic = rt_block_hash (moved);
  return moved;
}

size_t
rt_arena_mapped_bytes (void)
{
  return rt_span_mapped_bytes ();
}

/* Turn the fresh slots of CACHE into free ones, so that they can be given
   away.  */

static void
free_run (struct rt_cache *cache, unsigned index)
{
  for (; cache->run < cache->run_end; cache->run += rt_class_bytes (index))
    {
      struct rt_block *const slot = (struct rt_block *) cache->run;
      slot->size_class = (uint8_t) index;
      add_slot (cache, index, slot);
    }
}

void
rt_arena_flush (struct rt_caches *caches)
{
  while (caches->granule < caches->granule_end)
    {
      const ptrdiff_t left = caches->granule_end - caches->granule;
      const unsigned count = left < (ptrdiff_t) RT_CLASS_OUTSIDE_MAX
			       ? (unsigned) left
			       : RT_CLASS_OUTSIDE_MAX;
      free_granules (caches, caches->granule, count);
      caches->granule += count;
    }
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    {
      struct rt_cache *const cache = &caches->of_class[i];
      free_run (cache, i);
      rt_central_give (i, cache->free, cache->free_count);
      if (cache->spare != NULL)
	rt_central_give (i, cache->spare, cache->batch);
      cache->free = cache->spare = NULL;
      cache->free_count = 0;
    }
}

bool
rt_arena_trim (struct rt_caches *caches)
{
  rt_arena_flush (caches);
  const bool has_kept = rt_span_unmap_kept ();
  return rt_reclaim () > 0 || has_kept;
}

void
rt_arena_lock_all (void)
{
  rt_lock (&rt_reclaim_lock);
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    rt_lock (&rt_central_of_class[i].lock);
  rt_lock (&rt_central_granules.lock);
  rt_lock (&rt_span_lock);
}

void
rt_arena_unlock_all (void)
{
  rt_unlock (&rt_span_lock);
  rt_unlock (&rt_central_granules.lock);
  for (unsigned i = RT_CLASS_COUNT; i-- > 0;)
    rt_unlock (&rt_central_of_class[i].lock);
  rt_unlock (&rt_reclaim_lock);
}

void
rt_arena_reset_locks (void)
{
  rt_reset_lock (&rt_span_lock);
  rt_reset_lock (&rt_central_granules.lock);
  rt_reset_lock (&rt_reclaim_lock);
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    rt_reset_lock (&rt_central_of_class[i].lock);
}

#if HEAPPROF_CHECKING > 0

/* True if the list at SLOT consists of exactly COUNT free slots of class
   INDEX.  */

static bool
list_is_valid (const struct rt_block *slot, uint32_t count, unsigned index)
{
  bool apart;
  for (; slot != NULL && count > 0; count--)
    {
      const void *const data = rt_block_data_in (slot, index);
      const struct rt_span *const span = rt_span_find (data, &apart);
      if (span == NULL
	  || span->slots.size_class != (rt_class_is_outside (index) ? 1 : index)
	  || (!rt_class_is_outside (index)
	      && span->slots.bytes != rt_class_bytes (index)))
	return false;
      const size_t i = rt_span_slot (span, (uintptr_t) data);
      if (i == SIZE_MAX || rt_span_header (span, i) != (const char *) slot
	  || slot->size_class != index || rt_block_is_live (slot))
	return false;
      slot = *(struct rt_block *const *) data;
    }
  return slot == NULL && count == 0;
}

static bool
cache_is_valid (const struct rt_cache *cache, unsigned index)
{
  return (size_t) (cache->run_end - cache->run) % rt_class_bytes (index) == 0
	 && cache->run <= cache->run_end && cache->free_count <= cache->batch
	 && list_is_valid (cache->free, cache->free_count, index)
	 && (cache->spare == NULL
	     || list_is_valid (cache->spare, cache->batch, index));
}

bool
rt_arena_is_valid (const struct rt_caches *caches)
{
  if (caches->granule_end - caches->granule > (ptrdiff_t) RT_CENTRAL_GRANULES
      || caches->granule > caches->granule_end)
    return false;
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    if (!cache_is_valid (&caches->of_class[i], i))
      return false;
  return true;
}

#endif
