/* Free slots that are in no thread's cache, and the spans of fresh ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_CENTRAL_H
#define HEAPPROF_CENTRAL_H

#include "block.h"
#include "lock.h"
#include "size-class.h"
#include "span.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Free slots of one class: a list, a full spare batch or NULL, and, unless
   their headers are outside, a run of fresh slots that were never used and are
   zero.  */
struct rt_cache
{
  struct rt_block *free;
  uint32_t free_count; /* <= batch */
  uint32_t batch;      /* slots of a full batch, 0: not yet computed */
  struct rt_block *spare;
  char *run;
  char *run_end;
};

/* Most slots in a batch.  */
#define RT_CENTRAL_BATCH_MAX 64u

/* Granules that a thread takes at once.  */
#define RT_CENTRAL_GRANULES 64u

/* Stored in the data of a batch's first slot, after the link to the batch's
   next slot.  Every slot is large enough.  */
struct rt_batch
{
  struct rt_block *next_slot;
  struct rt_block *next_batch; /* in the central list */
  uint64_t slots;
};

/* The slots of one class that are not in any thread's cache, in batches, so
   that moving them does not walk a list.  */
struct rt_central
{
  struct rt_lock lock;
  struct rt_block *batches;
  uint64_t slots;	/* in these batches */
  struct rt_span *span; /* source of fresh slots of a class that is not
			   outside */
  uint32_t unused; /* index + 1 of the first of the spans, all fresh, that are
		      the next sources */
};

extern struct rt_central rt_central_of_class[RT_CLASS_COUNT]
  __attribute__ ((visibility ("hidden")));

/* The source of fresh granules for slots of all classes that are outside.  */
extern struct rt_central rt_central_granules
  __attribute__ ((visibility ("hidden")));

static inline struct rt_batch *
rt_batch_at (struct rt_block *first)
{
  return rt_block_data (first);
}

/* Return how many slots of class INDEX are a full batch.  */
unsigned rt_central_batch (unsigned index);

/* Bytes of the spans from which slots were taken, without those that are fresh
   again.  */
extern uint64_t rt_central_used_bytes __attribute__ ((visibility ("hidden")));

/* Add SPAN, which is fresh again, to the next sources of LIST.  */
void rt_central_add_unused (struct rt_central *list, struct rt_span *span);

/* Give the SLOTS slots at FIRST to the central list of class INDEX.  */
void rt_central_give (unsigned index, struct rt_block *first, uint32_t slots);

/* Fill CACHE of class INDEX, which has no free slot, no spare batch and no
   fresh slot; create a span only if MAY_CREATE.  Without a batch, a cache of
   slots that are outside stays as it is.  Return false if there is no memory.
 */
bool rt_central_refill (struct rt_cache *cache, unsigned index,
			bool may_create);

/* Set *FIRST to the headers of fresh granules, and *END to the end of them;
   create a span only if MAY_CREATE.  Return false if there is no memory.  */
bool rt_central_take_granules (struct rt_block **first, struct rt_block **end,
			       bool may_create);

#endif /* HEAPPROF_CENTRAL_H */
