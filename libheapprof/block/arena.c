/* Memory for the program's blocks: slots and large blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "arena.h"
#include "apart.h"
#include "invariant.h"
#include "lock.h"
#include "shadow.h"
#include "span.h"
#include "sys.h"

/* Class of blocks that are mappings without a span: see
   rt_arena_allocate_apart.  */
#define CLASS_APART 0xfeu

/* Approximate number of bytes that threads and central lists exchange at
   once.  */
#define BATCH_BYTES (32u * 1024)
#define BATCH_MAX 64u

/* Stored in the data of a batch's first slot, after the link to the batch's
   next slot.  Every slot is large enough.  */
struct batch
{
  struct rt_block *next_slot;
  struct rt_block *next_batch; /* in the central list */
  uint64_t slots;
};

/* The slots of one class that are not in any thread's cache, in batches, so
   that moving them does not walk a list.  */
struct central
{
  struct rt_lock lock;
  struct rt_block *batches;
  struct rt_span *span; /* source of fresh slots */
};

static struct central central[RT_CLASS_COUNT];

static unsigned
batch_slots (size_t slot_bytes)
{
  const size_t fit = BATCH_BYTES / slot_bytes;
  return fit < 1 ? 1 : fit > BATCH_MAX ? BATCH_MAX : (unsigned) fit;
}

/* Return the number of slots of a new span: 64 KiB of them, or more if needed
   to keep the unused end below an eighth and to have at least eight slots.  */

static uint32_t
span_slots (size_t slot_bytes)
{
  size_t bytes = RT_SPAN_PAGE_BYTES;
  while (bytes / slot_bytes < 8
	 || bytes - bytes / slot_bytes * slot_bytes > bytes / 8)
    bytes += RT_SPAN_PAGE_BYTES;
  return (uint32_t) (bytes / slot_bytes);
}

static struct batch *
batch_at (struct rt_block *first)
{
  return rt_block_data (first);
}

/* Give the SLOTS slots at FIRST to the central list of class INDEX.  */

static void
give_batch (unsigned index, struct rt_block *first, uint32_t slots)
{
  if (slots == 0)
    return;
  batch_at (first)->slots = slots;
  rt_lock (&central[index].lock);
  batch_at (first)->next_batch = central[index].batches;
  central[index].batches = first;
  rt_unlock (&central[index].lock);
}

/* Move a batch from LIST, which has one, to CACHE; the lock is held.  The
   program may have overwritten it: if it is invalid, discard all of LIST and
   return false.  */

static bool
take_batch (struct central *list, struct rt_cache *cache)
{
  struct rt_block *const first = list->batches;
  if (!RT_HOLDS (batch_at (first)->slots - 1 < BATCH_MAX))
    {
      list->batches = NULL;
      return false;
    }
  list->batches = batch_at (first)->next_batch;
  cache->free = first;
  cache->free_count = (uint32_t) batch_at (first)->slots;
  return true;
}

/* Give CACHE a run of up to COUNT fresh slots; the lock is held.  */

static bool
take_run (struct central *list, struct rt_cache *cache, size_t slot_bytes,
	  unsigned count)
{
  struct rt_span *span = list->span;
  if (span == NULL || span->handed_out == span->slot_count)
    {
      span = rt_span_create (slot_bytes, span_slots (slot_bytes));
      if (span == NULL)
	return false;
      list->span = span;
    }
  const uint32_t left = span->slot_count - span->handed_out;
  const uint32_t slots = left < count ? left : count;
  cache->run = span->start + span->handed_out * slot_bytes;
  cache->run_end = cache->run + slots * slot_bytes;
  __atomic_store_n (&span->handed_out, span->handed_out + slots,
		    __ATOMIC_RELEASE);
  return true;
}

/* Fill CACHE, which has no free slot, no spare batch and no fresh slot.  */

