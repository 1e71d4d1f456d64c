/* The heapprof section: lifetimes in bytes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-lifetimes.h"
#include <inttypes.h>

/* Least bytes of a context in the file.  */
#define CONTEXT_BYTES 3

static bool
has_lifetimes (const struct memory_info *info)
{
  return info && (info->lifetime_bytes | info->first_alloc_bytes) != 0;
}

bool
heapprof_lifetimes_are_there (const struct heap_profile *profile)
{
  return heap_profile_read_totals (profile)->counted_runs > 0;
}

void
heapprof_lifetimes_write (struct byte_writer *writer,
			  const struct heap_profile *profile,
			  const struct canonical_order *order)
{
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  uint64_t count = 0;
  uint32_t before = 0;
  for (uint32_t i = 0; i < order->contexts.count; i++)
    count
      += has_lifetimes (heap_profile_info (profile, order->contexts.ids[i]));
  byte_writer_uleb128 (writer, totals->counted_runs);
  byte_writer_uleb128 (writer, totals->counted_bytes);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < order->contexts.count; i++)
    {
      const struct memory_info *info
	= heap_profile_info (profile, order->contexts.ids[i]);
      if (!has_lifetimes (info))
	continue;
      byte_writer_uleb128 (writer, i - before);
      byte_writer_uleb128 (writer, info->lifetime_bytes);
      byte_writer_uleb128 (writer, info->first_alloc_bytes);
      before = i;
    }
}

void
heapprof_lifetimes_read (struct byte_reader *reader,
			 struct heap_profile *profile,
			 const struct heapprof_details_maps *maps)
{
  static const char what[] = "the lifetimes";
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->counted_runs = byte_reader_uleb128 (reader, what);
  totals->counted_bytes = byte_reader_uleb128 (reader, what);
  uint64_t count = byte_reader_uleb128 (reader, what);
  uint64_t place = 0;
  byte_reader_need (reader, count, CONTEXT_BYTES, what);
  for (uint64_t i = 0; !reader->failed && i < count; i++)
    {
      size_t start = reader->position;
      uint64_t distance = byte_reader_uleb128 (reader, what);
      struct memory_info info
	= { .lifetime_bytes = byte_reader_uleb128 (reader, what) };
      info.first_alloc_bytes = byte_reader_uleb128 (reader, what);
      if (!reader->failed && distance >= maps->context_count - place)
	byte_reader_fail (reader, start,
			  "lifetimes: invalid context %" PRIu64
			  " (expected less than %" PRIu32 ")",
			  place + distance, maps->context_count);
      place += distance;
      if (!reader->failed
	  && !heap_profile_add_info (profile, maps->contexts[place], &info))
	byte_reader_fail_memory (reader);
    }
}
