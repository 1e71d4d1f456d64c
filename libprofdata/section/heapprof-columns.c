/* The heapprof section: numbers that few contexts have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-columns.h"
#include "heap-profile-fill.h"
#include <inttypes.h>

/* Prefetch distance of MIBs.  */
#define LOOK_AHEAD 16

/* Prefetch the numbers of the MIB at PLACE: MIBs are scattered in memory.  */
static void
prefetch_numbers (struct info_place place,
		  const struct heapprof_columns *columns,
		  const struct brief_field *fields)
{
  const bool is_brief = info_place_is_brief (place);
  const char *bytes = (const char *) (place.address - is_brief);
  for (size_t i = 0; bytes != NULL && i < columns->count; i++)
    __builtin_prefetch (bytes
			+ (is_brief ? fields[i].offset : columns->offsets[i]));
}

/* Read the numbers of the MIB at PLACE.  Return false if all are 0.  */
static bool
read_numbers (struct info_place place, const struct heapprof_columns *columns,
	      const struct brief_field *fields, uint64_t *numbers)
{
  uint64_t bits = 0;
  if (!info_place_is_known (place))
    return false;
  for (size_t i = 0; i < columns->count; i++)
    {
      numbers[i]
	= info_place_is_brief (place)
	    ? brief_info_number (info_place_brief (place), fields[i])
	    : *(const uint64_t *) (place.address + columns->offsets[i]);
      bits |= numbers[i];
    }
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
  const struct heap_profile_infos infos = heap_profile_infos (profile);
  struct brief_field fields[HEAPPROF_COLUMNS_MAX];
  uint64_t numbers[HEAPPROF_COLUMNS_MAX];
  for (size_t i = 0; i < columns->count; i++)
    fields[i] = brief_info_field (columns->offsets[i]);
  for (uint32_t i = 0; i < contexts->count; i++)
    {
      if (contexts->count - i > LOOK_AHEAD)
	prefetch_numbers (heap_infos_place (&infos,
					    contexts->ids[i + LOOK_AHEAD]),
			  columns, fields);
      if (!read_numbers (heap_infos_place (&infos, contexts->ids[i]), columns,
			 fields, numbers))
	continue;
      byte_writer_uleb128 (writer, i - before);
      for (size_t j = 0; j < columns->count; j++)
	byte_writer_uleb128 (writer, numbers[j]);
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
