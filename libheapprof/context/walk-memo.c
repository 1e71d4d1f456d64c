/* A memo of earlier walks, recognized by the words on the stack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "walk-memo.h"
#include "context.h"
#include "frame.h"
#include "invariant.h"
#include "memo-usual.h"
#include "mib-table.h"
#include "walker.h"

/* Longer walks are not remembered.  */
#define WALK_READS_MAX 320u

/* An entry is replaced after this many lookups of other walks.  */
#define MISSES_MAX 4u

/* If misses exceed twice the hits by this many, the memo rests for REST
   allocations.  */
#define REST 16384u

/* Hash FRAME and the innermost return addresses, as far as frame pointers lead
   to them: allocators are called through wrappers, so the first one alone is
   not specific.  */

static inline uint64_t
hash_at (const struct rt_walker *walker, uintptr_t frame)
{
  uint64_t hash = (frame ^ rt_stack_word (frame + sizeof (uintptr_t)) << 16)
		  * 0x9e3779b97f4a7c15u;
  uintptr_t fp = rt_stack_word (frame);
  for (unsigned level = 0; MACHINE_HAS_FRAME_RECORDS && level < 2; level++)
    {
      const uintptr_t record = fp + MACHINE_RECORD_AT;
      if (record <= frame || record >= walker->stack_high - sizeof (uintptr_t)
	  || record % sizeof (uintptr_t) != 0)
	break;
      hash = (hash ^ rt_stack_word (record + sizeof (uintptr_t)))
	     * 0x9e3779b97f4a7c15u;
      fp = rt_stack_word (record);
    }
  return hash ^ hash >> 32;
}

static inline struct rt_memo_entry *
entry_for (struct rt_memo *memo, uint64_t hash)
{
  return &memo->entries[hash >> 40 & (RT_MEMO_ENTRIES - 1)];
}

/* Drop all entries: the context table changed.  */

static void
clear (struct rt_memo *memo, uint32_t generation)
{
  for (unsigned i = 0; i < RT_MEMO_ENTRIES; i++)
    memo->entries[i].frame = 0;
  memo->generation = generation;
  memo->trust = RT_MEMO_TRUST_MAX;
}

static void
miss (struct rt_memo *memo)
{
  if (--memo->trust > 0)
    return;
  memo->rest = REST;
  memo->trust = RT_MEMO_TRUST_MAX / 2;
}

/* Programs repeat themselves: the entry that followed the last one before is
   tried first.  */

uint32_t
rt_memo_find (struct rt_walker *walker, uintptr_t frame)
{
  struct rt_memo *const memo = &walker->memo;
  if (__builtin_expect (memo->rest > 0, 0))
    {
      memo->rest--;
      return 0;
    }
  if (frame < walker->stack_low || frame >= walker->stack_high)
    return 0;
  const uint32_t generation = rt_context_generation ();
  if (__builtin_expect (memo->generation != generation, 0))
    clear (memo, generation);
  struct rt_memo_entry *const before = &memo->entries[memo->last];
  struct rt_memo_entry *entry = &memo->entries[before->next];
  if (!rt_memo_is_found (memo, entry, frame))
    {
      entry = entry_for (memo, hash_at (walker, frame));
      if (!rt_memo_is_found (memo, entry, frame))
	{
	  miss (memo);
	  return 0;
	}
      before->next = (uint16_t) (entry - memo->entries);
    }
  memo->last = (uint32_t) (entry - memo->entries);
  entry->misses = 0;
  if (memo->trust < RT_MEMO_TRUST_MAX)
    memo->trust += RT_MEMO_HIT_TRUST;
  return entry->mib;
}

/* Return the place where WALK, from START, found the frame pointer of the frame
   LEVEL; 0 if it did not read it.  */

static uintptr_t
fp_slot_of (const struct rt_walk *walk, uintptr_t start, uint32_t level)
{
  const struct rt_frame *const frame = &walk->frames[level];
  return level + 1 == walk->depth ? start : frame[1].fp_slot;
}

/* Return the place where it found the return address.  */

