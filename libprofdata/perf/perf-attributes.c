/* Event attributes of a recording, which define the layout of its records.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "perf-attributes.h"
#include "perf-events.h"
#include "perf-format.h"
#include <inttypes.h>
#include <stdlib.h>

/* Fields before an identifier that is not the first field of a sample.  */
#define BEFORE_ID                                                              \
  (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)

void
perf_attributes_release (struct perf_attributes *attributes)
{
  free (attributes->attributes);
  free (attributes->identifiers);
  *attributes = (struct perf_attributes){ 0 };
}

static struct perf_attribute *
add_attribute (struct perf_attributes *attributes, struct byte_reader *reader)
{
  if (attributes->count == attributes->capacity)
    {
      uint32_t capacity = attributes->capacity ? 2 * attributes->capacity : 4;
      void *grown = realloc (attributes->attributes,
			     capacity * sizeof *attributes->attributes);
      if (!grown)
	{
	  byte_reader_fail_memory (reader);
	  return NULL;
	}
      attributes->attributes = grown;
      attributes->capacity = capacity;
    }
  return &attributes->attributes[attributes->count++];
}

static bool
add_identifier (struct perf_attributes *attributes, uint64_t id,
		struct byte_reader *reader)
{
  if (attributes->identifier_count == attributes->identifier_capacity)
    {
      size_t capacity = attributes->identifier_capacity
			  ? 2 * attributes->identifier_capacity
			  : 16;
      void *grown = realloc (attributes->identifiers,
			     capacity * sizeof *attributes->identifiers);
      if (!grown)
	return byte_reader_fail_memory (reader);
      attributes->identifiers = grown;
      attributes->identifier_capacity = capacity;
    }
  attributes->identifiers[attributes->identifier_count++]
    = (struct perf_identifier){ id, attributes->count - 1 };
  attributes->is_sorted = false;
  return true;
}

bool
perf_attributes_read_identifiers (struct perf_attributes *attributes,
				  struct byte_reader *reader)
{
  while (byte_reader_left (reader) > 0)
    {
      uint64_t id = byte_reader_u64 (reader, "an identifier of an event");
      if (reader->failed || !add_identifier (attributes, id, reader))
	return false;
    }
  return !reader->failed;
}

/* Fill ATTRIBUTE from READER, which covers just the attribute.  */
static void
read_fields (struct perf_attribute *attribute, struct byte_reader *reader)
{
  static const char what[] = "the attribute of an event";
  attribute->type = byte_reader_u32 (reader, what);
  byte_reader_bytes (reader, 20, what);
  attribute->sample_type = byte_reader_u64 (reader, what);
  attribute->read_format = byte_reader_u64 (reader, what);
  attribute->flags = byte_reader_u64 (reader, what);
  byte_reader_bytes (reader, 24, what);
  /* Old kernels have nothing here.  */
  if (byte_reader_left (reader) >= 8)
    attribute->branch_type = byte_reader_u64 (reader, what);
  if (byte_reader_left (reader) >= 8)
    attribute->user_registers = byte_reader_u64 (reader, what);
  if (byte_reader_left (reader) >= 22)
    {
      byte_reader_bytes (reader, 20, what);
      attribute->caller_limit = byte_reader_u16 (reader, what);
    }
  if (attribute->caller_limit == 0)
    attribute->caller_limit = PERF_USUAL_CALLERS;
}

bool
perf_attributes_read (struct perf_attributes *attributes,
		      struct byte_reader *reader, bool has_identifiers)
{
  struct byte_reader size_reader = *reader;
  size_t start = reader->position;
  byte_reader_u32 (&size_reader, "the attribute of an event");
  uint32_t size = byte_reader_u32 (&size_reader, "the attribute of an event");
  reader->failed |= size_reader.failed;
  /* The first version of the structure has 0.  */
  if (size == 0)
    size = PERF_LEAST_ATTRIBUTE_BYTES;
  if (!reader->failed && size < PERF_LEAST_ATTRIBUTE_BYTES)
    byte_reader_fail (reader, start,
		      "invalid size %" PRIu32
		      " bytes of an event attribute (expected at "
		      "least %d)",
		      size, PERF_LEAST_ATTRIBUTE_BYTES);
  struct byte_reader fields
    = byte_reader_part (reader, size, "the attribute of an event");
  if (reader->failed)
    return false;
  struct perf_attribute *attribute = add_attribute (attributes, reader);
  if (!attribute)
    return false;
  *attribute = (struct perf_attribute){ 0 };
  read_fields (attribute, &fields);
  bool has_times = (attribute->sample_type & PERF_SAMPLE_TIME)
		   && (attribute->flags & PERF_SAMPLE_ID_ALL);
  attributes->has_times
    = has_times && (attributes->count == 1 || attributes->has_times);
  return !has_identifiers
	 || perf_attributes_read_identifiers (attributes, reader);
}

