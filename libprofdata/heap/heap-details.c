/* Details of heap profiles besides calling contexts and their MIBs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-detail-tables.h"
#include "heap-affinities.h"
#include "heap-images.h"
#include "heap-modules.h"
#include "heap-types.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

void
heap_details_init (struct heap_details *details)
{
  memset (details, 0, sizeof *details);
  record_table_init (&details->histograms, sizeof (struct heap_histogram));
  record_table_init (&details->call_sites, sizeof (struct heap_call_site));
  record_table_init (&details->data_accesses, sizeof (struct heap_data_access));
  record_table_init (&details->types, sizeof (struct heap_type));
  record_table_init (&details->modules, sizeof (struct heap_module));
  record_table_init (&details->images, sizeof (struct heap_image));
  record_table_init (&details->affinities, sizeof (struct heap_affinity));
  record_table_init (&details->marks, sizeof (struct numbered_mark));
  record_table_init (&details->marked, sizeof (struct heap_marked));
}

static void
free_index (htab_t index)
{
  if (index)
    htab_delete (index);
}

void
heap_details_free (struct heap_details *details)
{
  for (uint32_t i = 0; i < details->histograms.count; i++)
    free (heap_details_histogram_at (details, i)->counts);
  for (uint32_t i = 0; i < details->call_sites.count; i++)
    free (heap_details_call_site_at (details, i)->callees);
  for (uint32_t i = 0; i < details->data_accesses.count; i++)
    free (heap_details_data_access_at (details, i)->locations);
  for (uint32_t i = 0; i < details->types.count; i++)
    {
      struct heap_type *type = record_table_get (&details->types, i);
      free (type->members);
    }
  free_index (details->histogram_index);
  free_index (details->call_site_index);
  free_index (details->data_access_index);
  free_index (details->type_index);
  free_index (details->module_index);
  free_index (details->image_index);
  free_index (details->affinity_index);
  free_index (details->mark_index);
  free_index (details->marked_index);
  record_table_free (&details->histograms);
  record_table_free (&details->call_sites);
  record_table_free (&details->data_accesses);
  record_table_free (&details->types);
  record_table_free (&details->modules);
  record_table_free (&details->images);
  record_table_free (&details->affinities);
  for (uint32_t i = 0; i < details->timelines.count; i++)
    heap_timeline_free (&details->timelines.of[i]);
  free (details->threads.of);
  record_table_free (&details->marks);
  record_table_free (&details->marked);
}

/* ---- Finding records by their keys.  */

static hashval_t
hash_histogram (const void *record)
{
  const struct heap_histogram *histogram = record;
  return iterative_hash (&histogram->context, sizeof histogram->context, 0);
}

static int
equal_histogram (const void *record1, const void *record2)
{
  const struct heap_histogram *histogram1 = record1;
  const struct heap_histogram *histogram2 = record2;
  return histogram1->context == histogram2->context;
}

static hashval_t
hash_call_site (const void *record)
{
  const struct heap_call_site *site = record;
  const uint64_t key[] = { site->function_guid, site->context };
  return iterative_hash (key, sizeof key, 0);
}

static int
equal_call_site (const void *record1, const void *record2)
{
  const struct heap_call_site *site1 = record1;
  const struct heap_call_site *site2 = record2;
  return (site1->function_guid == site2->function_guid
	  && site1->context == site2->context);
}

static hashval_t
hash_data_access (const void *record)
{
  const struct heap_data_access *access = record;
  const uint64_t key[]
    = { access->symbol, access->symbol == 0 ? access->hash : 0 };
  return iterative_hash (key, sizeof key, 0);
}

static int
equal_data_access (const void *record1, const void *record2)
{
  const struct heap_data_access *access1 = record1;
  const struct heap_data_access *access2 = record2;
  return (access1->symbol == access2->symbol
	  && (access1->symbol != 0 || access1->hash == access2->hash));
}

void *
heap_details_find_or_add (htab_t *index, htab_hash hash, htab_eq equal,
			  struct record_table *table, const void *key,
			  bool *is_new)
{
  if (!*index)
    *index = htab_try_create (30, hash, equal, NULL);
  if (!*index)
    return NULL;
  void **slot = htab_find_slot (*index, key, INSERT);
  *is_new = slot && !*slot;
  if (*is_new)
    {
      /* The key must be in place before the index grows again.  Without a
	 record the slot stays empty; htab_clear_slot cannot be used on an empty
	 slot.  */
      *slot = record_table_add (table);
      if (*slot)
	memcpy (*slot, key, table->record_bytes);
    }
  return slot ? *slot : NULL;
}

/* ---- Histograms.  */

bool
heap_details_add_histogram (struct heap_details *details, uint32_t context,
			    const uint64_t *counts, uint32_t n)
{
  const struct heap_histogram key = { .context = context };
  bool is_new;
  struct heap_histogram *histogram
    = heap_details_find_or_add (&details->histogram_index, hash_histogram,
				equal_histogram, &details->histograms, &key,
				&is_new);
  if (!histogram)
    return false;
  if (n > histogram->count)
    {
      uint64_t *longer = realloc (histogram->counts, n * sizeof *longer);
      if (!longer)
	return false;
      memset (longer + histogram->count, 0,
	      (n - histogram->count) * sizeof *longer);
      histogram->counts = longer;
      histogram->count = n;
    }
  for (uint32_t i = 0; i < n; i++)
    {
      uint64_t *count = &histogram->counts[i];
      *count = saturating_add (*count, counts[i]);
    }
  return true;
}

