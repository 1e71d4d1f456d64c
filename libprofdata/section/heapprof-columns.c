/* The heapprof section: numbers that few contexts have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-columns.h"
#include <inttypes.h>

/* Prefetch distance of MIBs.  */
#define LOOK_AHEAD 16

static uint64_t
number_at (const struct memory_info *info, size_t offset)
{
  return *(const uint64_t *) ((const char *) info + offset);
}

/* Prefetch the numbers of the MIB of CONTEXT: MIBs are scattered in memory.  */
static void
prefetch_numbers (const struct heap_profile *profile, uint32_t context,
		  const struct heapprof_columns *columns)
{
  const struct memory_info *info = heap_profile_info (profile, context);
  for (size_t i = 0; info != NULL && i < columns->count; i++)
    __builtin_prefetch ((const char *) info + columns->offsets[i]);
}

static bool
has_any (const struct memory_info *info, const struct heapprof_columns *columns)
{
  uint64_t bits = 0;
  for (size_t i = 0; info != NULL && i < columns->count; i++)
    bits |= number_at (info, columns->offsets[i]);
  return bits != 0;
}

/* Append the numbers of all contexts that have some to WRITER, and return how
   many these are.  */
static uint64_t
write_contexts (struct byte_writer *writer, const struct heap_profile *profile,
		const struct canonical_table *contexts,
		const struct heapprof_columns *columns)
{
  uint64_t count = 0;
  uint32_t before = 0;
  for (uint32_t i = 0; i < contexts->count; i++)
    {
      if (contexts->count - i > LOOK_AHEAD)
	prefetch_numbers (profile, contexts->ids[i + LOOK_AHEAD], columns);
      const struct memory_info *info
	= heap_profile_info (profile, contexts->ids[i]);
      if (!has_any (info, columns))
	continue;
      byte_writer_uleb128 (writer, i - before);
      for (size_t j = 0; j < columns->count; j++)
	byte_writer_uleb128 (writer, number_at (info, columns->offsets[j]));
      before = i;
      count++;
    }
  return count;
}

void
heapprof_columns_write (struct byte_writer *writer,
			const struct heap_profile *profile,
			const struct canonical_order *order,
			const struct heapprof_columns *columns)
{
  struct byte_writer numbers = { 0 };
  byte_writer_uleb128 (writer, write_contexts (&numbers, profile,
					       &order->contexts, columns));
  byte_writer_bytes (writer, numbers.data, numbers.size);
  writer->failed |= numbers.failed;
  byte_writer_free (&numbers);
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
