/* The blocks of an attached program: a table by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "block-table.h"
#include "arena.h"
#include "bytes.h"
#include "lock.h"
#include "span.h"
#include "sys.h"

/* Parts of the table with a lock of their own.  */
#define SHARDS 256u

/* Records are mapped so many bytes at a time.  */
#define CHUNK_BYTES 65536u

#define FIRST_BUCKETS 512u

struct entry
{
  struct entry *next; /* in the bucket, or of the unused ones */
  uintptr_t data;
  struct rt_block_far far; /* of the block, which is always far */
  struct rt_block block;
};

struct shard
{
  struct rt_lock lock;
  struct entry **buckets; /* NULL: none yet */
  size_t bucket_count;	  /* a power of two */
  size_t used;
  struct entry *unused;
  char *chunk, *chunk_end; /* records that were never used */
} __attribute__ ((aligned (64)));

static struct shard shards[SHARDS];

static struct entry *
entry_of (struct rt_block *block)
{
  return (struct entry *) ((char *) block - offsetof (struct entry, block));
}

/* Allocators align blocks to 16 bytes, and large ones to pages.  */

static uint64_t
hash (uintptr_t data)
{
  return (data >> 4) * 0x9e3779b97f4a7c15u;
}

static struct shard *
shard_of (uintptr_t data)
{
  return &shards[hash (data) >> 56];
}

static struct entry **
bucket_of (const struct shard *shard, uintptr_t data)
{
  return &shard->buckets[(hash (data) >> 16) & (shard->bucket_count - 1)];
}

/* Give SHARD, which is locked, COUNT buckets.  */

static bool
set_buckets (struct shard *shard, size_t count)
{
  const struct shard old = *shard;
  struct entry **const buckets = sys_map (count * sizeof *buckets);
  if (buckets == NULL)
    return false;
  shard->buckets = buckets;
  shard->bucket_count = count;
  for (size_t i = 0; i < old.bucket_count; i++)
    for (struct entry *entry = old.buckets[i], *next; entry != NULL;
	 entry = next)
      {
	struct entry **const bucket = bucket_of (shard, entry->data);
	next = entry->next;
	entry->next = *bucket;
	*bucket = entry;
      }
  if (old.buckets != NULL)
    sys_unmap (old.buckets, old.bucket_count * sizeof *old.buckets);
  return true;
}

static struct entry *
take_unused (struct shard *shard)
{
  struct entry *entry = shard->unused;
  if (entry != NULL)
    {
      shard->unused = entry->next;
      return entry;
    }
  if ((size_t) (shard->chunk_end - shard->chunk) < sizeof *entry)
    {
      char *const chunk = sys_map (CHUNK_BYTES);
      if (chunk == NULL)
	return NULL;
      shard->chunk = chunk;
      shard->chunk_end = chunk + CHUNK_BYTES;
    }
  entry = (struct entry *) shard->chunk;
  shard->chunk += sizeof *entry;
  return entry;
}

struct rt_block *
rt_noted_make (const void *data, size_t size)
{
  struct shard *const shard = shard_of ((uintptr_t) data);
  rt_lock (&shard->lock);
  struct entry *const entry = take_unused (shard);
  rt_unlock (&shard->lock);
  if (entry == NULL)
    return NULL;
  *entry = (struct entry){ .data = (uintptr_t) data,
			   .block = { .size_class = RT_CLASS_LARGE } };
  rt_block_set_far (&entry->block, size);
  return &entry->block;
}

/* Remove and return the record of DATA in SHARD, which is locked.  */

static struct entry *
unlink_entry (struct shard *shard, uintptr_t data)
{
  if (shard->buckets == NULL)
    return NULL;
  for (struct entry **link = bucket_of (shard, data); *link != NULL;
       link = &(*link)->next)
    if ((*link)->data == data)
      {
	struct entry *const entry = *link;
	*link = entry->next;
	shard->used--;
	return entry;
      }
  return NULL;
}

struct rt_block *
rt_noted_add (struct rt_block *block)
{
  struct entry *const entry = entry_of (block);
  struct shard *const shard = shard_of (entry->data);
  rt_lock (&shard->lock);
  struct entry *const old = unlink_entry (shard, entry->data);
  bool has_room = shard->used < shard->bucket_count;
  if (!has_room)
    has_room
      = set_buckets (shard, shard->buckets == NULL ? FIRST_BUCKETS
						   : 2 * shard->bucket_count)
	|| shard->buckets != NULL;
  if (has_room)
    {
      struct entry **const bucket = bucket_of (shard, entry->data);
      entry->next = *bucket;
      __atomic_store_n (&entry->block.state, RT_BLOCK_LIVE, __ATOMIC_RELEASE);
      *bucket = entry;
      shard->used++;
    }
  rt_unlock (&shard->lock);
  return old == NULL ? NULL : &old->block;
}

