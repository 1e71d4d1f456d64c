/* Reading GCC's data files (.gcda).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-data.h"
#include "gcov-format.h"
#include "gcov-unit.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct data_reader
{
  struct byte_reader bytes;
  struct gcov_unit *unit;
  unsigned int major;
  uint64_t counters_left; /* that may still be read */
  uint32_t function_capacity;
  bool in_function; /* counters may follow */
};

bool
gcov_data_has_magic (const void *data, size_t n)
{
  struct profile_error err;
  struct byte_reader reader;
  if (n < 4)
    return false;
  byte_reader_init (&reader, NULL, data, n, &err);
  uint32_t magic = gcov_format_read_magic (&reader);
  return magic == GCOV_FORMAT_DATA_MAGIC || magic == GCOV_FORMAT_NAME_MAGIC;
}

static bool
count_counters (struct data_reader *reader, uint64_t n, size_t start)
{
  if (n > reader->counters_left)
    return byte_reader_fail (&reader->bytes, start,
			     "invalid counter count %" PRIu64
			     " (more than the file can hold)",
			     n);
  reader->counters_left -= n;
  return true;
}

/* Read the targets of SITE.  PART is the rest of the vector.  */
static bool
read_site (struct byte_reader *part, struct gcov_site *site)
{
  size_t start = part->position;
  site->total = gcov_format_read_counter (part, "a site");
  int64_t count = gcov_format_read_counter (part, "a site");
  if (count < 0 || count > UINT32_MAX)
    return byte_reader_fail (part, start,
			     "invalid value count %" PRIi64 " at a site",
			     count);
  if (!byte_reader_need (part, count, 16, "the values of a site"))
    return false;
  site->targets = malloc ((count + 1) * sizeof *site->targets);
  if (!site->targets)
    return byte_reader_fail_memory (part);
  site->target_count = count;
  for (int64_t i = 0; i < count; i++)
    {
      site->targets[i].value = gcov_format_read_counter (part, "a value");
      site->targets[i].count = gcov_format_read_counter (part, "a value");
    }
  return !part->failed;
}

/* Return how many sites there are up to the end of PART, including the first
   damaged one.  */
static uint32_t
count_sites (struct byte_reader part)
{
  struct profile_error ignored;
  uint32_t count = 0;
  part.err = &ignored;
  while (!part.failed && byte_reader_left (&part) > 0)
    {
      gcov_format_read_counter (&part, "");
      uint64_t targets = gcov_format_read_counter (&part, "");
      if (byte_reader_need (&part, targets, 16, ""))
	part.position += targets * 16;
      count++;
    }
  return count;
}

/* Read sites up to the end of PART into VECTOR.  */
static bool
read_sites (struct byte_reader *part, struct gcov_vector *vector)
{
  vector->sites
    = calloc (count_sites (*part) + (size_t) 1, sizeof *vector->sites);
  if (!vector->sites)
    return byte_reader_fail_memory (part);
  while (!part->failed && byte_reader_left (part) > 0)
    read_site (part, &vector->sites[vector->count++]);
  return !part->failed;
}

static bool
read_counters (struct byte_reader *part, struct gcov_vector *vector)
{
  vector->count = byte_reader_left (part) / 8;
  if (vector->count == 0)
    return true;
  vector->counters = malloc (vector->count * sizeof *vector->counters);
  if (!vector->counters)
    return byte_reader_fail_memory (part);
  for (uint32_t i = 0; i < vector->count; i++)
    vector->counters[i] = gcov_format_read_counter (part, "a counter");
  return !part->failed;
}

/* Append a vector of KIND to the last function.  NULL if memory is
   exhausted.  */
static struct gcov_vector *
add_vector (struct data_reader *reader, enum gcov_kind kind)
{
  struct gcov_unit *unit = reader->unit;
  struct gcov_function *function = &unit->functions[unit->function_count - 1];
  struct gcov_vector *vectors
    = realloc (function->vectors,
	       (function->vector_count + 1) * sizeof *vectors);
  if (!vectors)
    {
      byte_reader_fail_memory (&reader->bytes);
      return NULL;
    }
  function->vectors = vectors;
  struct gcov_vector *vector = &vectors[function->vector_count++];
  *vector = (struct gcov_vector){ .kind = kind };
  return vector;
}

