/* The heapprof section: lost blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-leaks.h"
#include <inttypes.h>

/* Least bytes of a context in the file.  */
#define CONTEXT_BYTES 5

static bool
is_lossy (const struct memory_info *info)
{
  return info
	 && (info->lost_count | info->lost_bytes | info->indirect_count
	     | info->indirect_bytes)
	      != 0;
}

bool
heapprof_leaks_are_there (const struct heap_profile *profile)
{
  return heap_profile_read_totals (profile)->searched_runs > 0;
}

void
heapprof_leaks_write (struct byte_writer *writer,
		      const struct heap_profile *profile,
		      const struct canonical_order *order)
{
  uint64_t count = 0;
  uint32_t before = 0;
  for (uint32_t i = 0; i < order->contexts.count; i++)
    count += is_lossy (heap_profile_info (profile, order->contexts.ids[i]));
  byte_writer_uleb128 (writer,
		       heap_profile_read_totals (profile)->searched_runs);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < order->contexts.count; i++)
    {
      const struct memory_info *info
	= heap_profile_info (profile, order->contexts.ids[i]);
      if (!is_lossy (info))
	continue;
      byte_writer_uleb128 (writer, i - before);
      byte_writer_uleb128 (writer, info->lost_count);
      byte_writer_uleb128 (writer, info->lost_bytes);
      byte_writer_uleb128 (writer, info->indirect_count);
      byte_writer_uleb128 (writer, info->indirect_bytes);
      before = i;
    }
}

void
heapprof_leaks_read (struct byte_reader *reader, struct heap_profile *profile,
		     const struct heapprof_details_maps *maps)
{
  static const char what[] = "the leaks";
  heap_profile_totals (profile)->searched_runs
    = byte_reader_uleb128 (reader, what);
  uint64_t count = byte_reader_uleb128 (reader, what);
  uint64_t place = 0;
  byte_reader_need (reader, count, CONTEXT_BYTES, what);
  for (uint64_t i = 0; !reader->failed && i < count; i++)
    {
      size_t start = reader->position;
      uint64_t distance = byte_reader_uleb128 (reader, what);
      struct memory_info info
	= { .lost_count = byte_reader_uleb128 (reader, what) };
      info.lost_bytes = byte_reader_uleb128 (reader, what);
      info.indirect_count = byte_reader_uleb128 (reader, what);
      info.indirect_bytes = byte_reader_uleb128 (reader, what);
      if (!reader->failed && distance >= maps->context_count - place)
	byte_reader_fail (reader, start,
			  "leaks: invalid context %" PRIu64
			  " (expected less than %" PRIu32 ")",
			  place + distance, maps->context_count);
      place += distance;
      if (!reader->failed
	  && !heap_profile_add_info (profile, maps->contexts[place], &info))
	byte_reader_fail_memory (reader);
    }
}
