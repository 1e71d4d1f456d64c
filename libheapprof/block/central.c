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
      return false;
    }
  list->batches = rt_batch_at (first)->next_batch;
  cache->free = first;
  cache->free_count = (uint32_t) rt_batch_at (first)->slots;
  return true;
}

/* Give CACHE of class INDEX, which is not outside, a run of fresh slots; the
   lock is held.  */

static bool
take_run (struct rt_central *list, struct rt_cache *cache, unsigned index)
{
  struct rt_span *span = list->span;
  if (span == NULL || span->handed_out == span->slots.count)
    {
      const size_t bytes = rt_slots_span_bytes (index);
      const struct rt_slots slots = rt_slots_in (index, bytes);
      span = rt_span_create (&slots, bytes);
      if (span == NULL)
	return false;
      list->span = span;
    }
  const uint32_t left = span->slots.count - span->handed_out;
  const uint32_t slots = left < cache->batch ? left : cache->batch;
  cache->run = rt_span_header (span, span->handed_out);
  cache->run_end = rt_span_header (span, span->handed_out + slots);
  __atomic_store_n (&span->handed_out, span->handed_out + slots,
		    __ATOMIC_RELEASE);
  return true;
}

bool
rt_central_refill (struct rt_cache *cache, unsigned index)
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
    filled = rt_class_is_outside (index) || take_run (list, cache, index);
  rt_unlock (&list->lock);
  return filled;
}

bool
rt_central_take_granules (struct rt_block **first, struct rt_block **end)
{
  rt_lock (&rt_central_granules.lock);
  struct rt_span *span = rt_central_granules.span;
  if (span == NULL || span->handed_out == span->slots.count)
    {
      const struct rt_slots slots = rt_granules_in_page ();
      span = rt_span_create (&slots, RT_SPAN_PAGE_BYTES);
      if (span != NULL)
	rt_central_granules.span = span;
    }
  if (span != NULL)
    {
      const uint32_t left = span->slots.count - span->handed_out;
      const uint32_t count
	= left < RT_CENTRAL_GRANULES ? left : RT_CENTRAL_GRANULES;
      *first = (struct rt_block *) rt_span_header (span, span->handed_out);
      *end = *first + count;
      __atomic_store_n (&span->handed_out, span->handed_out + count,
			__ATOMIC_RELEASE);
    }
  rt_unlock (&rt_central_granules.lock);
  return span != NULL;
}
