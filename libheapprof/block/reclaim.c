/* Giving back the memory of spans without blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "reclaim.h"
#include "central.h"
#include "debug-log.h"
#include "invariant.h"
#include "shadow.h"
#include "slots.h"
#include "sys.h"

/* A pass is due if the lists have gained LEAST_BYTES since the last one, and
   also one PARTth of the memory of all spans with slots.  Each pass that gives
   back less than one PARTth of what was in the lists doubles that, at most
   PATIENCE_MAX times in a row.  */
#define LEAST_BYTES ((size_t) 1 << 20)
#define PART 8u
#define PATIENCE_MAX 2u

struct rt_lock rt_reclaim_lock;

/* Both are guarded by the lock.  */
static size_t left_bytes; /* least bytes in the lists since the last pass */
static unsigned patience; /* how often the bytes that are needed were doubled */

/* The free slots of one span.  */
struct sorted
{
  struct rt_block *slots;
  uint32_t units; /* as rt_span.handed_out counts them */
  bool is_source;
};

/* What is left of a batch.  Following its links takes long, as few are in the
   processor's cache; so this many are followed at once.  */
#define CHAINS 16u

struct chain
{
  struct rt_block *slot;
  uint64_t left;
};

/* Slots to be given to a central list.  */
struct batch
{
  struct rt_block *first;
  uint32_t count;
};

/* What the central lists had.  */
struct taken
{
  struct rt_block *batches[RT_CLASS_COUNT];
  uint32_t sources[RT_CLASS_COUNT + 1]; /* numbers of spans, or 0 */
};

/* Return the number of slots of a span's kind that a slot of class INDEX
   is.  */

static uint32_t
units_of (unsigned index)
{
  return rt_class_is_outside (index) ? index : 1;
}

static struct rt_central *
list_of_span (const struct rt_span *span)
{
  return rt_slots_are_granules (&span->slots)
	   ? &rt_central_granules
	   : &rt_central_of_class[span->slots.size_class];
}

static size_t
free_bytes (void)
{
  size_t bytes = 0;
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    bytes += __atomic_load_n (&rt_central_of_class[i].slots, __ATOMIC_RELAXED)
	     * rt_class_bytes (i);
  return bytes;
}

/* Return the number of the span from which LIST takes fresh slots, 0 if there
   is none; the lock is held.  */

static uint32_t
source_of (const struct rt_central *list)
{
  return list->span != NULL ? rt_span_number ((uintptr_t) list->span->start)
			    : 0;
}

/* Take all slots from the central lists.  */

static void
take_all (struct taken *taken)
{
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    {
      struct rt_central *const list = &rt_central_of_class[i];
      rt_lock (&list->lock);
      taken->batches[i] = list->batches;
      taken->sources[i] = source_of (list);
      list->batches = NULL;
      __atomic_store_n (&list->slots, 0, __ATOMIC_RELAXED);
      rt_unlock (&list->lock);
    }
  rt_lock (&rt_central_granules.lock);
  taken->sources[RT_CLASS_COUNT] = source_of (&rt_central_granules);
  rt_unlock (&rt_central_granules.lock);
}

/* Return the number of the span of SLOT; 0 if there cannot be a slot of class
   INDEX, since the program has overwritten what led to it.  The header is not
   read: it is seldom in the processor's cache.  */

static uint32_t
span_of_slot (const struct rt_block *slot, unsigned index)
{
  const uint32_t entry = rt_span_entry (slot);
  const bool is_outside = rt_class_is_outside (index);
  const size_t headers_end = RT_BLOCK_PAGE_BYTES / RT_BLOCK_OUTSIDE;
  const bool is_valid
    = entry >> RT_SPAN_CLASS_SHIFT == (is_outside ? 1 : index)
      && (uintptr_t) slot % RT_BLOCK_HEADER_BYTES == 0
      && (!is_outside || (uintptr_t) slot % RT_BLOCK_PAGE_BYTES < headers_end);
  return is_valid ? entry % ((uint32_t) 1 << RT_SPAN_CLASS_SHIFT) : 0;
}

/* Let CHAIN be the slots of BATCH of class INDEX.  Return the next batch, NULL
   if there is none.  */

static struct rt_block *
open_chain (struct chain *chain, struct rt_block *batch, unsigned index)
{
  if (!RT_HOLDS (span_of_slot (batch, index) != 0))
    {
      *chain = (struct chain){ NULL, 0 };
      return NULL;
    }
  *chain = (struct chain){ batch, rt_batch_at (batch)->slots };
  return rt_batch_at (batch)->next_batch;
}

/* Sort the first slot of CHAIN of class INDEX into SPANS, of which there are
   COUNT.  Return false if there was none.  */

static bool
sort_slot (struct chain *chain, unsigned index, struct sorted *spans,
	   uint32_t count)
{
  struct rt_block *const slot = chain->slot;
  if (slot == NULL || chain->left == 0)
    return false;
  const uint32_t number = span_of_slot (slot, index);
  if (!RT_HOLDS (number - 1 < count))
    return false;
  struct rt_block **const link = rt_block_data_in (slot, index);
  struct sorted *const span = &spans[number - 1];
  chain->slot = *link;
  chain->left--;
  __builtin_prefetch (rt_block_data_in (chain->slot, index), 1);
  *link = span->slots;
  span->slots = slot;
  span->units += units_of (index);
  return true;
}

/* Sort the slots of BATCHES of class INDEX, several batches at once.  */

