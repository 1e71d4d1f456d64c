/* Where the slots of each class lie in spans.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SLOTS_H
#define HEAPPROF_SLOTS_H

#include "size-class.h"
#include "span.h"

/* Offset of the data of the first slot in a span or mapping of far blocks: room
   for both parts of their headers.  */
#define RT_FIRST_FAR 32u

/* Return the bytes of a new span for slots of class INDEX, not outside: 64
   KiB, or more if needed to keep the unused end below an eighth and to have at
   least eight slots.  */
size_t rt_slots_span_bytes (unsigned index);

/* Return how the slots of class INDEX, not outside, lie in a span of BYTES
   bytes.  */
struct rt_slots rt_slots_in (unsigned index, size_t bytes);

/* Return how the granules of slots with headers outside lie in a span of a
   page.  Its class is 1.  */
struct rt_slots rt_granules_in_page (void);

/* True if SLOTS are granules of slots with headers outside.  */
static inline bool
rt_slots_are_granules (const struct rt_slots *slots)
{
  return rt_class_is_outside (slots->size_class);
}

/* Return how many bytes a block in a slot of class INDEX may have.  */
size_t rt_slot_data_bytes (unsigned index);

#endif /* HEAPPROF_SLOTS_H */
