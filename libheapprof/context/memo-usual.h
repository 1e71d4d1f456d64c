/* Recognizing the walk that usually follows the last one, inline.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_MEMO_USUAL_H
#define HEAPPROF_MEMO_USUAL_H

#include "context.h"
#include "walker.h"

/* Number of pairs compared before checking for a difference.  */
#define RT_MEMO_PAIRS_AT_ONCE 4u

/* Two words of a stack, or of a remembered one.  */
typedef uintptr_t rt_word_pair
  __attribute__ ((vector_size (2 * sizeof (uintptr_t)),
		  aligned (sizeof (uintptr_t)), may_alias));

static inline uintptr_t
rt_stack_word (uintptr_t address)
{
  return *(const uintptr_t *) address;
}

/* Return the address of the pair that follows READ.  */
static inline uintptr_t
rt_memo_next_pair (const struct rt_memo_read *read)
{
  return read->fp_or_address + MACHINE_RECORD_AT;
}

/* Return the difference between the pair READ and the stack at ADDRESS.  */
static inline rt_word_pair
rt_memo_difference (const struct rt_memo_read *read, uintptr_t address)
{
  return *(const rt_word_pair *) address ^ *(const rt_word_pair *) read;
}

/* True if the stack still has the words that ENTRY recorded, from READ on.  All
   of these are farther out than the start of the walk, where the stack ends
   now, so they exist.  The first pair has just been written, word by word; a
   load of both words would wait until the stores are done.  Vectors do not pay
   for less than RT_MEMO_PAIRS_AT_ONCE pairs.  */
static inline bool
rt_memo_is_same (const struct rt_memo_entry *entry,
		 const struct rt_memo_read *read)
{
  const struct rt_memo_read *const pairs_end = read + entry->pairs;
  const struct rt_memo_read *const end = read + entry->reads;
  uintptr_t address = entry->frame;
  if (__builtin_expect (read < pairs_end, 1))
    {
      if (rt_stack_word (address + sizeof (uintptr_t)) != read->pc_or_value
	  || rt_stack_word (address) != read->fp_or_address)
	return false;
      address = rt_memo_next_pair (read);
      read++;
    }
  for (; pairs_end - read >= RT_MEMO_PAIRS_AT_ONCE;
       read += RT_MEMO_PAIRS_AT_ONCE)
    {
      const rt_word_pair differs
	= rt_memo_difference (read, address)
	  | rt_memo_difference (read + 1, rt_memo_next_pair (read))
	  | rt_memo_difference (read + 2, rt_memo_next_pair (read + 1))
	  | rt_memo_difference (read + 3, rt_memo_next_pair (read + 2));
      if (differs[0] | differs[1])
	return false;
      address = rt_memo_next_pair (read + 3);
    }
  for (; read < pairs_end; read++)
    {
      if (rt_stack_word (address + sizeof (uintptr_t)) != read->pc_or_value
	  || rt_stack_word (address) != read->fp_or_address)
	return false;
      address = rt_memo_next_pair (read);
    }
  for (; read < end; read++)
    if (rt_stack_word (read->fp_or_address) != read->pc_or_value)
      return false;
  return true;
}

/* True if ENTRY is that of the walk from FRAME.  */
static inline __attribute__ ((always_inline)) bool
rt_memo_is_found (const struct rt_memo *memo, const struct rt_memo_entry *entry,
		  uintptr_t frame)
{
  return entry->frame == frame && entry->reads > 0
	 && memo->next - entry->first <= RT_MEMO_READS
	 && rt_memo_is_same (entry, &memo->reads[entry->first % RT_MEMO_READS]);
}

/* Return the MIB of the walk that starts at FRAME, a frame address of WALKER,
   the calling thread, if it is the one that followed the last one before, and 0
   otherwise: see rt_memo_find.  */
static inline __attribute__ ((always_inline)) uint32_t
rt_memo_find_usual (struct rt_walker *walker, uintptr_t frame)
{
  struct rt_memo *const memo = &walker->memo;
  const uint32_t next = memo->entries[memo->last].next;
  struct rt_memo_entry *const entry = &memo->entries[next];
  if (__builtin_expect (memo->rest > 0, 0)
      || memo->generation != rt_context_generation ()
      || !rt_memo_is_found (memo, entry, frame))
    return 0;
  memo->last = next;
  entry->misses = 0;
  if (memo->trust < RT_MEMO_TRUST_MAX)
    memo->trust += RT_MEMO_HIT_TRUST;
  return entry->mib;
}

#endif /* HEAPPROF_MEMO_USUAL_H */
