/* Finding the memory-info block (MIB) that a thread changes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each thread counts in MIBs of its own, so that no store needs a lock or an
   atomic operation and no two threads write to the same cache line: a context
   has a MIB for each thread that allocates in it or releases its blocks.  A
   context's node leads to one of them, usually that of the first thread; each
   thread keeps a hash table for its others.

   Threads take records from the file in chunks of a page.  The structure of an
   ended thread, with its chunk and its MIBs, is reused by the next one; so a
   context has no more MIBs than there are threads at one time.

   A thread's MIB is brief at first (brief.h), and grows into one of the same
   context when a block does not fit.  With samples, none is brief, since they
   are not counted one by one.

   The root's MIB is shared by all threads; it counts everything that could not
   be stored elsewhere.  It is locked while it is being changed.

   Heapprof_reset changes the epoch, and a MIB of another epoch is cleared when
   its thread next uses it.  */

#ifndef HEAPPROF_MIB_TABLE_H
#define HEAPPROF_MIB_TABLE_H

#include "brief.h"
#include "epoch.h"
#include "moment.h"
#include "node.h"
#include "raw-file.h"
#include "sys.h"

/* MIB of the root, for blocks whose own context could not be stored.  */
#define RT_ROOT_MIB 1u

/* Number of MIBs that threads take at once: a page of the file.  */
#define RT_MIB_CHUNK (SYS_PAGE_BYTES / sizeof (struct heapprof_raw_mib))

/* Finds this thread's MIBs for contexts that lead to another thread's: a hash
   table by context, with MIB 0 in unused entries.  */
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

/* Records taken but not yet used: from NEXT up to END.  */
struct rt_mib_stock
{
  uint32_t next;
  uint32_t end;
};

/* The MIB-related part of a thread.  */
struct rt_mib_owner
{
  uint16_t number; /* of the thread's structure, from 1 */
  struct rt_mib_stock mibs;
  struct rt_mib_stock briefs;
  struct rt_shards shards;
};

/* The number of the thread that owns each chunk; 0 for the first chunk, which
   has no owner.  */
extern const uint16_t *rt_mib_writers __attribute__ ((visibility ("hidden")));

/* The same of brief ones.  */
extern const uint16_t *rt_brief_writers __attribute__ ((visibility ("hidden")));

/* Return the number of the thread that owns MIB number INDEX.  */
static inline uint16_t
rt_mib_writer (uint32_t index)
{
  return rt_mib_is_brief (index)
	   ? rt_brief_writers[(index & ~HEAPPROF_RAW_BRIEF) / RT_BRIEF_CHUNK]
	   : rt_mib_writers[index / RT_MIB_CHUNK];
}

static inline bool
rt_mib_is_own (const struct rt_mib_owner *owner, uint32_t index)
{
  return rt_mib_writer (index) == owner->number;
}

/* True if INDEX is the number of a MIB.  */
static inline bool
rt_mib_exists (uint32_t index)
{
  return rt_mib_is_brief (index)
	   ? (index & ~HEAPPROF_RAW_BRIEF) < rt_record_count (RT_BRIEFS)
	   : index < rt_record_count (RT_MIBS);
}

/* The process is a child whose parent had MIBS records, or begins again with
   them: all MIBs are empty, and no brief one has grown.  */
void rt_mib_become_child (uint32_t mibs);

/* The MIBs in order, when there are MIBS and BRIEFS records: first those that
   were never brief in this process, then the brief ones, each of which leads to
   what it has grown to, unless that is among the first.  Return their number,
   including number 0, which is unused.  */
uint32_t rt_mib_places (uint32_t mibs, uint32_t briefs);

/* Return the number of the MIB at PLACE when there are MIBS records.  */
uint32_t rt_mib_at_place (uint32_t place, uint32_t mibs);

/* The same for all MIBs that there are now.  */
uint32_t rt_mib_places_now (void);
uint32_t rt_mib_at_place_now (uint32_t place);

uint32_t rt_mib_for_context_slowly (struct rt_mib_owner *owner, uint32_t node);

/* Return the index of the MIB in which OWNER, the calling thread, counts the
   allocations of context NODE; 0 if it has none and there is no space.  */
