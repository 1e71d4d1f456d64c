/* Where the slots of each class lie in spans.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef HEAPPROF_SLOTS_H
#define HEAPPROF_SLOTS_H

#include "size-class.h"
#include "span.h"

/* Offset of the data of the first slot in a span or mapping of far blocks: room
   for both parts of their headers.  */
#define RT_FIRST_FAR 32u

/* What tells whether an offset is a multiple of a small class's slots, which
   start FIRST bytes after the start of a page: see rt_arena_find.  */
struct rt_multiples
{
  uint64_t inverse; /* 2^64 divided by the bytes of a slot, rounded up */
  uint64_t first;
};
extern const struct rt_multiples rt_class_multiples[RT_CLASS_SMALL]
  __attribute__ ((visibility ("hidden")));

/* Return the bytes of a new span for slots of class INDEX: 64 KiB, or more if
   needed to keep the unused end below an eighth and to have at least eight
   slots.  */
size_t rt_slots_span_bytes (unsigned index);

/* Return how the slots of class INDEX lie in a span of BYTES bytes.  */
struct rt_slots rt_slots_in (unsigned index, size_t bytes);

/* Return the distance between headers of class INDEX.  */
size_t rt_slot_header_step (unsigned index);

/* Return how many bytes a block in a slot of class INDEX may have.  */
size_t rt_slot_data_bytes (unsigned index);

#endif /* HEAPPROF_SLOTS_H */