struct rt_block *
rt_noted_take (const void *data)
{
  struct shard *const shard = shard_of ((uintptr_t) data);
  rt_lock (&shard->lock);
  struct entry *const entry = unlink_entry (shard, (uintptr_t) data);
  rt_unlock (&shard->lock);
  return entry == NULL ? NULL : &entry->block;
}

void
rt_noted_drop (struct rt_block *block)
{
  struct entry *const entry = entry_of (block);
  struct shard *const shard = shard_of (entry->data);
  rt_lock (&shard->lock);
  entry->next = shard->unused;
  shard->unused = entry;
  rt_unlock (&shard->lock);
}

void
rt_noted_forget (void)
{
  for (unsigned i = 0; i < SHARDS; i++)
    {
      struct shard *const shard = &shards[i];
      rt_lock (&shard->lock);
      for (size_t j = 0; j < shard->bucket_count; j++)
	while (shard->buckets[j] != NULL)
	  {
	    struct entry *const entry = shard->buckets[j];
	    shard->buckets[j] = entry->next;
	    entry->next = shard->unused;
	    shard->unused = entry;
	  }
      shard->used = 0;
      rt_unlock (&shard->lock);
    }
}

/* The parts of arena.h and span.h that other folders use.  */

const void *
rt_arena_data (const struct rt_block *block)
{
  const struct entry *const entry
    = (const struct entry *) ((const char *) block
			      - offsetof (struct entry, block));
  return (const void *) entry->data;
}

void
rt_arena_visit_live (void (*visit) (const struct rt_block *, void *),
		     void *data)
{
  for (unsigned i = 0; i < SHARDS; i++)
    {
      struct shard *const shard = &shards[i];
      rt_lock (&shard->lock);
      for (size_t j = 0; j < shard->bucket_count; j++)
	for (const struct entry *entry = shard->buckets[j]; entry != NULL;
	     entry = entry->next)
	  visit (&entry->block, data);
      rt_unlock (&shard->lock);
    }
}

/* All blocks are.  */

struct rt_block *
rt_arena_make_far (struct rt_caches *caches, struct rt_block *block,
		   bool is_needed)
{
  (void) caches;
  (void) is_needed;
  return block;
}

static void
retire_block (const struct rt_block *block, void *data)
{
  const uint32_t *const epoch = data;
  if (!rt_block_is_of (block, *epoch))
    ((struct rt_block *) block)->mib = 0;
}

void
rt_arena_retire (uint32_t epoch)
{
  rt_arena_visit_live (retire_block, &epoch);
}

void
rt_arena_flush (struct rt_caches *caches)
{
  (void) caches;
}

void
rt_arena_lock_all (void)
{
  for (unsigned i = 0; i < SHARDS; i++)
    rt_lock (&shards[i].lock);
}

void
rt_arena_unlock_all (void)
{
  for (unsigned i = SHARDS; i-- > 0;)
    rt_unlock (&shards[i].lock);
}

void
rt_arena_reset_locks (void)
{
  for (unsigned i = 0; i < SHARDS; i++)
    rt_reset_lock (&shards[i].lock);
}

/* How much memory contains the blocks is known to the program's allocator
   alone.  */

size_t
rt_span_most_bytes (void)
{
  return 0;
}

#if HEAPPROF_CHECKING > 0

bool
rt_arena_is_valid (const struct rt_caches *caches)
{
  (void) caches;
  bool is_valid = true;
  for (unsigned i = 0; i < SHARDS; i++)
    {
      struct shard *const shard = &shards[i];
      size_t used = 0;
      rt_lock (&shard->lock);
      for (size_t j = 0; j < shard->bucket_count; j++)
	for (const struct entry *entry = shard->buckets[j]; entry != NULL;
	     entry = entry->next, used++)
	  is_valid = is_valid && shard_of (entry->data) == shard
		     && rt_block_is_live (&entry->block);
      is_valid = is_valid && used == shard->used;
      rt_unlock (&shard->lock);
    }
  return is_valid;
}

bool
rt_span_is_valid (void)
{
  return true;
}

#endif