static inline uint32_t
rt_mib_for_context (struct rt_mib_owner *owner, uint32_t node)
{
  const uint32_t index = rt_link_mib (rt_node_link (node));
  return __builtin_expect (rt_mib_is_own (owner, index), 1)
	   ? index
	   : rt_mib_for_context_slowly (owner, node);
}

static inline uint16_t
rt_mib_state (const struct heapprof_raw_mib *mib)
{
  return __atomic_load_n (&mib->state, __ATOMIC_RELAXED);
}

/* True if MIB belongs to EPOCH, as stored in the file's header.  */
static inline bool
rt_mib_is_of (const struct heapprof_raw_mib *mib, uint64_t epoch)
{
  return (rt_mib_state (mib) & HEAPPROF_RAW_EPOCH_MASK) == epoch;
}

/* Lock the root's MIB; return the epoch at that time.  */
uint32_t rt_mib_lock_root (void);
void rt_mib_begin_slowly (uint32_t index, uint32_t epoch);

/* Around changes of MIB number INDEX, one of the calling thread's own or the
   root's: assign it to EPOCH, mark it as changing for readers, and keep what
   was live in it at the last peak.  */
static inline __attribute__ ((always_inline)) struct heapprof_raw_mib *
rt_mib_begin (uint32_t index, uint32_t epoch)
{
  struct heapprof_raw_mib *const mib = rt_mib_at (index);
  const uint16_t expected = rt_epoch_of_mibs (epoch);
  if (__builtin_expect (index == RT_ROOT_MIB || rt_mib_state (mib) != expected,
			0))
    rt_mib_begin_slowly (index, epoch);
  else
    __atomic_store_n (&mib->state, expected | HEAPPROF_RAW_CHANGING,
		      __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_RELEASE);
  rt_moment_keep (index);
  return mib;
}

static inline void
rt_mib_end (struct heapprof_raw_mib *mib)
{
  __atomic_store_n (&mib->state, rt_mib_state (mib) & HEAPPROF_RAW_EPOCH_MASK,
		    __ATOMIC_RELEASE);
}

/* The same for one of the calling thread's own, of which it is known that it
   belongs to EPOCH.  */
static inline void
rt_mib_end_of (struct heapprof_raw_mib *mib, uint32_t epoch)
{
  __atomic_store_n (&mib->state, rt_epoch_of_mibs (epoch), __ATOMIC_RELEASE);
}

/* Return the index of the MIB to use when there is no space for one at NODE, in
   the file or under max_memory: the root's or, in the second case, that of the
   innermost caller that OWNER has one for.  Counts this.  */
uint32_t rt_mib_substitute (struct rt_mib_owner *owner, uint32_t node);

/* Return the wide record of MIB number INDEX, creating it if missing; NULL if
   there is no space; the root always has one.  Between rt_mib_begin and
   rt_mib_end.  */
struct heapprof_raw_wide *rt_mib_wide (uint32_t index);

/* Let brief MIB number INDEX, one of OWNER's, grow; return the number of what
   it leads to, 0 if there is no space.  */
uint32_t rt_mib_grow (struct rt_mib_owner *owner, uint32_t index);

/* Set *LIVE to the blocks allocated minus those folded in of MIB number INDEX,
   in the file's epoch.  */
void rt_mib_live (uint32_t index, struct heapprof_raw_live *live);

/* Copy MIB number INDEX, or what it has grown to, which may be changing, its
   wide record, which it has if its `wide' is not 0, and its moment, as they
   were at one time.  Return false if it is empty, or if that has a place of its
   own. To be called for MIBs in order: the origins of those before are left. */
bool rt_mib_copy (uint32_t index, struct heapprof_raw_mib *mib,
		  struct heapprof_raw_wide *wide,
		  struct heapprof_raw_moment *moment);

/* Make sure that MIBs of old epochs are not mistaken for those of a later epoch
   with the same lower bits.  */
void rt_mib_retire_epochs (void);

/* True if the MIBs belong to their contexts, and OWNER finds its own.  With
   --enable-checking.  */
bool rt_mib_table_is_valid (const struct rt_mib_owner *owner);

#endif /* HEAPPROF_MIB_TABLE_H */