/* Read the vector of KIND of the last function, whose record started at START
   and has LENGTH.  */
static bool
read_vector (struct data_reader *reader, uint32_t kind, uint32_t length,
	     size_t start)
{
  struct byte_reader *bytes = &reader->bytes;
  const struct gcov_unit *unit = reader->unit;
  if (!reader->in_function)
    return byte_reader_fail (bytes, start, "counters outside a function");
  const struct gcov_function *function
    = &unit->functions[unit->function_count - 1];
  uint32_t n = function->vector_count;
  if (n > 0 && function->vectors[n - 1].kind >= kind)
    return byte_reader_fail (bytes, start,
			     "counters of kind %u after those of kind %u", kind,
			     function->vectors[n - 1].kind);
  unsigned int scale = gcov_format_has_words (reader->major) ? 4 : 1;
  bool is_negated = (int32_t) length < 0 && !gcov_kind_has_sites (kind);
  uint64_t size = (uint64_t) (is_negated ? -length : length) * scale;
  if (size % 8 != 0)
    return byte_reader_fail (bytes, start,
			     "invalid counter size %" PRIu64
			     " bytes (expected a multiple of 8)",
			     size);
  if (!count_counters (reader, size / 8, start))
    return false;
  struct gcov_vector *vector = add_vector (reader, kind);
  if (!vector)
    return false;
  if (is_negated)
    {
      vector->count = size / 8;
      return true;
    }
  struct byte_reader part = byte_reader_part (bytes, size, "counters");
  if (gcov_kind_has_sites (kind))
    read_sites (&part, vector);
  else
    read_counters (&part, vector);
  return byte_reader_join (bytes, &part, "counters");
}

static bool
read_function (struct data_reader *reader, uint64_t size, size_t start)
{
  struct byte_reader *bytes = &reader->bytes;
  struct gcov_unit *unit = reader->unit;
  reader->in_function = size != 0;
  uint32_t position = unit->position_count++;
  if (size == 0)
    return true;
  if (size != 12)
    return byte_reader_fail (bytes, start,
			     "invalid function record size %" PRIu64
			     " bytes (expected 12)",
			     size);
  if (unit->function_count == reader->function_capacity)
    {
      uint32_t capacity = unit->function_count + unit->function_count / 2 + 8;
      struct gcov_function *functions
	= realloc (unit->functions, capacity * sizeof *functions);
      if (!functions)
	return byte_reader_fail_memory (bytes);
      unit->functions = functions;
      reader->function_capacity = capacity;
    }
  struct gcov_function *function = &unit->functions[unit->function_count++];
  *function = (struct gcov_function){ .position = position };
  function->ident = byte_reader_u32 (bytes, "a function");
  function->lineno_checksum = byte_reader_u32 (bytes, "a function");
  function->cfg_checksum = byte_reader_u32 (bytes, "a function");
  return !bytes->failed;
}

static bool
read_summary (struct data_reader *reader, uint64_t size, size_t start)
{
  struct byte_reader *bytes = &reader->bytes;
  struct gcov_unit *unit = reader->unit;
  if (size != 8)
    return byte_reader_fail (bytes, start,
			     "invalid summary size %" PRIu64
			     " bytes (expected 8)",
			     size);
  if (unit->has_summary || unit->position_count > 0)
    return byte_reader_fail (bytes, start, "summary is not the first record");
  unit->has_summary = true;
  unit->runs = byte_reader_u32 (bytes, "the summary");
  unit->sum_max = byte_reader_u32 (bytes, "the summary");
  return !bytes->failed;
}

