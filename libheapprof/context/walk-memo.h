/* Walks that were taken before, found again by what is on the stack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The last walk serves a program whose next allocation comes from
   near the last one.  An interpreter allocates from some dozens of places in
   turn, each time with the same few stacks.  So each thread keeps whole walks:
   every word of the stack that the walk read, with its address and the value
   it had, and the MIB that the walk led to.  A walk is determined by its
   start, those words and the unwind tables; as long as all are the same, so is
   the context.  Code that keeps frame pointers has each of them beside the
   return address, and both are compared at once: about a nanosecond a
   frame.  Where such a pair lies, the one before it says.

   Where walks seldom come back, as in random recursion, looking for them would
   be for nothing: after a run of misses the memo rests for a while.  */

#ifndef HEAPPROF_WALK_MEMO_H
#define HEAPPROF_WALK_MEMO_H

#include <stdbool.h>
#include <stdint.h>

struct rt_walker;
struct rt_walk;

#define RT_MEMO_ENTRIES 512u
#define RT_MEMO_READS 4096u

/* What a walk read: the frame pointer and the return address, side by side
   where the frame pointer of the read before points to, or the walk starts; or
   else one word.  */
struct rt_memo_read
{
  uintptr_t fp_or_address;
  uintptr_t pc_or_value;
};

/* A walk, or, with nothing read, one that was seen once.  */
struct rt_memo_entry
{
  uintptr_t frame; /* where it starts */
  uint32_t tag;	   /* what else tells it from others */
  uint32_t mib;
  uint64_t first;  /* its reads are those from this on, counted
		      since the memo was made */
  uint16_t pairs;  /* the pairs, which come first */
  uint16_t reads;  /* of both kinds */
  uint32_t misses; /* since it was last found */
};

struct rt_memo
{
  uint32_t generation; /* of contexts, to which all this belongs */
  int32_t trust;       /* grows with hits, falls with misses */
  uint32_t rest;       /* allocations not to be looked for */
  uint64_t next;       /* reads put down; each goes to its number
			  modulo RT_MEMO_READS */
  struct rt_memo_entry entries[RT_MEMO_ENTRIES];
  struct rt_memo_read reads[RT_MEMO_READS];
};

/* The MIB of the walk that starts at FRAME, a frame address of WALKER, the
   calling thread; 0 if it is not known.  */
uint32_t rt_memo_find (struct rt_walker *walker, uintptr_t frame);

/* WALKER->walk, which starts at FRAME on the thread's own stack, goes to the
   outermost frame and was not found, leads to MIB.  */
void rt_memo_keep (struct rt_walker *walker, uintptr_t frame, uint32_t mib);

/* Are the entries' reads whole, and are their MIBs among the first MIBS?  With
   --enable-checking.  */
bool rt_memo_is_valid (const struct rt_memo *memo, uint32_t mibs);

#endif /* HEAPPROF_WALK_MEMO_H */
