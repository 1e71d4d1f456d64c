/* How a heap profile keeps its details: private to it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_DETAIL_TABLES_H
#define HEAPPROF_HEAP_DETAIL_TABLES_H

#include "heap-details.h"
#include "heap-profile.h"
#include "record-table.h"
#include <libiberty/hashtab.h>

struct heap_details
{
  struct record_table histograms;
  struct record_table call_sites;
  struct record_table data_accesses;
  struct record_table types;
  struct record_table modules;
  struct record_table images;
  htab_t histogram_index; /* NULL until something is added */
  htab_t call_site_index;
  htab_t data_access_index;
  htab_t type_index;
  htab_t module_index;
  htab_t image_index;
};

/* The record of TABLE that is equal to KEY, made as a copy of that and entered
   into *INDEX, which is made if it is NULL, if there is none; *IS_NEW says so.
   NULL if memory cannot be had.  */
void *heap_details_find_or_add (htab_t *index, htab_hash hash, htab_eq equal,
				struct record_table *table, const void *key,
				bool *is_new);

/* Exchange TABLE, with its INDEX, and OTHER, with OTHER_INDEX.  */
static inline void
heap_details_swap (struct record_table *table, htab_t *index,
		   struct record_table *other, htab_t *other_index)
{
  struct record_table old_table = *table;
  htab_t old_index = *index;
  *table = *other;
  *index = *other_index;
  *other = old_table;
  *other_index = old_index;
}

void heap_details_init (struct heap_details *details);
void heap_details_free (struct heap_details *details);

/* Keep only the call sites for which KEEP is true, by number.  False if memory
   cannot be had; DETAILS is then unchanged.  */
bool heap_details_filter_call_sites (struct heap_details *details,
				     const bool *keep);

/* Likewise the modules.  */
bool heap_details_filter_modules (struct heap_details *details,
				  const bool *keep);

/* Fold SOURCE into DETAILS; CONTEXTS and STRINGS have the new ids by the
   old.  */
bool heap_details_merge (struct heap_details *details,
			 const struct heap_details *source,
			 const uint32_t *contexts, const uint32_t *strings);

/* Fold the types of SOURCE, or its modules, into DETAILS; STRINGS has the new
   ids by the old.  */
bool heap_types_merge (struct heap_details *details,
		       const struct heap_details *source,
		       const uint32_t *strings);
bool heap_modules_merge (struct heap_details *details,
			 const struct heap_details *source,
			 const uint32_t *strings);

/* Fold what SOURCE knows of paths into PROFILE, likewise.  */
bool heap_images_merge (struct heap_profile *profile,
			const struct heap_profile *source,
			const uint32_t *strings);

#endif /* HEAPPROF_HEAP_DETAIL_TABLES_H */
