/* The record of one function in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   Counters are used directly from the bytes of the file.  */

#include "counter-record.h"
#include "counter-values.h"
#include "indexed-format.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "files are little-endian");
_Static_assert(sizeof (struct counter_value) == 16, "as in the file");

static const char what[] = "the record of a function";

static uint64_t
word (const uint8_t *words, size_t index)
{
  uint64_t value;
  memcpy (&value, words + index * sizeof value, sizeof value);
  return value;
}

/* Read a count and that many 64-bit numbers.  Set *N to the count.  */
static const uint8_t *
read_words (struct byte_reader *reader, uint32_t *n)
{
  size_t start = reader->position;
  uint64_t count = byte_reader_u64 (reader, what);
  *n = 0;
  if (!byte_reader_need (reader, count, 8, what))
    return NULL;
  if (count > UINT32_MAX)
    {
      byte_reader_fail (reader, start,
			"invalid counter count %" PRIu64 " (exceeds 32 bits)",
			count);
      return NULL;
    }
  *n = count;
  return byte_reader_bytes (reader, 8 * count, what);
}

static bool
read_bitmap (struct byte_reader *reader, struct counter_record *record)
{
  size_t start = reader->position;
  record->bitmap = read_words (reader, &record->shape.bitmap_bytes);
  if (reader->failed)
    return false;
  for (uint32_t i = 0; i < record->shape.bitmap_bytes; i++)
    if (word (record->bitmap, i) > UINT8_MAX)
      return byte_reader_fail (reader, start + 8 + 8 * (size_t) i,
			       "bitmap byte %" PRIu32 ": invalid value %" PRIu64
			       " (expected 0 to 255)",
			       i, word (record->bitmap, i));
  return true;
}

/* Read the values of one kind.  */
static bool
read_kind (struct byte_reader *reader, struct counter_record *record)
{
  size_t start = reader->position;
  uint32_t kind = byte_reader_u32 (reader, what);
  uint32_t sites = byte_reader_u32 (reader, what);
  if (reader->failed)
    return false;
  if (kind >= COUNTER_VALUE_KINDS)
    return byte_reader_fail (reader, start, "unknown value kind %" PRIu32,
			     kind);
  if (record->shape.site_counts[kind] != 0)
    return byte_reader_fail (reader, start, "duplicate value kind %" PRIu32,
			     kind);
  const uint8_t *counts = byte_reader_bytes (reader, sites, what);
  byte_reader_bytes (reader, -(reader->position - start) % 8, what);
  if (reader->failed)
    return false;
  uint64_t values = 0;
  for (uint32_t i = 0; i < sites; i++)
    values += counts[i];
  record->shape.site_counts[kind] = sites;
  record->kinds[kind].value_counts = counts;
  record->kinds[kind].values
    = byte_reader_bytes (reader, values * sizeof (struct counter_value), what);
  return !reader->failed;
}

static bool
read_values (struct byte_reader *reader, struct counter_record *record)
{
  static const char values[] = "the values of a function";
  size_t start = reader->position;
  /* Most functions have none: no kind in 8 bytes.  */
  if (byte_reader_u64 (reader, values) == 8 || reader->failed)
    return !reader->failed;
  reader->position = start;
  uint32_t bytes = byte_reader_u32 (reader, values);
  if (!reader->failed && (bytes < 8 || bytes % 8 != 0))
    return byte_reader_fail (reader, start,
			     "invalid size of function values: %" PRIu32
			     " bytes",
			     bytes);
  struct byte_reader part = byte_reader_part (reader, bytes - 4, values);
  uint32_t kinds = byte_reader_u32 (&part, values);
  if (!part.failed && kinds > COUNTER_VALUE_KINDS)
    byte_reader_fail (&part, start + 4,
		      "invalid number of value kinds %" PRIu32, kinds);
  for (uint32_t i = 0; i < kinds && !part.failed; i++)
    read_kind (&part, record);
  return byte_reader_join (reader, &part, values);
}

bool
counter_record_read (struct byte_reader *reader, unsigned int version,
		     struct counter_record *record)
{
  *record = (struct counter_record){ 0 };
  record->hash = byte_reader_u64 (reader, what);
  record->counters = read_words (reader, &record->shape.counter_count);
  if (reader->failed)
    return false;
  record->shape.is_pseudo = (record->shape.counter_count > 0
			     && counter_is_pseudo (word (record->counters, 0)));
  if (version >= INDEXED_VERSION_BITMAPS && !read_bitmap (reader, record))
    return false;
  return read_values (reader, record);
}

uint64_t
counter_record_counter (const struct counter_record *record, uint32_t index)
{
  return word (record->counters, index);
}

