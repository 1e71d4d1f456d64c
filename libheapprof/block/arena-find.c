/* Finding blocks of the arena.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "arena.h"
#include "slots.h"
#include "span.h"

/* True if DATA, on a page that is covered, is at the start of a span, so that
   there is no header before it.  */

static bool
is_at_start (const void *data)
{
  bool apart;
  const struct rt_span *const span = rt_span_find (data, &apart);
  return !apart
	 && (span == NULL || (const char *) data < span->start + RT_FIRST_FAR);
}

struct rt_block *
rt_arena_find_far (const void *data)
{
  const uintptr_t bits = (uintptr_t) data;
  if (bits % RT_BLOCK_FAR_ALIGNMENT != 0
      || (bits % RT_SPAN_PAGE_BYTES < RT_FIRST_FAR && is_at_start (data)))
    return NULL;
  struct rt_block *const block
    = (struct rt_block *) (bits - RT_BLOCK_HEADER_BYTES);
  return rt_block_far (block)->magic == rt_block_hash (block) ? block : NULL;
}

/* Return the live block in the slot whose header is at START; NULL if there is
   none.  */

static const struct rt_block *
live_block_in (const char *start)
{
  const struct rt_block *block = (const struct rt_block *) start;
  if (__atomic_load_n (&block->state, __ATOMIC_ACQUIRE) == RT_BLOCK_REDIRECT)
    block = (const struct rt_block *) (start + block->mib);
  return rt_block_is_live (block) ? block : NULL;
}

/* Return the live block in slot I of SPAN, NULL if there is none; among
   granules, the last one that starts there or before, in reach of a slot.  */

static const struct rt_block *
live_block_around (const struct rt_span *span, size_t i)
{
  if (!rt_slots_are_granules (&span->slots))
    return live_block_in (rt_span_header (span, i));
  for (size_t back = 0; back <= i && back < RT_CLASS_OUTSIDE_MAX; back++)
    {
      const struct rt_block *const block
	= (const struct rt_block *) rt_span_header (span, i - back);
      if (rt_block_is_live (block))
	return block;
    }
  return NULL;
}

/* Each granule that has some of a block has nothing of other slots' blocks.  */

struct rt_block *
rt_arena_find_in (uintptr_t start, size_t size)
{
  bool apart;
  for (uintptr_t at = start; at < start + size; at += RT_BLOCK_ALIGNMENT)
    {
      const struct rt_span *const span
	= rt_span_find ((const void *) at, &apart);
      const size_t i = span == NULL ? SIZE_MAX : rt_span_slot (span, at);
      const struct rt_block *const block
	= i == SIZE_MAX ? NULL : live_block_around (span, i);
      if (block == NULL)
	continue;
      const uintptr_t data = (uintptr_t) rt_block_data (block);
      if (data < start + size && start < data + rt_block_size (block))
	return (struct rt_block *) block;
    }
  return NULL;
}

void
rt_arena_visit_live (void (*visit) (const struct rt_block *, void *),
		     void *data)
{
  rt_lock (&rt_span_lock);
  const struct rt_span *span;
  for (uint32_t i = 0; (span = rt_span_at (i)) != NULL; i++)
    {
      const uint32_t slots
	= __atomic_load_n (&span->handed_out, __ATOMIC_ACQUIRE);
      for (uint32_t slot = 0; slot < slots; slot++)
	{
	  const char *const header = rt_span_header (span, slot);
	  /* A redirecting header leads to one that is visited, too.  */
	  const struct rt_block *const block
	    = rt_slots_are_granules (&span->slots)
		  && !rt_block_is_live ((const struct rt_block *) header)
		? NULL
		: live_block_in (header);
	  if (block != NULL)
	    visit (block, data);
	}
    }
  rt_unlock (&rt_span_lock);
}

/* Other threads may release the block, and the next one in its slot is of
   EPOCH; so nothing changes if something has changed.  */

static void
retire_block (const struct rt_block *block, void *data)
{
  typedef uint64_t __attribute__ ((may_alias)) word;
  const uint32_t *const epoch = data;
  struct rt_block was = *block, is = *block;
  word before, after;
  if (was.mib == 0 || rt_block_is_of (&was, *epoch)
      || (was.state & RT_BLOCK_LIVE) == 0)
    return;
  is.mib = 0;
  __builtin_memcpy (&before, &was.mib, sizeof before);
  __builtin_memcpy (&after, &is.mib, sizeof after);
  __atomic_compare_exchange_n ((word *) (uintptr_t) &block->mib, &before, after,
			       false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void
rt_arena_retire (uint32_t epoch)
{
  rt_arena_visit_live (retire_block, &epoch);
}
