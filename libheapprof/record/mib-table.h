/* Which memory-info block (MIB) a thread changes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each thread counts in MIBs of its own, so that no store needs a lock or an
   atomic operation and no two threads write to one cache line: a context that
   several threads allocate in, or release blocks of, has as many MIBs.  A
   context record leads to one of them, that of the thread which came first;
   to its others each thread keeps a hash table.

   Threads take records from the file in chunks of a page.  The structure of a
   thread that ended, with its chunk and its MIBs, serves the next one; so there
   are no more MIBs of a context than threads at one time.

   The root's MIB is all threads'; it counts what found no room elsewhere.  It
   is locked for as long as it is being changed.

   Heapprof_reset changes the epoch, and a MIB of another epoch is emptied when
   its thread comes across it.  */

#ifndef HEAPPROF_MIB_TABLE_H
#define HEAPPROF_MIB_TABLE_H

#include "epoch.h"
#include "raw-file.h"
#include "sys.h"

/* MIB of the root: of blocks whose own context found no room.  */
#define RT_ROOT_MIB 1u

/* MIBs that threads take at once: a page of the file.  */
#define RT_MIB_CHUNK (SYS_PAGE_BYTES / sizeof (struct heapprof_raw_mib))

/* Where the MIBs of this thread are whose context leads to another thread's: a
   hash table by context, MIB 0 in unused entries.  */
struct rt_shard
{
  uint32_t node;
  uint32_t mib;
};

struct rt_shards
{
  uint32_t slots; /* a power of two, or 0 */
  uint32_t used;
  struct rt_shard *entries;
};

/* A thread, as far as it has MIBs.  */
struct rt_mib_owner
{
  uint16_t number; /* of the thread's structure, from 1 */
  uint32_t next;   /* records that it has taken, but not used */
  uint32_t end;	   /* yet: NEXT up to END */
  struct rt_shards shards;
};

/* The number of the thread that each chunk belongs to; 0 for the first, which
   belongs to nobody.  */
extern const uint16_t *rt_mib_writers __attribute__ ((visibility ("hidden")));

static inline bool
rt_mib_is_own (const struct rt_mib_owner *owner, uint32_t index)
{
  return rt_mib_writers[index / RT_MIB_CHUNK] == owner->number;
}

uint32_t rt_mib_for_context_slowly (struct rt_mib_owner *owner, uint32_t node);

/* Index of the MIB in which OWNER, the calling thread, counts the allocations
   of context NODE; 0 if it has none and there is no room.  */
static inline uint32_t
rt_mib_for_context (struct rt_mib_owner *owner, uint32_t node)
{
  const uint32_t index
    = __atomic_load_n (&rt_context_at (node)->mib, __ATOMIC_ACQUIRE);
  return __builtin_expect (rt_mib_is_own (owner, index), 1)
	   ? index
	   : rt_mib_for_context_slowly (owner, node);
}

static inline uint16_t
rt_mib_state (const struct heapprof_raw_mib *mib)
{
  return __atomic_load_n (&mib->state, __ATOMIC_RELAXED);
}

/* Is MIB one of EPOCH, as the file's header has it?  */
static inline bool
rt_mib_is_of (const struct heapprof_raw_mib *mib, uint64_t epoch)
{
  return (rt_mib_state (mib) & HEAPPROF_RAW_EPOCH_MASK) == epoch;
}

/* Wait for the root's MIB; the epoch then.  */
uint32_t rt_mib_lock_root (void);
void rt_mib_renew (struct heapprof_raw_mib *mib, uint16_t epoch);

/* Around changes of MIB number INDEX, which is one of the calling thread's own
   or the root's: make it one of EPOCH, and tell readers.  */
static inline struct heapprof_raw_mib *
rt_mib_begin (uint32_t index, uint32_t epoch)
{
  struct heapprof_raw_mib *const mib = rt_mib_at (index);
  if (__builtin_expect (index == RT_ROOT_MIB, 0))
    epoch = rt_mib_lock_root ();
  else
    __atomic_store_n (&mib->state, rt_mib_state (mib) | HEAPPROF_RAW_CHANGING,
		      __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_RELEASE);
  if (__builtin_expect (!rt_mib_is_of (mib, rt_epoch_of_mibs (epoch)), 0))
    rt_mib_renew (mib, rt_epoch_of_mibs (epoch));
  return mib;
}

static inline void
rt_mib_end (struct heapprof_raw_mib *mib)
{
  __atomic_store_n (&mib->state, rt_mib_state (mib) & HEAPPROF_RAW_EPOCH_MASK,
		    __ATOMIC_RELEASE);
}

/* Index of the MIB for what finds none of its own at NODE, for want of room in
   the file or under max_memory: the root's, or in the second case that of the
   first of its callers that OWNER has one of.  Counted.  */
uint32_t rt_mib_substitute (struct rt_mib_owner *owner, uint32_t node);

/* The wide record of MIB number INDEX, made if there is none; NULL if there is
   no room; the root's has one.  Between rt_mib_begin and rt_mib_end.  */
struct heapprof_raw_wide *rt_mib_wide (uint32_t index);

/* Copy MIB number INDEX, whoever changes it, and its wide record, as they were
   at one moment.  False if it is empty.  */
bool rt_mib_copy (uint32_t index, struct heapprof_raw_mib *mib,
		  struct heapprof_raw_wide *wide);

/* Let no MIB of an old epoch pass for one of the epoch that comes next.  */
void rt_mib_retire_epochs (void);

/* Are the MIBs those of their contexts, and does OWNER find its own?  With
   --enable-checking.  */
bool rt_mib_table_is_valid (const struct rt_mib_owner *owner);

#endif /* HEAPPROF_MIB_TABLE_H */
