/* The heapprof section: numbers that few contexts have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-columns.h"
#include <inttypes.h>

static uint64_t
number_at (const struct memory_info *info, size_t offset)
{
  return *(const uint64_t *) ((const char *) info + offset);
}

static bool
has_any (const struct memory_info *info, const struct heapprof_columns *columns)
{
  uint64_t bits = 0;
  for (size_t i = 0; info != NULL && i < columns->count; i++)
    bits |= number_at (info, columns->offsets[i]);
  return bits != 0;
}

void
heapprof_columns_write (struct byte_writer *writer,
			const struct heap_profile *profile,
			const struct canonical_order *order,
			const struct heapprof_columns *columns)
{
  uint64_t count = 0;
  uint32_t before = 0;
  for (uint32_t i = 0; i < order->contexts.count; i++)
    count
      += has_any (heap_profile_info (profile, order->contexts.ids[i]), columns);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < order->contexts.count; i++)
    {
      const struct memory_info *info
	= heap_profile_info (profile, order->contexts.ids[i]);
      if (!has_any (info, columns))
	continue;
      byte_writer_uleb128 (writer, i - before);
      for (size_t j = 0; j < columns->count; j++)
	byte_writer_uleb128 (writer, number_at (info, columns->offsets[j]));
      before = i;
    }
}

void
heapprof_columns_read (struct byte_reader *reader, struct heap_profile *profile,
		       const struct heapprof_details_maps *maps,
		       const struct heapprof_columns *columns)
{
  uint64_t count = byte_reader_uleb128 (reader, columns->what);
  uint64_t place = 0;
  byte_reader_need (reader, count, 1 + columns->count, columns->what);
  for (uint64_t i = 0; !reader->failed && i < count; i++)
    {
      struct memory_info info = { 0 };
      size_t start = reader->position;
      uint64_t distance = byte_reader_uleb128 (reader, columns->what);
      if (!reader->failed && distance >= maps->context_count - place)
	byte_reader_fail (reader, start,
			  "%s: invalid context %" PRIu64
			  " (expected less than %" PRIu32 ")",
			  columns->name, place + distance, maps->context_count);
      place += distance;
      for (size_t j = 0; j < columns->count; j++)
	*(uint64_t *) ((char *) &info + columns->offsets[j])
	  = byte_reader_uleb128 (reader, columns->what);
      if (!reader->failed
	  && !heap_profile_add_info (profile, maps->contexts[place], &info))
	byte_reader_fail_memory (reader);
    }
}
