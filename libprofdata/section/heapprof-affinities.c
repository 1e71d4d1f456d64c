/* The heapprof section: which contexts' blocks are used together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-affinities.h"
#include "heap-affinities.h"
#include <inttypes.h>
#include <stdlib.h>

bool
heapprof_affinities_are_there (const struct heap_profile *profile)
{
  return heap_details_affinity_count (heap_profile_read_details (profile)) > 0;
}

static int
compare_affinities (const void *element1, const void *element2)
{
  const struct heap_affinity *affinity1 = element1;
  const struct heap_affinity *affinity2 = element2;
  if (affinity1->first != affinity2->first)
    return affinity1->first < affinity2->first ? -1 : 1;
  return ((affinity1->second > affinity2->second)
	  - (affinity1->second < affinity2->second));
}

/* Store those of DETAILS in SORTED, with the numbers of contexts in ORDER.
   Return how many there are: a context without a MIB has no number.  */
static uint32_t
collect (struct heap_affinity *sorted, const struct heap_details *details,
	 const struct canonical_order *order)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < heap_details_affinity_count (details); i++)
    {
      struct heap_affinity affinity = *heap_details_affinity_at (details, i);
      const uint32_t first = order->contexts.places[affinity.first];
      const uint32_t second = order->contexts.places[affinity.second];
      affinity.first = first < second ? first : second;
      affinity.second = first < second ? second : first;
      if (affinity.first != 0)
	sorted[n++] = affinity;
    }
  if (n > 1)
    qsort (sorted, n, sizeof *sorted, compare_affinities);
  return n;
}

void
heapprof_affinities_write (struct byte_writer *writer,
			   const struct heap_profile *profile,
			   const struct canonical_order *order)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  struct heap_affinity *sorted
    = calloc ((size_t) heap_details_affinity_count (details) + 1,
	      sizeof *sorted);
  writer->failed |= !sorted;
  if (!sorted)
    return;
  const uint32_t count = collect (sorted, details, order);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    {
      byte_writer_uleb128 (writer, sorted[i].first);
      byte_writer_uleb128 (writer, sorted[i].second - sorted[i].first);
      byte_writer_uleb128 (writer, sorted[i].lines);
    }
  free (sorted);
}

static void
read_affinity (struct byte_reader *reader, struct heap_details *details,
	       const struct heapprof_details_maps *maps)
{
  static const char what[] = "an affinity";
  const size_t start = reader->position;
  const uint64_t first = byte_reader_uleb128 (reader, what);
  const uint64_t distance = byte_reader_uleb128 (reader, what);
  const uint64_t lines = byte_reader_uleb128 (reader, what);
  if (reader->failed)
    return;
  if (first >= maps->context_count || distance >= maps->context_count - first)
    byte_reader_fail (reader, start,
		      "affinity: invalid contexts %" PRIu64 " + %" PRIu64
		      " (expected less than %" PRIu32 ")",
		      first, distance, maps->context_count);
  else if (!heap_details_add_affinity (details, maps->contexts[first],
				       maps->contexts[first + distance], lines))
    byte_reader_fail_memory (reader);
}

void
heapprof_affinities_read (struct byte_reader *reader,
			  struct heap_profile *profile,
			  const struct heapprof_details_maps *maps)
{
  const uint64_t count = byte_reader_uleb128 (reader, "the affinities");
  byte_reader_need (reader, count, 3, "the affinities");
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    read_affinity (reader, heap_profile_details (profile), maps);
}