/* Read a record.  Return false at the end, and if READER fails.  */
static bool
read_record (struct data_reader *reader)
{
  struct byte_reader *bytes = &reader->bytes;
  size_t start = bytes->position;
  uint32_t tag = byte_reader_u32 (bytes, "the tag of a record");
  if (tag == GCOV_FORMAT_END)
    return false;
  uint32_t length = byte_reader_u32 (bytes, "the length of a record");
  if (bytes->failed)
    return false;
  uint64_t size = length;
  if (gcov_format_has_words (reader->major))
    size *= 4;
  if (tag == GCOV_FORMAT_FUNCTION)
    return read_function (reader, size, start);
  if (tag == GCOV_FORMAT_SUMMARY)
    return read_summary (reader, size, start);
  uint32_t kind = (tag - GCOV_FORMAT_COUNTERS) >> GCOV_FORMAT_KIND_SHIFT;
  if (tag >= GCOV_FORMAT_COUNTERS
      && kind <= gcov_format_last_kind (reader->major)
      && tag == GCOV_FORMAT_COUNTERS + (kind << GCOV_FORMAT_KIND_SHIFT))
    return read_vector (reader, kind, length, start);
  return byte_reader_fail (bytes, start, "unknown record tag 0x%08x", tag);
}

/* Read what follows the magic of a data file into the empty unit.  */
static bool
read_unit (struct data_reader *reader)
{
  struct byte_reader *bytes = &reader->bytes;
  struct gcov_unit *unit = reader->unit;
  reader->function_capacity = 0;
  reader->in_function = false;
  reader->major = gcov_format_read_version (bytes, &unit->version);
  unit->is_big_endian = bytes->big_endian;
  unit->stamp = byte_reader_u32 (bytes, "the header");
  if (!gcov_format_has_words (reader->major))
    unit->checksum = byte_reader_u32 (bytes, "the header");
  while (!bytes->failed && read_record (reader))
    ;
  return !bytes->failed;
}

/* Read a data file, with its naming header if there is one, and add it to
   PROFILE.  */
static bool
read_file (struct data_reader *reader, struct gcov_profile *profile,
	   const char *unit_path)
{
  struct byte_reader *bytes = &reader->bytes;
  size_t start = bytes->position;
  uint32_t magic = gcov_format_read_magic (bytes);
  if (magic == GCOV_FORMAT_NAME_MAGIC)
    {
      uint32_t version;
      unsigned int major = gcov_format_read_version (bytes, &version);
      unit_path = gcov_format_read_string (bytes, major, "the file's name");
      start = bytes->position;
      magic = gcov_format_read_magic (bytes);
    }
  if (bytes->failed)
    return false;
  if (magic != GCOV_FORMAT_DATA_MAGIC)
    return byte_reader_fail (bytes, start, "not a GCC data file: magic 0x%08x",
			     magic);
  if (!unit_path)
    unit_path = "";
  reader->unit = calloc (1, sizeof *reader->unit);
  if (reader->unit)
    reader->unit->path = gcov_copy_text (unit_path, strlen (unit_path));
  if (!reader->unit || !reader->unit->path)
    byte_reader_fail_memory (bytes);
  else
    read_unit (reader);
  if (bytes->failed)
    gcov_unit_free (reader->unit);
  else if (!gcov_profile_add (profile, reader->unit))
    byte_reader_fail_memory (bytes);
  return !bytes->failed;
}

/* Return true if a header with a name comes next.  */
static bool
is_stream (const struct byte_reader *reader)
{
  struct profile_error err;
  struct byte_reader ahead = *reader;
  ahead.err = &err;
  return gcov_format_read_magic (&ahead) == GCOV_FORMAT_NAME_MAGIC;
}

bool
gcov_data_parse (struct gcov_profile *profile, const char *path,
		 const char *unit_path, const void *data, size_t size,
		 struct profile_error *err)
{
  struct data_reader reader
    = { .counters_left = GCOV_DATA_MOST_COUNTERS (size) };
  struct byte_reader *bytes = &reader.bytes;
  byte_reader_init (bytes, path, data, size, err);
  do
    {
      bool is_named = is_stream (bytes);
      if (!read_file (&reader, profile, unit_path))
	return false;
      if (!is_named && byte_reader_left (bytes) > 0)
	return byte_reader_fail (bytes, bytes->position,
				 "%zu extra bytes at the end of the file",
				 byte_reader_left (bytes));
    }
  while (byte_reader_left (bytes) > 0);
  return true;
}
