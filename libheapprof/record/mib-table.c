/* Finding the memory-info block (MIB) that a thread changes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mib-table.h"
#include "bytes.h"
#include "invariant.h"
#include "resident.h"
#include "room.h"
#include "sys.h"

#define FIRST_SLOTS 256u

/* Attempts at copying a MIB consistently.  */
#define COPY_TRIES 65536u

/* Used until there is more than the first chunk.  */
static const uint16_t no_writer;
const uint16_t *rt_mib_writers = &no_writer;
const uint16_t *rt_brief_writers = &no_writer;

/* Return how many chunks of CHUNK records TABLE can have.  */

static size_t
most_chunks (const struct rt_table *table, size_t chunk)
{
  return table->reserved_bytes / (chunk * table->record_bytes) + 1;
}

/* Return the numbers of the threads that own the chunks of CHUNK records of
   TABLE, which *KNOWN points to unless there are none yet.  NULL if memory is
   exhausted.  rt_raw_lock is held.  */

static uint16_t *
writers_of (const struct rt_table *table, size_t chunk, const uint16_t **known)
{
  if (*known != &no_writer)
    return (uint16_t *) *known;
  uint16_t *const writers
    = sys_map (most_chunks (table, chunk) * sizeof *writers);
  if (writers != NULL)
    __atomic_store_n (known, writers, __ATOMIC_RELEASE);
  return writers;
}

/* True if max_memory allows a chunk of MIBs.  For those that brief ones grow to
   there was room before these were added.  */

static bool
has_mib_room (void)
{
  return rt_sample_bytes == 0 || rt_room_for_mibs (RT_MIB_CHUNK);
}

/* Give OWNER a chunk of MIBs; return false if there is no space.  */

static bool
take_mibs (struct rt_mib_owner *owner)
{
  rt_lock (&rt_raw_lock);
  uint16_t *const writers
    = writers_of (&rt_tables[RT_MIBS], RT_MIB_CHUNK, &rt_mib_writers);
  const bool has_room = writers != NULL && has_mib_room ()
			&& rt_raw_next (RT_MOMENTS) != NULL
			&& rt_raw_next (RT_MIBS) != NULL;
  if (has_room)
    {
      const uint32_t first = rt_tables[RT_MIBS].count;
      writers[first / RT_MIB_CHUNK] = owner->number;
      rt_raw_commit (RT_MOMENTS, RT_MIB_CHUNK);
      rt_raw_commit (RT_MIBS, RT_MIB_CHUNK);
      owner->mibs = (struct rt_mib_stock){ first, first + RT_MIB_CHUNK };
    }
  rt_unlock (&rt_raw_lock);
  return has_room;
}

/* Make sure that there is rt_brief_latest; return false if memory is
   exhausted.  */

static bool
has_latest (void)
{
  if (rt_brief_latest == NULL)
    rt_brief_latest
      = sys_map (most_chunks (&rt_tables[RT_BRIEFS], RT_BRIEF_CHUNK)
		 * sizeof *rt_brief_latest);
  return rt_brief_latest != NULL;
}

/* The same for brief ones.  */

static bool
take_briefs (struct rt_mib_owner *owner)
{
  rt_lock (&rt_raw_lock);
  uint16_t *const writers
    = writers_of (&rt_tables[RT_BRIEFS], RT_BRIEF_CHUNK, &rt_brief_writers);
  const bool has_room
    = writers != NULL && has_latest () && rt_room_for_briefs (RT_BRIEF_CHUNK)
      && rt_raw_next (RT_ORIGINS) != NULL && rt_raw_next (RT_BRIEFS) != NULL;
  if (has_room)
    {
      const uint32_t first = rt_tables[RT_BRIEFS].count;
      writers[first / RT_BRIEF_CHUNK] = owner->number;
      rt_raw_commit (RT_ORIGINS, RT_BRIEF_CHUNK);
      rt_raw_commit (RT_BRIEFS, RT_BRIEF_CHUNK);
      rt_resident_touch_origins (RT_BRIEF_CHUNK);
      owner->briefs = (struct rt_mib_stock){ first, first + RT_BRIEF_CHUNK };
    }
  rt_unlock (&rt_raw_lock);
  return has_room;
}

