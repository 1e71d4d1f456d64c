/* A memo of earlier walks, recognized by the words on the stack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Reusing the last walk helps a program whose next allocation is near the last
   one.  An interpreter allocates from some dozens of places in turn, each time
   with the same few stacks.  So each thread remembers complete walks: every
   word of the stack that the walk read, with its address and value, and the MIB
   that the walk led to.  A walk is determined by its start, those words and the
   unwind tables; as long as all are unchanged, so is the context.  Code with
   frame pointers stores each of them next to the return address, and both are
   compared at once: about a nanosecond per frame.  The position of such a pair
   follows from the preceding one.

   If walks seldom recur, as in random recursion, looking for them is a waste:
   after a series of misses the memo rests for a while.  */

#ifndef HEAPPROF_WALK_MEMO_H
#define HEAPPROF_WALK_MEMO_H

#include <stdbool.h>
#include <stdint.h>

struct rt_walker;
struct rt_walk;

#define RT_MEMO_ENTRIES 512u
#define RT_MEMO_READS 4096u

/* If misses exceed twice the hits by this many, the memo rests.  */
#define RT_MEMO_TRUST_MAX 512
#define RT_MEMO_HIT_TRUST 2

/* One item that a walk read: either a frame pointer and the adjacent return
   address, at the place that the preceding read's frame pointer points to or
   where the walk starts; or a single word.  */
struct rt_memo_read
{
  uintptr_t fp_or_address;
  uintptr_t pc_or_value;
};

/* A walk or, if it has no reads, one that was seen once.  */
struct rt_memo_entry
{
  uintptr_t frame; /* where it starts */
  uint32_t tag;	   /* distinguishes walks from the same frame */
  uint32_t mib;
  uint64_t first;  /* number of its first read since the memo was created */
  uint16_t pairs;  /* number of pairs, which come first */
  uint16_t reads;  /* number of reads of both kinds */
  uint16_t misses; /* since it was last found */
  uint16_t next;   /* the entry found after this one, the last time */
};

struct rt_memo
{
  uint32_t generation; /* of contexts, for all entries */
  int32_t trust;       /* grows with hits, falls with misses */
  uint32_t rest;       /* remaining allocations without lookup */
  uint32_t last;       /* the entry found last */
  uint64_t next;       /* number of reads recorded; each is stored at its number
			  modulo RT_MEMO_READS */
  struct rt_memo_entry entries[RT_MEMO_ENTRIES];
  struct rt_memo_read reads[RT_MEMO_READS];
};

/* Return the MIB of the walk that starts at FRAME, a frame address of WALKER,
   the calling thread; 0 if it is unknown.  */
uint32_t rt_memo_find (struct rt_walker *walker, uintptr_t frame);

/* Remember that WALKER->walk leads to MIB.  It starts at FRAME on the thread's
   own stack, reaches the outermost frame and was not found.  */
void rt_memo_keep (struct rt_walker *walker, uintptr_t frame, uint32_t mib);

/* If the entry found last leads to MIB OLD, let it lead to MIB.  */
static inline void
rt_memo_replace (struct rt_memo *memo, uint32_t old, uint32_t mib)
{
  struct rt_memo_entry *const entry = &memo->entries[memo->last];
  if (entry->mib == old)
    entry->mib = mib;
}

/* True if the entries' reads are complete, and their MIBs exist.  With
   --enable-checking.  */
bool rt_memo_is_valid (const struct rt_memo *memo);

#endif /* HEAPPROF_WALK_MEMO_H */
