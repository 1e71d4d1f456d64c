/* Merging and scaling the details of heap profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-detail-tables.h"
#include "heap-modules.h"
#include "heap-types.h"
#include "saturating.h"
#include <stdlib.h>

static bool
merge_data_access (struct heap_details *details,
		   const struct heap_data_access *source,
		   const uint32_t *strings)
{
  struct heap_data_access access = *source;
  access.symbol = strings[source->symbol];
  access.locations
    = malloc ((source->location_count + 1) * sizeof *access.locations);
  if (!access.locations)
    return false;
  for (uint32_t i = 0; i < source->location_count; i++)
    access.locations[i]
      = (struct heap_data_location){ strings[source->locations[i].file],
				     source->locations[i].line };
  bool done = heap_details_add_data_access (details, &access);
  free (access.locations);
  return done;
}

bool
heap_details_merge (struct heap_details *details,
		    const struct heap_details *source, const uint32_t *contexts,
		    const uint32_t *strings)
{
  bool done = true;
  for (uint32_t i = 0; done && i < source->histograms.count; i++)
    {
      const struct heap_histogram *histogram
	= heap_details_histogram_at (source, i);
      done = heap_details_add_histogram (details, contexts[histogram->context],
					 histogram->counts, histogram->count);
    }
  for (uint32_t i = 0; done && i < source->call_sites.count; i++)
    {
      struct heap_call_site site = *heap_details_call_site_at (source, i);
      site.context = contexts[site.context];
      done = heap_details_add_call_site (details, &site);
    }
  for (uint32_t i = 0; done && i < source->data_accesses.count; i++)
    done = merge_data_access (details, heap_details_data_access_at (source, i),
			      strings);
  return (done && heap_types_merge (details, source, strings)
	  && heap_modules_merge (details, source, strings)
	  && heap_affinities_merge (details, source, contexts)
	  && heap_moments_merge (details, source, contexts)
	  && heap_threads_merge (details, source));
}

static void
scale (uint64_t *count, uint64_t weight)
{
  *count = saturating_multiply (*count, weight);
}

void
heap_details_scale (struct heap_details *details, uint64_t weight)
{
  for (uint32_t i = 0; i < details->histograms.count; i++)
    {
      const struct heap_histogram *histogram
	= heap_details_histogram_at (details, i);
      for (uint32_t j = 0; j < histogram->count; j++)
	scale (&histogram->counts[j], weight);
    }
  for (uint32_t i = 0; i < details->data_accesses.count; i++)
    {
      struct heap_data_access *access
	= record_table_get (&details->data_accesses, i);
      scale (&access->access_count, weight);
    }
  heap_affinities_scale (details, weight);
  heap_moments_scale (details, weight);
  heap_threads_scale (details, weight);
}