static bool
refill (struct rt_cache *cache, unsigned index)
{
  struct central *const list = &central[index];
  const size_t slot_bytes = rt_class_bytes (index);
  cache->batch = batch_slots (slot_bytes);
  rt_lock (&list->lock);
  bool filled = list->batches != NULL && take_batch (list, cache);
  if (!filled)
    filled = take_run (list, cache, slot_bytes, cache->batch);
  rt_unlock (&list->lock);
  return filled;
}

/* Add the free SLOT to CACHE, whose list is not full.  */

static inline void
push_slot (struct rt_cache *cache, struct rt_block *slot)
{
  *rt_block_link (slot) = cache->free;
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
	cache->batch = batch_slots (rt_class_bytes (index));
      else if (cache->spare != NULL)
	give_batch (index, cache->spare, cache->batch);
      cache->spare = cache->free;
      cache->free = NULL;
      cache->free_count = 0;
    }
  push_slot (cache, slot);
}

/* Take a previously used slot from CACHE; NULL if it has none.  */

static void *
take_slot (struct rt_cache *cache)
{
  if (cache->free == NULL)
    {
      if (cache->spare == NULL)
	return NULL;
      cache->free = cache->spare;
      cache->free_count = cache->batch;
      cache->spare = NULL;
    }
  return rt_cache_take_first (cache);
}

/* Write the header of a block of SIZE bytes aligned to ALIGNMENT in the slot or
   mapping at START, after a redirecting header if the block is not at its
   start.  */

static struct rt_block *
place_block (void *start, size_t size, size_t alignment, unsigned size_class)
{
  struct rt_block *block = start;
  block->size_class = (uint8_t) size_class;
  if (alignment > RT_BLOCK_ALIGNMENT)
    {
      const uintptr_t data = (uintptr_t) rt_block_data (block);
      const uintptr_t aligned = (data + alignment - 1) & -alignment;
      if (aligned != data)
	{
	  struct rt_block *const redirect = block;
	  block = rt_block_of_data ((void *) aligned);
	  block->size_class = (uint8_t) size_class;
	  block->magic = rt_block_magic (block);
	  block->size = size;
	  block->state = RT_BLOCK_SHIFTED;
	  redirect->magic = 0;
	  redirect->size = aligned - data;
	  __atomic_store_n (&redirect->state, RT_BLOCK_REDIRECT,
			    __ATOMIC_RELEASE);
	  return block;
	}
    }
  return rt_block_set_header (block, size);
}

/* Return the slot size for a block of SIZE bytes aligned to ALIGNMENT; 0 if it
   is too large.  */

static size_t
bytes_needed (size_t size, size_t alignment)
{
  const size_t extra
    = alignment > RT_BLOCK_ALIGNMENT ? alignment - RT_BLOCK_ALIGNMENT : 0;
  size_t total;
  if (__builtin_add_overflow (size, extra + RT_BLOCK_HEADER_BYTES, &total)
      || total > (size_t) 1 << MACHINE_ADDRESS_BITS)
    return 0;
  return total;
}

static size_t
whole_pages (size_t bytes)
{
  return (bytes + SYS_PAGE_BYTES - 1) / SYS_PAGE_BYTES * SYS_PAGE_BYTES;
}

static struct rt_block *
allocate_large (size_t size, size_t alignment, size_t needed, bool *zeroed)
{
  struct rt_span *const span
    = rt_span_create_large (whole_pages (needed), zeroed);
  if (span == NULL)
    return NULL;
  struct rt_block *const block
    = place_block (span->start, size, alignment, RT_CLASS_LARGE);
  if (rt_span_enter_large (span, rt_block_data (block)))
    return block;
  rt_span_destroy_large (span, rt_block_data (block));
  return NULL;
}

struct rt_block *
rt_arena_allocate_any (struct rt_caches *caches, size_t size, size_t alignment,
		       bool *zeroed)
{
  const size_t needed = bytes_needed (size, alignment);
  *zeroed = true;
  if (needed == 0)
    return NULL;
  if (needed > RT_CLASS_MAX_BYTES)
    return allocate_large (size, alignment, needed, zeroed);

  const unsigned index = rt_class_of (needed);
  struct rt_cache *const cache = &caches->of_class[index];
  if (cache->free == NULL && cache->spare == NULL
      && cache->run == cache->run_end && !refill (cache, index))
    return NULL;
  void *slot = take_slot (cache);
  if (slot != NULL)
    *zeroed = false;
  else
    {
      slot = cache->run;
      cache->run += rt_class_bytes (index);
    }
  return place_block (slot, size, alignment, index);
}

