/* Storage of the details of a heap profile; private to it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HEAP_DETAIL_TABLES_H
#define HEAPPROF_HEAP_DETAIL_TABLES_H

#include "heap-details.h"
#include "heap-moments.h"
#include "heap-profile.h"
#include "heap-threads.h"
#include "record-table.h"
#include <libiberty/hashtab.h>
#include <stdlib.h>

/* A mark with its number.  */
struct numbered_mark
{
  struct heap_mark mark;
  uint32_t number;
};

/* The one with the greatest peak first.  */
struct heap_timelines
{
  uint32_t count;
  struct heap_timeline of[HEAP_TIMELINES_MAX + 1];
};

/* The one that allocated most first.  */
struct heap_threads
{
  uint32_t count;
  struct heap_thread *of; /* HEAP_THREADS_MAX + 1, malloced, or NULL */
  struct heap_thread others;
};

struct heap_details
{
  struct record_table histograms;
  struct record_table call_sites;
  struct record_table data_accesses;
  struct record_table types;
  struct record_table modules;
  struct record_table images;
  struct record_table affinities;
  struct record_table marks;
  struct record_table marked;
  struct heap_timelines timelines;
  struct heap_threads threads;
  htab_t histogram_index; /* NULL until something is added */
  htab_t call_site_index;
  htab_t data_access_index;
  htab_t type_index;
  htab_t module_index;
  htab_t image_index;
  htab_t affinity_index;
  htab_t mark_index;
  htab_t marked_index;
};

/* Return the record of TABLE that is equal to KEY.  If there is none, append a
   copy of KEY, enter it into *INDEX, which is created if it is NULL, and set
   *IS_NEW.  NULL if memory is exhausted.  */
void *heap_details_find_or_add (htab_t *index, htab_hash hash, htab_eq equal,
				struct record_table *table, const void *key,
				bool *is_new);

/* Swap TABLE and its INDEX with OTHER and OTHER_INDEX.  */
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

/* Free what TIMELINE owns.  */
static inline void
heap_timeline_free (struct heap_timeline *timeline)
{
  free (timeline->samples);
  free (timeline->marks);
  *timeline = (struct heap_timeline){ 0 };
}

void heap_details_init (struct heap_details *details);
void heap_details_free (struct heap_details *details);

/* Keep only the call sites for which KEEP, indexed by number, is true.  Return
   false if memory is exhausted; DETAILS is then unchanged.  */
bool heap_details_filter_call_sites (struct heap_details *details,
				     const bool *keep);

/* The same for modules.  */
bool heap_details_filter_modules (struct heap_details *details,
				  const bool *keep);

/* Merge SOURCE into DETAILS.  CONTEXTS and STRINGS map old ids to new ones.  */
bool heap_details_merge (struct heap_details *details,
			 const struct heap_details *source,
			 const uint32_t *contexts, const uint32_t *strings);

/* Merge the types of SOURCE, or its modules, into DETAILS.  STRINGS maps old
   ids to new ones.  */
bool heap_types_merge (struct heap_details *details,
		       const struct heap_details *source,
		       const uint32_t *strings);
bool heap_modules_merge (struct heap_details *details,
			 const struct heap_details *source,
			 const uint32_t *strings);

/* Merge the affinities of SOURCE into DETAILS.  CONTEXTS maps old ids to new
   ones.  */
bool heap_affinities_merge (struct heap_details *details,
			    const struct heap_details *source,
			    const uint32_t *contexts);

/* Multiply those of DETAILS by WEIGHT.  */
void heap_affinities_scale (struct heap_details *details, uint64_t weight);

/* Timelines and marks: as the functions of all details.  */
bool heap_moments_merge (struct heap_details *details,
			 const struct heap_details *source,
			 const uint32_t *contexts);
void heap_moments_scale (struct heap_details *details, uint64_t weight);

/* The same for threads.  */
bool heap_threads_merge (struct heap_details *details,
			 const struct heap_details *source);
void heap_threads_scale (struct heap_details *details, uint64_t weight);

/* Merge the paths of SOURCE into PROFILE.  STRINGS maps old ids to new
   ones.  */
bool heap_images_merge (struct heap_profile *profile,
			const struct heap_profile *source,
			const uint32_t *strings);

#endif /* HEAPPROF_HEAP_DETAIL_TABLES_H */