/* Return the number of an unused MIB of OWNER; 0 if there is no space.  */

static uint32_t
next_mib (struct rt_mib_owner *owner)
{
  struct rt_mib_stock *const stock = &owner->mibs;
  if (stock->next == stock->end && !take_mibs (owner))
    return 0;
  const uint32_t index = stock->next++;
  return RT_HOLDS (rt_mib_is_own (owner, index)) ? index : 0;
}

/* The same for a brief one.  */

static uint32_t
next_brief (struct rt_mib_owner *owner)
{
  struct rt_mib_stock *const stock = &owner->briefs;
  if (stock->next == stock->end && !take_briefs (owner))
    return 0;
  const uint32_t index = stock->next++ | HEAPPROF_RAW_BRIEF;
  return RT_HOLDS (rt_mib_is_own (owner, index)) ? index : 0;
}

static uint32_t
first_slot (const struct rt_shards *shards, uint32_t node)
{
  return node * 2654435761u >> 7 & (shards->slots - 1);
}

/* Return the entry of NODE, or the unused one where it would be.  */

static struct rt_shard *
find_shard (const struct rt_shards *shards, uint32_t node)
{
  uint32_t slot = first_slot (shards, node);
  while (shards->entries[slot].mib != 0 && shards->entries[slot].node != node)
    slot = (slot + 1) & (shards->slots - 1);
  return &shards->entries[slot];
}

/* Make space for one more entry; return false if memory is exhausted.  */

static bool
enlarge_shards (struct rt_shards *shards)
{
  if (shards->used < shards->slots / 2)
    return true;
  struct rt_shards fresh
    = { .slots = shards->slots == 0 ? FIRST_SLOTS : shards->slots * 2,
	.used = shards->used };
  fresh.entries = sys_map (fresh.slots * sizeof *fresh.entries);
  if (fresh.entries == NULL)
    return false;
  for (uint32_t i = 0; i < shards->slots; i++)
    if (shards->entries[i].mib != 0)
      *find_shard (&fresh, shards->entries[i].node) = shards->entries[i];
  if (shards->entries != NULL)
    sys_unmap (shards->entries, shards->slots * sizeof *shards->entries);
  *shards = fresh;
  return true;
}

/* Let the record of NODE, unless it has a MIB, have number INDEX.  It is not
   changed when that grows, so its page need not be in memory.  */