static uintptr_t
pc_slot_of (const struct rt_walk *walk, uintptr_t start, uint32_t level)
{
  return level + 1 == walk->depth ? start + sizeof (uintptr_t)
				  : rt_frame_pc_slot (&walk->frames[level]);
}

/* True if the frame pointer of the frame LEVEL of WALK, from START, is at
   ADDRESS, next to the return address.  */

static bool
is_pair (const struct rt_walk *walk, uintptr_t start, uint32_t level,
	 uintptr_t address)
{
  return fp_slot_of (walk, start, level) == address
	 && pc_slot_of (walk, start, level) == address + sizeof (uintptr_t);
}

static inline void
put_read (struct rt_memo *memo, uintptr_t first, uintptr_t second)
{
  memo->reads[memo->next++ % RT_MEMO_READS]
    = (struct rt_memo_read){ first, second };
}

/* Record the words that WALK has just read for ENTRY, innermost first: the
   pairs, and then the other words.  */

static void
put_reads (struct rt_memo *memo, struct rt_memo_entry *entry,
	   const struct rt_walk *walk)
{
  const uintptr_t start = entry->frame;
  uintptr_t address = start;
  entry->first = memo->next;
  for (uint32_t level = walk->depth; level-- > 0;)
    if (is_pair (walk, start, level, address))
      {
	const uintptr_t fp = walk->frames[level].fp;
	put_read (memo, fp, rt_stack_word (address + sizeof (uintptr_t)));
	address = fp + MACHINE_RECORD_AT;
      }
  entry->pairs = (uint16_t) (memo->next - entry->first);
  address = start;
  for (uint32_t level = walk->depth; level-- > 0;)
    if (is_pair (walk, start, level, address))
      address = walk->frames[level].fp + MACHINE_RECORD_AT;
    else
      {
	const uintptr_t pc_slot = pc_slot_of (walk, start, level);
	const uintptr_t fp_slot = fp_slot_of (walk, start, level);
	put_read (memo, pc_slot, rt_stack_word (pc_slot));
	if (fp_slot != 0)
	  put_read (memo, fp_slot, walk->frames[level].fp);
      }
  entry->reads = (uint16_t) (memo->next - entry->first);
}

void
rt_memo_keep (struct rt_walker *walker, uintptr_t frame, uint32_t mib)
{
  struct rt_memo *const memo = &walker->memo;
  const struct rt_walk *const walk = &walker->walk;
  if (memo->rest > 0 || memo->generation != walk->generation
      || walk->depth > WALK_READS_MAX / 2)
    return;
  const uint64_t hash = hash_at (walker, frame);
  struct rt_memo_entry *const entry = entry_for (memo, hash);
  const bool was_seen = entry->frame == frame && entry->tag == (uint32_t) hash;
  if (entry->frame != 0 && entry->reads > 0 && ++entry->misses < MISSES_MAX
      && memo->next - entry->first <= RT_MEMO_READS)
    return;
  *entry = (struct rt_memo_entry){ .frame = frame,
				   .tag = (uint32_t) hash,
				   .mib = mib };
  if (!was_seen)
    return;
  /* Keep an entry's reads contiguous.  */
  if (memo->next % RT_MEMO_READS > RT_MEMO_READS - WALK_READS_MAX)
    memo->next += RT_MEMO_READS - memo->next % RT_MEMO_READS;
  put_reads (memo, entry, walk);
}

#if HEAPPROF_CHECKING > 0

bool
rt_memo_is_valid (const struct rt_memo *memo)
{
  for (unsigned i = 0; i < RT_MEMO_ENTRIES; i++)
    {
      const struct rt_memo_entry *const entry = &memo->entries[i];
      if (entry->frame != 0
	  && (entry->pairs > entry->reads || entry->reads > WALK_READS_MAX
	      || entry->first + entry->reads > memo->next
	      || entry->first % RT_MEMO_READS + entry->reads > RT_MEMO_READS
	      || !rt_mib_exists (entry->mib)))
	return false;
    }
  return memo->trust <= RT_MEMO_TRUST_MAX + RT_MEMO_HIT_TRUST
	 && memo->rest <= REST;
}

#endif