struct rt_block *
rt_arena_allocate_apart (size_t size, size_t alignment)
{
  const size_t needed = bytes_needed (size, alignment);
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
    = place_block (start, size, alignment, CLASS_APART);
  /* The block is never profiled, so these fields are free.  */
  block->alloc_ns = (uintptr_t) start;
  block->mib = 0;
  block->epoch = (uint32_t) (whole_pages (needed) / SYS_PAGE_BYTES);
  if (is_page || rt_span_enter_apart (rt_block_data (block)))
    return block;
  sys_unmap (start, whole_pages (needed));
  return NULL;
}

bool
rt_arena_is_at_start (const void *data)
{
  bool apart;
  const struct rt_span *const span = rt_span_find (data, &apart);
  return !apart
	 && (span == NULL
	     || (const char *) data < span->start + RT_BLOCK_HEADER_BYTES);
}

/* Return the live block in the slot that contains ADDRESS; NULL if there is
   none.  */

static struct rt_block *
block_around (uintptr_t address)
{
  bool apart;
  const struct rt_span *const span
    = rt_span_find ((const void *) address, &apart);
  if (span == NULL || address < (uintptr_t) span->start)
    return NULL;
  const size_t slot = (address - (uintptr_t) span->start) / span->slot_bytes;
  if (slot >= span->handed_out)
    return NULL;
  char *const start = span->start + slot * span->slot_bytes;
  struct rt_block *block = (struct rt_block *) start;
  if (block->state == RT_BLOCK_REDIRECT)
    block = (struct rt_block *) (start + block->size);
  return rt_block_is_live (block) && block->magic == rt_block_magic (block)
	   ? block
	   : NULL;
}

/* A block that ends in a granule may be followed by the header of another one,
   but not by its data, and slots are a multiple of the header's size.  */

struct rt_block *
rt_arena_find_in (uintptr_t start, size_t size)
{
  for (uintptr_t at = start; at < start + size; at += RT_BLOCK_HEADER_BYTES)
    {
      struct rt_block *const block = block_around (at);
      if (block == NULL)
	continue;
      const uintptr_t data = (uintptr_t) rt_block_data (block);
      if (data < start + size && start < data + block->size)
	return block;
    }
  return NULL;
}

const void *
rt_arena_data (const struct rt_block *block)
{
  return rt_block_data (block);
}

/* Return the start of BLOCK's slot.  */

static void *
slot_of (struct rt_block *block)
{
  if ((block->state & RT_BLOCK_SHIFTED) == 0)
    return block;
  bool apart;
  const struct rt_span *const span
    = rt_span_find (rt_block_data (block), &apart);
  const size_t offset = (size_t) ((char *) block - span->start);
  return span->start + offset / span->slot_bytes * span->slot_bytes;
}

/* rt_arena_release for any block.  */

