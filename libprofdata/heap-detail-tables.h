/* How a heap profile keeps its details: private to it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_DETAIL_TABLES_H
#define HEAPPROF_HEAP_DETAIL_TABLES_H

#include "heap-details.h"
#include "record-table.h"
#include <libiberty/hashtab.h>

struct heap_details
{
  struct record_table histograms;
  struct record_table call_sites;
  struct record_table data_accesses;
  htab_t histogram_index;	/* NULL until something is added */
  htab_t call_site_index;
  htab_t data_access_index;
};

void heap_details_init (struct heap_details *details);
void heap_details_free (struct heap_details *details);

/* Keep only the call sites for which KEEP is true, by number.  False if memory
   cannot be had; DETAILS is then unchanged.  */
bool heap_details_filter_call_sites (struct heap_details *details,
				     const bool *keep);

/* Fold SOURCE into DETAILS; CONTEXTS and STRINGS have the new ids by the
   old.  */
bool heap_details_merge (struct heap_details *details,
			 const struct heap_details *source,
			 const uint32_t *contexts, const uint32_t *strings);

#endif /* HEAPPROF_HEAP_DETAIL_TABLES_H */
