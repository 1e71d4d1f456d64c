/* Free slots that are in no thread's cache, and the spans of fresh ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "central.h"
#include "invariant.h"
#include "slots.h"

/* Approximate number of bytes that threads and central lists exchange at
   once.  */
#define BATCH_BYTES (32u * 1024)

struct rt_central rt_central_of_class[RT_CLASS_COUNT];
struct rt_central rt_central_granules;
uint64_t rt_central_used_bytes;

unsigned
rt_central_batch (unsigned index)
{
  const size_t fit = BATCH_BYTES / rt_class_bytes (index);
  return fit < 1		      ? 1
	 : fit > RT_CENTRAL_BATCH_MAX ? RT_CENTRAL_BATCH_MAX
				      : (unsigned) fit;
}

void
rt_central_give (unsigned index, struct rt_block *first, uint32_t slots)
{
  if (slots == 0)
    return;
  rt_batch_at (first)->slots = slots;
  rt_lock (&rt_central_of_class[index].lock);
  rt_batch_at (first)->next_batch = rt_central_of_class[index].batches;
  rt_central_of_class[index].batches = first;
  __atomic_fetch_add (&rt_central_of_class[index].slots, slots,
		      __ATOMIC_RELAXED);
  rt_unlock (&rt_central_of_class[index].lock);
}

/* Move a batch from LIST, which has one, to CACHE; the lock is held.  The
   program may have overwritten it: if it is invalid, discard all of LIST and
   return false.  */

static bool
take_batch (struct rt_central *list, struct rt_cache *cache)
{
  struct rt_block *const first = list->batches;
  if (!RT_HOLDS (rt_batch_at (first)->slots - 1 < RT_CENTRAL_BATCH_MAX))
    {
      list->batches = NULL;
      __atomic_store_n (&list->slots, 0, __ATOMIC_RELAXED);
      return false;
    }
  list->batches = rt_batch_at (first)->next_batch;
  cache->free = first;
  cache->free_count = (uint32_t) rt_batch_at (first)->slots;
  __atomic_fetch_sub (&list->slots, cache->free_count, __ATOMIC_RELAXED);
  return true;
}

void
rt_central_add_unused (struct rt_central *list, struct rt_span *span)
{
  const uint32_t number = rt_span_number ((uintptr_t) span->start);
  rt_lock (&list->lock);
  span->next_unused = list->unused;
  list->unused = number;
  rt_unlock (&list->lock);
}

/* Return a span of SLOTS in BYTES bytes with fresh ones, the source of LIST;
   NULL if there is none.  The lock is held.  */

static struct rt_span *
find_source (struct rt_central *list, const struct rt_slots *slots,
	     size_t bytes, bool may_create)
{
  struct rt_span *span = list->span;
  if (span != NULL && span->handed_out < span->slots.count)
    return span;
  span = NULL;
  if (list->unused != 0)
    {
      span = rt_span_at (list->unused - 1);
      list->unused = span->next_unused;
    }
  else if (may_create)
    span = rt_span_create (slots, bytes);
  if (span == NULL)
    return NULL;
  __atomic_fetch_add (&rt_central_used_bytes, bytes, __ATOMIC_RELAXED);
  list->span = span;
  return span;
}

/* Take up to COUNT fresh slots of SPAN, which has some; return their number,
   and store that of the first in *FIRST.  */

static uint32_t
take_fresh (struct rt_span *span, uint32_t count, uint32_t *first)
{
  const uint32_t left = span->slots.count - span->handed_out;
  *first = span->handed_out;
  if (count > left)
    count = left;
  __atomic_store_n (&span->handed_out, *first + count, __ATOMIC_RELEASE);
  return count;
}

/* Give CACHE of class INDEX, which is not outside, a run of fresh slots; the
   lock is held.  */

static bool
take_run (struct rt_central *list, struct rt_cache *cache, unsigned index,
	  bool may_create)
{
  const size_t bytes = rt_slots_span_bytes (index);
  const struct rt_slots slots = rt_slots_in (index, bytes);
  struct rt_span *const span = find_source (list, &slots, bytes, may_create);
  if (span == NULL)
    return false;
  uint32_t first;
  const uint32_t count = take_fresh (span, cache->batch, &first);
  cache->run = rt_span_header (span, first);
  cache->run_end = rt_span_header (span, first + count);
  return true;
}

bool
rt_central_refill (struct rt_cache *cache, unsigned index, bool may_create)
{
  struct rt_central *const list = &rt_central_of_class[index];
  cache->batch = rt_central_batch (index);
  /* Most programs release little to other threads.  */
  if (rt_class_is_outside (index)
      && __atomic_load_n (&list->batches, __ATOMIC_RELAXED) == NULL)
    return true;
  rt_lock (&list->lock);
  bool filled = list->batches != NULL && take_batch (list, cache);
  if (!filled)
    filled = rt_class_is_outside (index)
	     || take_run (list, cache, index, may_create);
  rt_unlock (&list->lock);
  return filled;
}

bool
rt_central_take_granules (struct rt_block **first, struct rt_block **end,
			  bool may_create)
{
  const struct rt_slots slots = rt_granules_in_page ();
  rt_lock (&rt_central_granules.lock);
  struct rt_span *const span = find_source (&rt_central_granules, &slots,
					    RT_SPAN_PAGE_BYTES, may_create);
  if (span != NULL)
    {
      uint32_t at;
      const uint32_t count = take_fresh (span, RT_CENTRAL_GRANULES, &at);
      *first = (struct rt_block *) rt_span_header (span, at);
      *end = *first + count;
    }
  rt_unlock (&rt_central_granules.lock);
  return span != NULL;
}