static void
sort_class (struct rt_block *batches, unsigned index, struct sorted *spans,
	    uint32_t count)
{
  struct chain chains[CHAINS];
  unsigned open = 0;
  do
    {
      while (open < CHAINS && batches != NULL)
	batches = open_chain (&chains[open++], batches, index);
      for (unsigned i = 0; i < open;)
	if (sort_slot (&chains[i], index, spans, count))
	  i++;
	else
	  chains[i] = chains[--open];
    }
  while (open > 0 || batches != NULL);
}

/* Give the slots of *BATCH to the list of class INDEX.  */

static void
give (struct batch *batch, unsigned index)
{
  rt_central_give (index, batch->first, batch->count);
  *batch = (struct batch){ NULL, 0 };
}

/* Add the slots of SPAN to BATCHES, one for each class, and give full ones to
   the central lists.  */

static void
keep (const struct sorted *span, struct batch *batches)
{
  struct rt_block *next;
  for (struct rt_block *slot = span->slots; slot != NULL; slot = next)
    {
      const unsigned index = slot->size_class;
      if (!RT_HOLDS (index < RT_CLASS_COUNT))
	return;
      struct rt_block **const link = rt_block_data_in (slot, index);
      struct batch *const batch = &batches[index];
      next = *link;
      *link = batch->first;
      batch->first = slot;
      if (++batch->count == rt_central_batch (index))
	give (batch, index);
    }
}

/* Give the memory of SPAN, all of whose slots are ours, back to the kernel.
   Return how many bytes; 0 if that is not possible.  */

static size_t
give_back (struct rt_span *span)
{
  if (!sys_discard (span->start, span->bytes))
    return 0;
  rt_shadow_discard (span->start, span->bytes);
  __atomic_store_n (&span->handed_out, 0, __ATOMIC_RELEASE);
  __atomic_fetch_sub (&rt_central_used_bytes, span->bytes, __ATOMIC_RELAXED);
  rt_central_add_unused (list_of_span (span), span);
  return span->bytes;
}

/* Sort what was TAKEN into SPANS, of which there are COUNT; give back what is
   complete, and keep the rest.  Return how many bytes were given back.  */

static size_t
sort_all (const struct taken *taken, struct sorted *spans, uint32_t count)
{
  struct batch batches[RT_CLASS_COUNT] = { { NULL, 0 } };
  size_t bytes = 0;
  for (unsigned i = 0; i <= RT_CLASS_COUNT; i++)
    if (taken->sources[i] != 0)
      spans[taken->sources[i] - 1].is_source = true;
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    sort_class (taken->batches[i], i, spans, count);
  for (uint32_t i = 0; i < count; i++)
    if (spans[i].slots != NULL)
      {
	struct rt_span *const span = rt_span_at (i);
	const size_t given
	  = !spans[i].is_source && spans[i].units == span->handed_out
	      ? give_back (span)
	      : 0;
	if (given == 0)
	  keep (&spans[i], batches);
	bytes += given;
      }
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    give (&batches[i], i);
  return bytes;
}

/* Undo take_all.  */

static void
put_back (const struct taken *taken)
{
  struct rt_block *next;
  for (unsigned i = 0; i < RT_CLASS_COUNT; i++)
    for (struct rt_block *batch = taken->batches[i]; batch != NULL;
	 batch = next)
      {
	if (!RT_HOLDS (span_of_slot (batch, i) != 0))
	  break;
	next = rt_batch_at (batch)->next_batch;
	rt_central_give (i, batch, (uint32_t) rt_batch_at (batch)->slots);
      }
}

static uint32_t
count_spans (void)
{
  uint32_t count = 0;
  while (rt_span_at (count) != NULL)
    count++;
  return count;
}

/* rt_reclaim, with the lock.  */

static size_t
reclaim (void)
{
  struct taken taken;
  const size_t before = free_bytes ();
  /* A span that is created meanwhile has no slots in the lists.  */
  take_all (&taken);
  const uint32_t count = count_spans ();
  const size_t map_bytes = count * sizeof (struct sorted);
  struct sorted *const spans = count > 0 ? sys_map (map_bytes) : NULL;
  size_t bytes = 0;
  if (spans != NULL)
    {
      bytes = sort_all (&taken, spans, count);
      sys_unmap (spans, map_bytes);
    }
  else
    put_back (&taken);
  left_bytes = free_bytes ();
  if (bytes >= before / PART)
    patience = 0;
  else if (patience < PATIENCE_MAX)
    patience++;
  RT_DEBUG (2, "reclaim: %u bytes given back, %u left in lists",
	    (uint64_t) bytes, (uint64_t) left_bytes);
  return bytes;
}

size_t
rt_reclaim (void)
{
  rt_lock (&rt_reclaim_lock);
  const size_t bytes = reclaim ();
  rt_unlock (&rt_reclaim_lock);
  return bytes;
}

void
rt_reclaim_if_due (void)
{
  /* If another thread is sorting, wait: meanwhile the lists are empty.  */
  rt_lock (&rt_reclaim_lock);
  const size_t now = free_bytes ();
  const size_t part
    = __atomic_load_n (&rt_central_used_bytes, __ATOMIC_RELAXED) / PART;
  if (now < left_bytes)
    left_bytes = now;
  if (now - left_bytes > (part > LEAST_BYTES ? part : LEAST_BYTES) << patience)
    reclaim ();
  rt_unlock (&rt_reclaim_lock);
}
