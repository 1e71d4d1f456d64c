/* Spans: the pieces of address space that blocks are in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A span is a sequence of equal slots; a large block is a span of one slot.
   Every span starts on a 64 KiB boundary, and a table with an entry for each 64
   KiB of the address space maps an address to its span.  Records of spans are
   never unmapped, so looking up a span needs no lock.  */

#ifndef HEAPPROF_SPAN_H
#define HEAPPROF_SPAN_H

#include "address-space.h"
#include "lock.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_SPAN_PAGE_BYTES 65536u /* 1 << RT_SPAN_PAGE_SHIFT */

/* How the slots of a span lie in it.  */
struct rt_slots
{
  uint32_t count;
  uint32_t first_header; /* offset of that of the first slot */
  uint32_t header_step;	 /* from one to the next */
  uint32_t first_data;	 /* offset of the first slot's data */
  size_t bytes;		 /* from that to the next slot's */
  uint8_t size_class;
};

struct rt_span
{
  char *start;
  size_t bytes; /* of the mapping, 0 if the record is unused */
  struct rt_slots slots;
  uint32_t handed_out;	/* this many slots from the first may hold blocks */
  uint32_t next_unused; /* index + 1 of the next unused record, or of the next
			   span in a list of those without blocks */
};

/* Return the header of slot I.  */
static inline char *
rt_span_header (const struct rt_span *span, size_t i)
{
  return span->start + span->slots.first_header + i * span->slots.header_step;
}

/* Return the number of the slot whose data, or what follows it before the next
   slot's, is at ADDRESS; SIZE_MAX if there is none that may hold a block.  */
static inline size_t
rt_span_slot (const struct rt_span *span, uintptr_t address)
{
  const uintptr_t first = (uintptr_t) span->start + span->slots.first_data;
  if (address < first)
    return SIZE_MAX;
  const size_t slot = (address - first) / span->slots.bytes;
  return slot < span->handed_out ? slot : SIZE_MAX;
}

/* Guards the mappings of large blocks, which may go away: held when releasing
   or moving one, and when reading the headers of all blocks.  */
extern struct rt_lock rt_span_lock __attribute__ ((visibility ("hidden")));

/* No block is below this address, once spans are kept together.  */
extern uintptr_t rt_span_lowest __attribute__ ((visibility ("hidden")));

/* From now on, take addresses from one range as long as it has any, so that
   rt_span_lowest tells most other blocks from ours.  Call once, at start.  */
void rt_span_keep_together (void);

/* Store the limits of this range; both are 0 if there is none.  */
void rt_span_range (uintptr_t *start, uintptr_t *end);

/* Create a span of SLOTS in BYTES bytes, a multiple of RT_SPAN_PAGE_BYTES, all
   zero and none handed out.  NULL if memory is exhausted.  */
struct rt_span *rt_span_create (const struct rt_slots *slots, size_t bytes);

/* Create a span of one slot, that of SLOTS, in a mapping of its own, of at
   least BYTES bytes, a multiple of the page size.  Set *ZEROED to whether they
   are zero.  */
struct rt_span *rt_span_create_large (const struct rt_slots *slots,
				      size_t bytes, bool *zeroed);

/* Unmap the span of a large block, or keep its mapping for the next one.  DATA
   is its block's data.  */
void rt_span_destroy_large (struct rt_span *span, const void *data);

/* Unmap the mappings that are kept.  Return true if there were some.  */
bool rt_span_unmap_kept (void);

/* Resize the mapping of a large span to BYTES bytes; it may move.  DATA is its
   block's data, at the same offset from the start before and after.  */
bool rt_span_resize_large (struct rt_span *span, const void *data,
			   size_t bytes);

/* Enter DATA's page as belonging to a large SPAN.  The pages of other spans are
   entered when they are created.  */
bool rt_span_enter_large (struct rt_span *span, const void *data);

/* The table of the address space's pages of RT_SPAN_PAGE_BYTES: leaves of 4
   GiB. An entry is 0 for a page that is part of no span; otherwise its upper
   bits are the class of the span's slots.  */
#define RT_SPAN_CLASS_SHIFT 24
#define RT_SPAN_PAGE_SHIFT 16
#define RT_SPAN_LEAF_SHIFT 32
#define RT_SPAN_LEAF_ENTRIES (1u << (RT_SPAN_LEAF_SHIFT - RT_SPAN_PAGE_SHIFT))
#define RT_SPAN_ROOT_ENTRIES (1u << (MACHINE_ADDRESS_BITS - RT_SPAN_LEAF_SHIFT))

/* Emulators on other 64-bit machines give out 47 bits, more than some real ones
   have.  */
_Static_assert(MACHINE_ADDRESS_BITS >= 47, "emulators have more");

extern uint32_t *rt_span_leaves[RT_SPAN_ROOT_ENTRIES]
  __attribute__ ((visibility ("hidden")));

/* Return the entry of DATA's page: not 0 if that is part of a span, or of a
   mapping without a span.  The page of a large block counts only if its data
   starts there.  */
static inline uint32_t
rt_span_entry (const void *data)
{
  const uintptr_t bits = (uintptr_t) data;
  if (bits >> MACHINE_ADDRESS_BITS != 0)
    return 0;
  const uint32_t *const leaf
    = __atomic_load_n (&rt_span_leaves[bits >> RT_SPAN_LEAF_SHIFT],
		       __ATOMIC_ACQUIRE);
  return leaf == NULL ? 0
		      : __atomic_load_n (&leaf[bits >> RT_SPAN_PAGE_SHIFT
					       & (RT_SPAN_LEAF_ENTRIES - 1)],
					 __ATOMIC_ACQUIRE);
}

/* Return the span that holds the block with data at DATA; NULL if the address
   is not ours.  Set *APART if it is in a mapping without a span.  */
struct rt_span *rt_span_find (const void *data, bool *apart);

/* Return 1 + the index of the span that ADDRESS is in; 0 if it is not ours, in
   a mapping without a span, or in a large span on another page than its block's
   data starts on.  */
uint32_t rt_span_number (uintptr_t address);

/* Call VISIT for each mapping of a large block, used or kept.  The lock is
   held, or was when this process was forked.  */
void rt_span_visit_large (void (*visit) (uintptr_t start, uintptr_t end,
					 void *data),
			  void *data);

/* Mappings without a span, for use in signal handlers: take no lock.  */
void *rt_span_map_apart (size_t bytes);
bool rt_span_enter_apart (const void *data);
void rt_span_unmap_apart (void *start, size_t bytes, const void *data);

/* Return span INDEX, from 0; NULL if there are fewer.  */
struct rt_span *rt_span_at (uint32_t index);

size_t rt_span_mapped_bytes (void);

/* The maximum so far.  */
size_t rt_span_most_bytes (void);

/* True if the page table leads to the spans, and their records are valid.  With
   --enable-checking.  */
bool rt_span_is_valid (void);

#endif /* HEAPPROF_SPAN_H */