static __attribute__ ((noinline)) void
release_any (struct rt_caches *caches, struct rt_block *block)
{
  const unsigned index = block->size_class;
  bool apart;
  if (index == CLASS_APART)
    {
      void *const start = (void *) (uintptr_t) block->alloc_ns;
      if (block->epoch == 1)
	rt_apart_give (start);
      else
	rt_span_unmap_apart (start, (size_t) block->epoch * SYS_PAGE_BYTES,
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
  __atomic_store_n (&slot->state, RT_BLOCK_FREE, __ATOMIC_RELEASE);
  add_slot (&caches->of_class[index], index, slot);
}

void
rt_arena_release (struct rt_caches *caches, struct rt_block *block)
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
  __atomic_store_n (&block->state, RT_BLOCK_FREE, __ATOMIC_RELEASE);
  push_slot (cache, block);
}

bool
rt_arena_fits (struct rt_block *block, size_t size)
{
  const size_t needed = bytes_needed (size, 0);
  if (needed == 0 || block->size_class == CLASS_APART)
    return false;
  if (block->size_class == RT_CLASS_LARGE)
    return needed > RT_CLASS_MAX_BYTES
	   && (block->state & RT_BLOCK_SHIFTED) == 0;
  const size_t shift = (size_t) ((char *) block - (char *) slot_of (block));
  const size_t slot_bytes = rt_class_bytes (block->size_class);
  /* Not if most of the slot would be wasted.  */
  return shift + needed <= slot_bytes
	 && (slot_bytes <= 256 || needed >= slot_bytes / 2);
}

struct rt_block *
rt_arena_resize (struct rt_block *block, size_t size)
{
  bool apart;
  if (block->size_class != RT_CLASS_LARGE)
    {
      block->size = size;
      return block;
    }
  const void *const data = rt_block_data (block);
  struct rt_span *const span = rt_span_find (data, &apart);
  const size_t bytes = whole_pages (bytes_needed (size, 0));
  if (!rt_span_resize_large (span, data, bytes))
    return NULL;
  struct rt_block *const moved = (struct rt_block *) span->start;
  moved->size = size;
  moved->magic = rt_block_magic (moved);
  return moved;
}

/* Visit the live block in the slot at START, if there is one.  */

static void
visit_slot (char *start, void (*visit) (const struct rt_block *, void *),
	    void *data)
{
  const struct rt_block *block = (const struct rt_block *) start;
  if (__atomic_load_n (&block->state, __ATOMIC_ACQUIRE) == RT_BLOCK_REDIRECT)
    block = (const struct rt_block *) (start + block->size);
  if (rt_block_is_live (block) && block->magic == rt_block_magic (block))
    visit (block, data);
}

void
rt_arena_visit_live (void (*visit) (const struct rt_block *, void *),
		     void *data)
{
  rt_lock (&rt_span_lock);
  const struct rt_span *span;
  for (uint32_t i = 0; (span = rt_span_at (i)) != NULL; i++)
    {
      const uint32_t slots
	= __atomic_load_n (&span->handed_out, __ATOMIC_ACQUIRE);
      for (uint32_t slot = 0; slot < slots; slot++)
	visit_slot (span->start + slot * span->slot_bytes, visit, data);
    }
  rt_unlock (&rt_span_lock);
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
  const size_t slot_bytes = rt_class_bytes (index);
  for (; cache->run < cache->run_end; cache->run += slot_bytes)
    add_slot (cache, index, (struct rt_block *) cache->run);
}

void
rt_arena_flush (struct rt_caches *caches)
{
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    {
      struct rt_cache *const cache = &caches->of_class[i];
      free_run (cache, i);
      give_batch (i, cache->free, cache->free_count);
      if (cache->spare != NULL)
	give_batch (i, cache->spare, cache->batch);
      cache->free = cache->spare = NULL;
      cache->free_count = 0;
    }
}

void
rt_arena_lock_all (void)
{
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    rt_lock (&central[i].lock);
  rt_lock (&rt_span_lock);
}

void
rt_arena_unlock_all (void)
{
  rt_unlock (&rt_span_lock);
  for (unsigned i = RT_CLASS_COUNT; i-- > 0;)
    rt_unlock (&central[i].lock);
}

void
rt_arena_reset_locks (void)
{
  rt_reset_lock (&rt_span_lock);
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    rt_reset_lock (&central[i].lock);
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
      const struct rt_span *const span = rt_span_find (slot + 1, &apart);
      if (span == NULL || span->slot_bytes != rt_class_bytes (index)
	  || (size_t) ((const char *) slot - span->start) % span->slot_bytes
	       != 0
	  || rt_block_is_live (slot))
	return false;
      slot = *(struct rt_block *const *) (slot + 1);
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
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    if (!cache_is_valid (&caches->of_class[i], i))
      return false;
  return true;
}

#endif