const struct heap_histogram *
heap_details_histogram (const struct heap_details *details, uint32_t context)
{
  const struct heap_histogram key = { .context = context };
  return details->histogram_index ? htab_find (details->histogram_index, &key)
				  : NULL;
}

uint32_t
heap_details_histogram_count (const struct heap_details *details)
{
  return details->histograms.count;
}

uint32_t
heap_details_call_site_count (const struct heap_details *details)
{
  return details->call_sites.count;
}

uint32_t
heap_details_data_access_count (const struct heap_details *details)
{
  return details->data_accesses.count;
}

const struct heap_histogram *
heap_details_histogram_at (const struct heap_details *details, uint32_t number)
{
  return record_table_get (&details->histograms, number);
}

/* ---- Call sites.  */

static int
compare_guids (const void *element1, const void *element2)
{
  uint64_t guid1 = *(const uint64_t *) element1;
  uint64_t guid2 = *(const uint64_t *) element2;
  return (guid1 > guid2) - (guid1 < guid2);
}

/* Replace *ELEMENTS, *COUNT sorted records of RECORD_BYTES, by the sorted union
   of these and the N records at MORE.  */
static bool
join_sets (void **elements, uint32_t *count, const void *more, uint32_t n,
	   size_t record_bytes, int (*compare) (const void *, const void *))
{
  if (n == 0)
    return true;
  char *set = realloc (*elements, ((size_t) *count + n) * record_bytes);
  if (!set)
    return false;
  *elements = set;
  memcpy (set + *count * record_bytes, more, n * record_bytes);
  size_t all = (size_t) *count + n;
  qsort (set, all, record_bytes, compare);
  size_t kept = 1;
  for (size_t i = 1; i < all; i++)
    {
      const char *element = set + i * record_bytes;
      if (compare (element, set + (kept - 1) * record_bytes) != 0)
	memmove (set + kept++ * record_bytes, element, record_bytes);
    }
  *count = kept;
  return true;
}

bool
heap_details_add_call_site (struct heap_details *details,
			    const struct heap_call_site *site)
{
  const struct heap_call_site key
    = { .function_guid = site->function_guid, .context = site->context };
  bool is_new;
  struct heap_call_site *record
    = heap_details_find_or_add (&details->call_site_index, hash_call_site,
				equal_call_site, &details->call_sites, &key,
				&is_new);
  if (!record)
    return false;
  void *callees = record->callees;
  bool done
    = join_sets (&callees, &record->callee_count, site->callees,
		 site->callee_count, sizeof *site->callees, compare_guids);
  record->callees = callees;
  return done;
}

const struct heap_call_site *
heap_details_call_site_at (const struct heap_details *details, uint32_t number)
{
  return record_table_get (&details->call_sites, number);
}

bool
heap_details_filter_call_sites (struct heap_details *details, const bool *keep)
{
  struct heap_details kept;
  heap_details_init (&kept);
  bool done = true;
  for (uint32_t i = 0; done && i < details->call_sites.count; i++)
    if (keep[i])
      done
	= heap_details_add_call_site (&kept,
				      heap_details_call_site_at (details, i));
  if (done)
    heap_details_swap (&details->call_sites, &details->call_site_index,
		       &kept.call_sites, &kept.call_site_index);
  heap_details_free (&kept);
  return done;
}

/* ---- Static data.  */

static int
compare_locations (const void *element1, const void *element2)
{
  const struct heap_data_location *location1 = element1;
  const struct heap_data_location *location2 = element2;
  if (location1->file != location2->file)
    return location1->file < location2->file ? -1 : 1;
  return ((location1->line > location2->line)
	  - (location1->line < location2->line));
}

bool
heap_details_add_data_access (struct heap_details *details,
			      const struct heap_data_access *access)
{
  const struct heap_data_access key
    = { .symbol = access->symbol,
	.hash = access->symbol == 0 ? access->hash : 0 };
  bool is_new;
  struct heap_data_access *record
    = heap_details_find_or_add (&details->data_access_index, hash_data_access,
				equal_data_access, &details->data_accesses,
				&key, &is_new);
  if (!record)
    return false;
  record->is_sampled |= access->is_sampled;
  record->is_cold |= access->is_cold;
  record->access_count
    = saturating_add (record->access_count, access->access_count);
  void *locations = record->locations;
  bool done = join_sets (&locations, &record->location_count, access->locations,
			 access->location_count, sizeof *access->locations,
			 compare_locations);
  record->locations = locations;
  return done;
}

const struct heap_data_access *
heap_details_data_access_at (const struct heap_details *details,
			     uint32_t number)
{
  return record_table_get (&details->data_accesses, number);
}
