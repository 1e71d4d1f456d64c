/* Spans: the pieces of address space that blocks are in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A span is a row of equal slots; a large block is a span of one slot.  Every
   span starts on a 64 KiB boundary, and a table with an entry for each 64 KiB
   of the address space leads from an address to its span.  Records of spans
   are never unmapped, so looking a span up needs no lock.  */

#ifndef HEAPPROF_SPAN_H
#define HEAPPROF_SPAN_H

#include "lock.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_SPAN_PAGE_BYTES 65536u

struct rt_span
{
  char *start;
  size_t bytes; /* of the mapping, 0 if the record is unused */
  size_t slot_bytes;
  uint32_t slot_count;
  uint32_t handed_out;	/* the first so many slots may hold blocks */
  uint32_t next_unused; /* index + 1 of the next unused record */
};

/* Guards mappings that may go away, those of large blocks: who releases or
   moves one holds it, and who reads the headers of all blocks.  */
extern struct rt_lock rt_span_lock __attribute__ ((visibility ("hidden")));

/* A new span of SLOT_COUNT slots of SLOT_BYTES bytes each, all zero and none
   handed out.  NULL if there is no memory.  */
struct rt_span *rt_span_create (size_t slot_bytes, uint32_t slot_count);

/* A span of one slot in a mapping of its own, of at least BYTES bytes, a
   multiple of the page size.  *ZEROED tells whether they are zero.  */
struct rt_span *rt_span_create_large (size_t bytes, bool *zeroed);

/* Unmap the span of a large block, or keep its mapping for the next one.  DATA
   is its block's data.  */
void rt_span_destroy_large (struct rt_span *span, const void *data);

/* Give the mapping of a large span BYTES bytes; it may move.  DATA is its
   block's data, at DATA - SPAN->start from the start before and after.  */
bool rt_span_resize_large (struct rt_span *span, const void *data,
			   size_t bytes);

/* Enter DATA's page as belonging to a large SPAN.  The pages of other spans
   are entered when they are created.  */
bool rt_span_enter_large (struct rt_span *span, const void *data);

/* Is DATA on a page that spans, or mappings without a span, begin or go on in?
   Pages of a large block count only if its data begins there.  */
bool rt_span_covers (const void *data);

/* The span that the block with data at DATA is in; NULL if the address is not
   ours.  *APART is set if it is a mapping without a span.  */
struct rt_span *rt_span_find (const void *data, bool *apart);

/* A mapping without a span, for use in signal handlers: takes no lock.  */
void *rt_span_map_apart (size_t bytes);
bool rt_span_enter_apart (const void *data);
void rt_span_unmap_apart (void *start, size_t bytes, const void *data);

/* Spans are numbered from 0; NULL if there are fewer.  */
struct rt_span *rt_span_at (uint32_t index);

size_t rt_span_mapped_bytes (void);

/* The most that it was.  */
size_t rt_span_most_bytes (void);

/* Does the page table lead to the spans, and are their records possible?  With
   --enable-checking.  */
bool rt_span_is_valid (void);

#endif /* HEAPPROF_SPAN_H */
