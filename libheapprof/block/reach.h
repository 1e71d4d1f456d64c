/* Which live blocks the program can still reach.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A block can be reached if a pointer to any of its bytes (of a block of 0
   bytes, to its start) is in an aligned word of a root or of a block that can
   be reached.  Of the others, those that another one leads to are lost
   indirectly; the rest is lost.  Of blocks that only lead to each other, one is
   lost and the others indirectly, so that each group has one block that is
   lost.

   Everything here is for a process with one thread in which no block changes,
   a helper (leak-check.h); it uses only memory mapped by rt_reach_begin: a
   word for each live block and two bits for each slot, of which only what is
   touched exists.  */

#ifndef HEAPPROF_REACH_H
#define HEAPPROF_REACH_H

#include "block.h"

/* Start: no block has been reached.  Return false if memory is exhausted.  */
bool rt_reach_begin (void);

/* Words from START up to END cannot be read, even if they are in a block.  In
   the order of addresses.  Return false if there are too many such ranges.  */
bool rt_reach_exclude (uintptr_t start, uintptr_t end);

/* WORD, or each of the words from START up to END, is a root.  */
void rt_reach_word (uintptr_t word);
void rt_reach_words (uintptr_t start, uintptr_t end);

/* All roots are known: call VISIT for each live block that is lost.  */
void rt_reach_end (void (*visit) (const struct rt_block *block,
				  bool is_indirect, void *data),
		   void *data);

#endif /* HEAPPROF_REACH_H */