static int
compare_identifiers (const void *a, const void *b)
{
  const struct perf_identifier *x = a;
  const struct perf_identifier *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x->attribute < y->attribute ? -1 : x->attribute > y->attribute;
}

/* Return the attribute whose records have ID; the first attribute if none is
   known to have it.  */
static const struct perf_attribute *
find_attribute (struct perf_attributes *attributes, uint64_t id)
{
  if (!attributes->is_sorted && attributes->identifier_count > 0)
    qsort (attributes->identifiers, attributes->identifier_count,
	   sizeof *attributes->identifiers, compare_identifiers);
  attributes->is_sorted = true;
  size_t low = 0;
  size_t high = attributes->identifier_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (attributes->identifiers[middle].id < id)
	low = middle + 1;
      else
	high = middle;
    }
  bool is_known = low < attributes->identifier_count
		  && attributes->identifiers[low].id == id;
  return &attributes
	    ->attributes[is_known ? attributes->identifiers[low].attribute : 0];
}

/* Return the offset in bytes of the identifier in a sample of any attribute;
   SIZE_MAX if it differs between attributes.  */
static size_t
identifier_offset (const struct perf_attributes *attributes)
{
  uint64_t all = UINT64_MAX;
  uint64_t any = 0;
  for (uint32_t i = 0; i < attributes->count; i++)
    {
      all &= attributes->attributes[i].sample_type;
      any |= attributes->attributes[i].sample_type;
    }
  if (all & PERF_SAMPLE_IDENTIFIER)
    return 0;
  if (!(all & PERF_SAMPLE_ID) || (any & PERF_SAMPLE_IDENTIFIER)
      || (all & BEFORE_ID) != (any & BEFORE_ID))
    return SIZE_MAX;
  return 8 * (size_t) __builtin_popcountll (all & BEFORE_ID);
}

const struct perf_attribute *
perf_attributes_of_sample (struct perf_attributes *attributes,
			   const struct byte_reader *reader,
			   struct byte_reader *failed)
{
  if (attributes->count == 1)
    return &attributes->attributes[0];
  if (attributes->count == 0)
    {
      byte_reader_fail (failed, reader->position,
			"sample without an event attribute that "
			"describes it");
      return NULL;
    }
  size_t offset = identifier_offset (attributes);
  if (offset == SIZE_MAX)
    {
      byte_reader_fail (failed, reader->position,
			"samples of different events cannot be "
			"distinguished");
      return NULL;
    }
  struct byte_reader sample = *reader;
  byte_reader_bytes (&sample, offset, "a sample");
  uint64_t id = byte_reader_u64 (&sample, "a sample");
  failed->failed |= sample.failed;
  return sample.failed ? NULL : find_attribute (attributes, id);
}

uint64_t
perf_attributes_record_time (const struct perf_attributes *attributes,
			     const struct byte_reader *reader)
{
  /* Fields that may follow the time, 8 bytes each.  */
  static const uint64_t behind = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID
				 | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
  if (!attributes->has_times)
    return 0;
  uint64_t type = attributes->attributes[0].sample_type;
  size_t from_end = 8 + 8 * (size_t) __builtin_popcountll (type & behind);
  if (byte_reader_left (reader) < from_end)
    return 0;
  struct byte_reader end = *reader;
  byte_reader_bytes (&end, byte_reader_left (reader) - from_end, "a record");
  return byte_reader_u64 (&end, "the time of a record");
}