static void
note_mib (uint32_t node, uint32_t index)
{
  uint32_t none = HEAPPROF_RAW_NO_INDEX;
  __atomic_compare_exchange_n (&rt_context_at (node)->mib, &none, index, false,
			       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Add a MIB of NODE; return 0 if there is no space.  */

static uint32_t
add_mib (struct rt_mib_owner *owner, uint32_t node)
{
  if (!enlarge_shards (&owner->shards))
    return 0;
  const uint32_t index
    = rt_sample_bytes == 0 ? next_brief (owner) : next_mib (owner);
  if (index == 0)
    return 0;
  if (rt_mib_is_brief (index))
    rt_origin_at (index)->context = node;
  else
    rt_mib_at (index)->context = node;
  note_mib (node, index);
  if (node != 0 && rt_node_relink (node, 0, rt_link_to_mib (index)))
    return index;
  struct rt_shards *const shards = &owner->shards;
  *find_shard (shards, node) = (struct rt_shard){ node, index };
  shards->used++;
  return index;
}

uint32_t
rt_mib_for_context_slowly (struct rt_mib_owner *owner, uint32_t node)
{
  uint32_t index = 0;
  if (owner->shards.used > 0)
    index = find_shard (&owner->shards, node)->mib;
  return index != 0 ? index : add_mib (owner, node);
}

/* Let OWNER find MIB number FULL where it found INDEX.  */

static void
replace (struct rt_mib_owner *owner, uint32_t index, uint32_t full)
{
  const uint32_t node = rt_mib_at (full)->context;
  if (rt_node_relink (node, index, rt_link_to_mib (full))
      || owner->shards.used == 0)
    return;
  struct rt_shard *const shard = find_shard (&owner->shards, node);
  if (shard->mib == index)
    shard->mib = full;
}

uint32_t
rt_mib_grow (struct rt_mib_owner *owner, uint32_t index)
{
  const uint32_t full = next_mib (owner);
  if (full == 0)
    return 0;
  if (rt_brief_is_long (index) && rt_mib_wide (full) == NULL)
    {
      owner->mibs.next--;
      return 0;
    }
  rt_brief_grow (index, full);
  replace (owner, index, full);
  return full;
}

/* MIBs below this number have places of their own: those that were never brief
   and, in a child, all of its parent, as its brief ones have not grown.  */
static uint32_t first_grown = RT_MIB_CHUNK;

void
rt_mib_become_child (uint32_t mibs)
{
  if (mibs > first_grown)
    first_grown = mibs;
}

/* Return the number of MIBs, of MIBS, that have places of their own.  */

static uint32_t
own_places (uint32_t mibs)
{
  return rt_sample_bytes != 0 || mibs < first_grown ? mibs : first_grown;
}

uint32_t
rt_mib_places (uint32_t mibs, uint32_t briefs)
{
  return own_places (mibs) + briefs;
}

uint32_t
rt_mib_at_place (uint32_t place, uint32_t mibs)
{
  const uint32_t others = own_places (mibs);
  return place < others ? place : (place - others) | HEAPPROF_RAW_BRIEF;
}

uint32_t
rt_mib_places_now (void)
{
  return rt_mib_places (rt_record_count (RT_MIBS), rt_record_count (RT_BRIEFS));
}

uint32_t
rt_mib_at_place_now (uint32_t place)
{
  return rt_mib_at_place (place, rt_record_count (RT_MIBS));
}

/* Return the MIB to use if a new one is not allowed: that of NODE, or of its
   innermost caller that OWNER has one for, or the root's.  */

static uint32_t
pruned (struct rt_mib_owner *owner, uint32_t node)
{
  uint32_t mib = 0;
  rt_raw_count (&rt_raw_header->pruned_contexts);
  for (; node != 0 && mib == 0; node = rt_context_at (node)->parent)
    mib = rt_mib_for_context (owner, node);
  return mib != 0 ? mib : RT_ROOT_MIB;
}

uint32_t
rt_mib_substitute (struct rt_mib_owner *owner, uint32_t node)
{
  if (rt_room_is_limited ())
    return pruned (owner, node);
  rt_raw_count (&rt_raw_header->dropped_contexts);
  return RT_ROOT_MIB;
}

/* Usually a short wait: the holder takes no other lock and waits for nothing
   but the file.  */

uint32_t
rt_mib_lock_root (void)
{
  struct heapprof_raw_mib *const mib = rt_mib_at (RT_ROOT_MIB);
  for (unsigned tries = 1;; tries++)
    {
      uint16_t state = rt_mib_state (mib);
      if ((state & HEAPPROF_RAW_CHANGING) == 0
	  && __atomic_compare_exchange_n (&mib->state, &state,
					  state | HEAPPROF_RAW_CHANGING, true,
					  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
	return __atomic_load_n (&rt_epoch, __ATOMIC_RELAXED);
      if (tries % 64 == 0)
	sys_yield ();
    }
}

/* True if MIB, another thread's, has the number of the brief one that is about
   to grow into it.  */

static bool
is_growing (const struct heapprof_raw_mib *mib)
{
  return rt_mib_is_brief (mib->wide);
}

/* Return the wide record of MIB; NULL if it has none, or is growing.  */

static struct heapprof_raw_wide *
wide_of (const struct heapprof_raw_mib *mib)
{
  return mib->wide == HEAPPROF_RAW_NO_INDEX || is_growing (mib)
	   ? NULL
	   : rt_wide_at (mib->wide);
}

/* Clear MIB number INDEX and assign it to EPOCH.  Until then its fields belong
   to an epoch that is ignored.  */

static void
renew (uint32_t index, uint16_t epoch)
{
  struct heapprof_raw_mib *const mib = rt_mib_at (index);
  struct heapprof_raw_wide *const wide = wide_of (mib);
  if (wide != NULL)
    {
      own_memset (&wide->observations, 0, sizeof wide->observations);
      own_memset (&wide->variances, 0, sizeof wide->variances);
    }
  const struct heapprof_raw_mib empty
    = { .context = mib->context, .wide = mib->wide, .state = mib->state };
  *mib = empty;
  rt_moment_clear (index);
  __atomic_store_n (&mib->state, epoch | HEAPPROF_RAW_CHANGING,
		    __ATOMIC_RELEASE);
}

void
rt_mib_begin_slowly (uint32_t index, uint32_t epoch)
{
  struct heapprof_raw_mib *const mib = rt_mib_at (index);
  if (index == RT_ROOT_MIB)
    epoch = rt_mib_lock_root ();
  else
    __atomic_store_n (&mib->state, rt_mib_state (mib) | HEAPPROF_RAW_CHANGING,
		      __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_RELEASE);
  if (!rt_mib_is_of (mib, rt_epoch_of_mibs (epoch)))
    renew (index, rt_epoch_of_mibs (epoch));
}

struct heapprof_raw_wide *
rt_mib_wide (uint32_t index)
{
  struct heapprof_raw_mib *const mib = rt_mib_at (index);
  struct heapprof_raw_wide *wide = wide_of (mib);
  if (wide != NULL)
    return wide;
  rt_lock (&rt_raw_lock);
  struct heapprof_raw_wide *const next = rt_raw_next (RT_WIDE);
  if (next != NULL)
    {
      const uint32_t number = rt_tables[RT_WIDE].count;
      wide = next;
      wide->mib = index;
      rt_raw_commit (RT_WIDE, 1);
      /* A wide record of zeros changes nothing.  */
      __atomic_store_n (&mib->wide, number, __ATOMIC_RELEASE);
    }
  rt_unlock (&rt_raw_lock);
  return wide;
}

void
rt_mib_live (uint32_t index, struct heapprof_raw_live *live)
{
  uint32_t full = index;
  if (rt_mib_is_brief (index))
    {
      rt_resident_use_brief (index);
      full = rt_brief_balance (index, rt_raw_header->epoch, live);
    }
  if (full == 0)
    return;
  if (full != index && full < first_grown)
    {
      *live = (struct heapprof_raw_live){ .mib = index };
      return;
    }
  const struct heapprof_raw_mib *const mib = rt_mib_at (full);
  *live = rt_mib_is_of (mib, rt_raw_header->epoch)
	    ? rt_mib_balance (index, mib, wide_of (mib))
	    : (struct heapprof_raw_live){ .mib = index };
}

bool
rt_mib_copy (uint32_t index, struct heapprof_raw_mib *mib,
	     struct heapprof_raw_wide *wide, struct heapprof_raw_moment *moment)
{
  if (rt_mib_is_brief (index))
    {
      rt_resident_use_brief (index);
      if (rt_brief_copy (index, mib, wide, moment))
	{
	  rt_resident_leave_origin (index);
	  return rt_mib_is_of (mib, rt_raw_header->epoch);
	}
      index = rt_brief_grown (index);
      if (index < first_grown)
	return false;
    }
  struct heapprof_raw_mib *const from = rt_mib_at (index);
  for (unsigned tries = 1;; tries++)
    {
      const uint16_t state = __atomic_load_n (&from->state, __ATOMIC_ACQUIRE);
      *mib = *(volatile struct heapprof_raw_mib *) from;
      const struct heapprof_raw_wide *const its_wide = wide_of (mib);
      if (its_wide != NULL)
	*wide = *its_wide;
      *moment = *(volatile struct heapprof_raw_moment *) rt_moment_at (index);
      __atomic_thread_fence (__ATOMIC_ACQUIRE);
      /* Its thread may have been stopped for good.  */
      if (tries == COPY_TRIES)
	{
	  if (is_growing (mib))
	    mib->wide = HEAPPROF_RAW_NO_INDEX;
	  return rt_mib_is_of (mib, rt_raw_header->epoch);
	}
      /* Each change increases COUNT or ALLOC_COUNT, if the file has space.  */
      if ((state & HEAPPROF_RAW_CHANGING) == 0 && mib->state == state
	  && !is_growing (mib) && rt_mib_state (from) == state
	  && __atomic_load_n (&from->count, __ATOMIC_RELAXED) == mib->count
	  && __atomic_load_n (&from->alloc_count, __ATOMIC_RELAXED)
	       == mib->alloc_count)
	return rt_mib_is_of (mib, rt_raw_header->epoch);
      if (tries % 64 == 0)
	sys_yield ();
    }
}

void
rt_mib_retire_epochs (void)
{
  const uint32_t count = rt_record_count (RT_MIBS);
  const uint32_t briefs = rt_record_count (RT_BRIEFS);
  const uint16_t current = rt_epoch_of_mibs (rt_epoch);
  for (uint32_t i = 0; i < briefs; i++)
    rt_brief_retire (i | HEAPPROF_RAW_BRIEF, current);
  for (uint32_t i = 1; i < count; i++)
    {
      struct heapprof_raw_mib *const mib = rt_mib_at (i);
      uint16_t state = rt_mib_state (mib);
      /* MIBs being changed now, mostly renewed, are left for the next time.  */
      if (state != current && (state & HEAPPROF_RAW_CHANGING) == 0)
	__atomic_compare_exchange_n (&mib->state, &state, 0, false,
				     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
}

#if HEAPPROF_CHECKING > 0

/* True if MIB number INDEX belongs to a context, and its wide record belongs to
   it.  */

static bool
mib_is_valid (uint32_t index)
{
  const struct heapprof_raw_mib *const mib = rt_mib_at (index);
  const struct heapprof_raw_wide *const wide = wide_of (mib);
  return mib->context < rt_record_count (RT_CONTEXTS)
	 && (wide == NULL || wide->mib == index);
}

/* True if brief MIB INDEX belongs to a context, and what it has grown to
   belongs to the same one.  */

static bool
brief_is_valid (uint32_t index)
{
  const uint32_t full = rt_brief_grown (index);
  const uint32_t context = rt_mib_context (index);
  return context < rt_record_count (RT_CONTEXTS)
	 && (full == index
	     || (full < rt_record_count (RT_MIBS)
		 && rt_mib_context (full) == context));
}

/* True if NODE and its record lead to MIBs of this context, or to none.  */

static bool
node_is_valid (uint32_t node)
{
  const uint32_t mib = rt_link_mib (rt_node_link (node));
  const uint32_t noted
    = __atomic_load_n (&rt_context_at (node)->mib, __ATOMIC_ACQUIRE);
  return rt_mib_exists (mib) && (mib == 0 || rt_mib_context (mib) == node)
	 && rt_mib_exists (noted)
	 && (noted == 0 || rt_mib_context (noted) == node);
}

/* True if the entry SHARD leads to a MIB of OWNER for its context.  */

static bool
shard_is_valid (const struct rt_mib_owner *owner, const struct rt_shard *shard)
{
  return rt_mib_exists (shard->mib) && rt_mib_is_own (owner, shard->mib)
	 && rt_mib_context (shard->mib) == shard->node;
}

bool
rt_mib_table_is_valid (const struct rt_mib_owner *owner)
{
  const uint32_t count = rt_record_count (RT_MIBS);
  uint32_t used = 0;
  for (uint32_t i = 1; i < count; i++)
    if (!mib_is_valid (i))
      return false;
  for (uint32_t i = 0; i < rt_record_count (RT_BRIEFS); i++)
    if (!brief_is_valid (i | HEAPPROF_RAW_BRIEF))
      return false;
  for (uint32_t i = 0; i < rt_record_count (RT_CONTEXTS); i++)
    if (!node_is_valid (i))
      return false;
  for (uint32_t i = 0; i < owner->shards.slots; i++)
    if (owner->shards.entries[i].mib != 0)
      {
	used++;
	if (!shard_is_valid (owner, &owner->shards.entries[i]))
	  return false;
      }
  return used == owner->shards.used && owner->mibs.next <= owner->mibs.end
	 && owner->mibs.end <= count && owner->briefs.next <= owner->briefs.end
	 && owner->briefs.end <= rt_record_count (RT_BRIEFS)
	 && rt_record_count (RT_BRIEFS) <= rt_record_count (RT_ORIGINS);
}

#endif