/* Add the values of KIND.  */
static bool
fold_values (const struct counter_record *record,
	     struct counter_profile *profile, struct counter_function *function,
	     enum counter_value_kind kind)
{
  struct counter_value values[INDEXED_SITE_VALUES];
  const uint8_t *from = record->kinds[kind].values;
  for (uint32_t i = 0; i < record->shape.site_counts[kind]; i++)
    {
      size_t n = record->kinds[kind].value_counts[i];
      memcpy (values, from, n * sizeof *values);
      from += n * sizeof *values;
      if (!counter_profile_add_values (profile, function, kind, i, values, n,
				       1))
	return false;
    }
  return true;
}

bool
counter_record_fold (const struct counter_record *record,
		     struct counter_profile *profile, uint32_t name)
{
  struct counter_function *function
    = counter_profile_add_function (profile, name, record->hash,
				    &record->shape);
  if (!function)
    return false;
  counter_function_add_counters (function, record->counters, 1);
  for (uint32_t i = 0; i < record->shape.bitmap_bytes; i++)
    counter_function_add_bits (function, i, word (record->bitmap, i));
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    if (record->shape.site_counts[kind] > 0
	&& !fold_values (record, profile, function, kind))
      return false;
  return true;
}

bool
counter_record_fold_plain (struct byte_reader *reader, unsigned int version,
			   struct counter_profile *profile, uint32_t name)
{
  /* Hash, number of counters, of bitmap bytes, and no values.  */
  enum
  {
    HEAD = 2,
    TAIL = 2
  };
  struct counter_function *function
    = counter_profile_first_function (profile, name);
  if (!function || version < INDEXED_VERSION_BITMAPS)
    return false;
  const struct counter_shape *shape = &function->shape;
  size_t n = shape->counter_count;
  const uint8_t *words = reader->data + reader->position;
  if (byte_reader_left (reader) != (HEAD + n + TAIL) * sizeof (uint64_t)
      || word (words, 0) != function->hash || word (words, 1) != n
      || word (words, HEAD + n) != 0 || word (words, HEAD + n + 1) != 8
      || shape->bitmap_bytes != 0
      || (shape->site_counts[COUNTER_CALL_TARGET]
	  | shape->site_counts[COUNTER_MEMOP_SIZE]
	  | shape->site_counts[COUNTER_VTABLE])
	   != 0
      || shape->is_pseudo || (n > 0 && counter_is_pseudo (word (words, HEAD))))
    return false;
  counter_function_add_counters (function, words + HEAD * sizeof (uint64_t), 1);
  reader->position = reader->end;
  return true;
}

/* ---- Writing.  */

static uint32_t
written_count (const struct counter_value_site *site)
{
  return site->count < INDEXED_SITE_VALUES ? site->count : INDEXED_SITE_VALUES;
}

/* Write the values of SITE.  Return how many were omitted.  */
static uint32_t
write_site (struct byte_writer *writer, const struct counter_value_site *site)
{
  if (site->count == 0)
    return 0;
  struct counter_value *sorted = counter_site_sorted (site);
  if (!sorted)
    {
      writer->failed = true;
      return 0;
    }
  byte_writer_bytes (writer, sorted, written_count (site) * sizeof *sorted);
  free (sorted);
  return site->count - written_count (site);
}

static uint64_t
write_kind (struct byte_writer *writer, enum counter_value_kind kind,
	    const struct counter_value_site *sites, uint32_t count)
{
  size_t start = writer->size;
  byte_writer_u32 (writer, kind);
  byte_writer_u32 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    byte_writer_u8 (writer, written_count (&sites[i]));
  while (!writer->failed && (writer->size - start) % 8 != 0)
    byte_writer_u8 (writer, 0);
  uint64_t left_out = 0;
  for (uint32_t i = 0; i < count; i++)
    left_out += write_site (writer, &sites[i]);
  return left_out;
}

static uint64_t
write_values (struct byte_writer *writer,
	      const struct counter_function *function)
{
  const uint32_t *counts = function->shape.site_counts;
  size_t start = writer->size;
  uint64_t kinds = 0;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    kinds += counts[kind] > 0;
  byte_writer_u64 (writer, 0); /* patched later */
  uint64_t left_out = 0;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    if (counts[kind] > 0)
      left_out
	+= write_kind (writer, kind, function->sites[kind], counts[kind]);
  byte_writer_patch_u64 (writer, start, (writer->size - start) | kinds << 32);
  return left_out;
}

uint64_t
counter_record_write (struct byte_writer *writer, unsigned int version,
		      const struct counter_function *function)
{
  const struct counter_shape *shape = &function->shape;
  byte_writer_u64 (writer, function->hash);
  byte_writer_u64 (writer, shape->counter_count);
  byte_writer_bytes (writer, function->counters,
		     shape->counter_count * sizeof *function->counters);
  if (version >= INDEXED_VERSION_BITMAPS)
    {
      byte_writer_u64 (writer, shape->bitmap_bytes);
      for (uint32_t i = 0; i < shape->bitmap_bytes; i++)
	byte_writer_u64 (writer, function->bitmap[i]);
    }
  return write_values (writer, function);
}
