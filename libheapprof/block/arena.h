/* Memory for the program's blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An allocator of our own, because counters need blocks that share no granule
   (block.h), a dump needs to enumerate the live ones, and a static program
   has no other malloc to ask.

   Memory comes in chunks of address space, a chunk is cut into spans, a span
   into slots of one size class.  A thread takes slots from its own cache,
   without a lock; the cache exchanges batches with the class's central list.
   Blocks above RT_CLASS_MAX_BYTES are mappings.  A table of 64 KiB pages tells
   for any address whether it is ours.  */

#ifndef HEAPPROF_ARENA_H
#define HEAPPROF_ARENA_H

#include "block.h"
#include "size-class.h"

/* Free slots of one class: a list, a full batch besides or NULL, and a run of
   fresh slots that were never used and are zero.  */
struct rt_cache
{
  struct rt_block *free;
  uint32_t free_count; /* <= batch */
  uint32_t batch;      /* slots of a full batch, 0: not known yet */
  struct rt_block *spare;
  char *run;
  char *run_end;
};

/* What a thread keeps of all classes.  */
struct rt_caches
{
  struct rt_cache of_class[RT_CLASS_COUNT];
};

/* A new block of SIZE bytes, aligned to ALIGNMENT, a power of two.  Its header
   is valid but for what the profile keeps in it, its state is still
   RT_BLOCK_FREE.  *ZEROED tells whether its bytes are known to be zero.  NULL
   if there is no memory.  CACHES are the calling thread's, as below.  */
struct rt_block *rt_arena_allocate (struct rt_caches *caches, size_t size,
				    size_t alignment, bool *zeroed);

/* The same without a thread, for use inside a signal handler: takes no lock,
   always a mapping of its own, and not enumerated.  */
struct rt_block *rt_arena_allocate_apart (size_t size, size_t alignment);

/* Make the block live: from now on a dump counts it.  */
static inline void
rt_arena_publish (struct rt_block *block)
{
  __atomic_store_n (&block->state, block->state | RT_BLOCK_LIVE,
		    __ATOMIC_RELEASE);
}

/* The block no longer belongs to the program.  */
static inline void
rt_arena_retract (struct rt_block *block)
{
  __atomic_store_n (&block->state, (uint8_t) (block->state & ~RT_BLOCK_LIVE),
		    __ATOMIC_RELEASE);
}

/* Take back a retracted block.  */
void rt_arena_release (struct rt_caches *caches, struct rt_block *block);

/* The block whose data begins at DATA, live or not; NULL if that is no block
   of ours.  Any address may be asked for.  */
struct rt_block *rt_arena_find (const void *data);

/* Is it worth trying to give BLOCK SIZE bytes without copying?  */
bool rt_arena_fits (struct rt_block *block, size_t size);

/* Do it: change the size in BLOCK's header, or move a mapping's pages.  Return
   the block at its new place, live as before, or NULL if that failed and
   nothing changed.  */
struct rt_block *rt_arena_resize (struct rt_block *block, size_t size);

/* Call VISIT for each live block, in the order of its address within each
   span.  Blocks that come or go meanwhile may be visited or not.  */
void rt_arena_visit_live (void (*visit) (const struct rt_block *block,
					 void *data),
			  void *data);

/* Bytes mapped for blocks, for mallinfo.  */
size_t rt_arena_mapped_bytes (void);

/* Give the cached slots of a thread that ends to the others.  */
void rt_arena_flush (struct rt_caches *caches);

/* Around a fork: hold all locks, let them go again.  */
void rt_arena_lock_all (void);
void rt_arena_unlock_all (void);
void rt_arena_reset_locks (void);

/* Are the slots in CACHES free ones of their classes, as many as they say? With
   --enable-checking.  */
bool rt_arena_is_valid (const struct rt_caches *caches);

#endif /* HEAPPROF_ARENA_H */
