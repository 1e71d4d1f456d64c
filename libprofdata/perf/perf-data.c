/* perf.data: the file that `perf record' writes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "perf-data.h"
#include "byte-reader.h"
#include "perf-format.h"
#include "perf-progress.h"
#include "perf-records.h"
#include "perf-stream.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct section
{
  uint64_t offset;
  uint64_t bytes;
};

struct reading
{
  struct perf_records records;
  struct perf_stream *stream; /* of compressed records; NULL: none so far */
};

/* Return the magic number, read as little-endian; 0 if DATA is too short.  */
static uint64_t
magic_of (const void *data, size_t n)
{
  uint64_t magic = 0;
  if (n >= sizeof magic)
    memcpy (&magic, data, sizeof magic);
  return le64toh (magic);
}

bool
perf_data_has_magic (const void *data, size_t n)
{
  uint64_t magic = magic_of (data, n);
  return magic == PERF_MAGIC || __builtin_bswap64 (magic) == PERF_MAGIC;
}

static struct section
read_section (struct byte_reader *reader, const char *what)
{
  struct section section;
  section.offset = byte_reader_u64 (reader, what);
  section.bytes = byte_reader_u64 (reader, what);
  return section;
}

/* Return a reader of just SECTION, in the file of READER, which fails if it is
   outside the file.  */
static struct byte_reader
section_reader (struct byte_reader *reader, const struct section *section,
		const char *what)
{
  struct byte_reader at = *reader;
  at.end = reader->end;
  byte_reader_seek (&at, section->offset, what);
  struct byte_reader part = byte_reader_part (&at, section->bytes, what);
  reader->failed |= part.failed;
  return part;
}

/* Take data that follows RECORD in READER without being part of a record.  If
   IS_OPEN, it may be truncated.  */
static bool
take_appendix (struct reading *reading, struct byte_reader *reader,
	       struct perf_record *record, bool is_open)
{
  static const char what[] = "data after a record";
  struct byte_reader body = record->body;
  uint64_t bytes = 0;
  if (record->type == PERF_RECORD_TRACING_DATA)
    bytes = ((uint64_t) byte_reader_u32 (&body, what) + 7) / 8 * 8;
  else if (record->type == PERF_RECORD_AUXTRACE)
    bytes = byte_reader_u64 (&body, what);
  reader->failed |= body.failed;
  if (is_open && bytes > byte_reader_left (reader))
    bytes = byte_reader_left (reader);
  if (bytes == 0)
    return !reader->failed;
  struct byte_reader data = byte_reader_part (reader, bytes, what);
  if (data.failed || record->type != PERF_RECORD_AUXTRACE)
    return !data.failed;
  return perf_records_handle_data (&reading->records, record, &data);
}

static bool
handle_compressed (struct reading *reading, struct perf_record *record)
{
  struct byte_reader body = record->body;
  if (record->type == PERF_RECORD_COMPRESSED2)
    {
      uint64_t bytes = byte_reader_u64 (&body, "a compressed record");
      body = byte_reader_part (&body, bytes, "a compressed record");
    }
  if (!body.failed)
    perf_stream_handle (&reading->stream, &reading->records, &body);
  return !body.failed;
}

/* Handle the records of READER up to its end.  If IS_OPEN, the recording was
   interrupted and the last record may be truncated.  */
static bool
read_records (struct reading *reading, struct byte_reader *reader, bool is_open)
{
  uint64_t passed = reader->position;
  while (byte_reader_left (reader) > 0)
    {
      struct perf_record record;
      bool is_whole = true;
      perf_progress (reading->records.handler, &passed, reader->position);
      if (!perf_record_take (reader, &record, is_open ? &is_whole : NULL))
	return false;
      if (!is_whole)
	break;
      bool is_compressed = record.type == PERF_RECORD_COMPRESSED
			   || record.type == PERF_RECORD_COMPRESSED2;
      if (is_compressed ? !handle_compressed (reading, &record)
			: !perf_records_handle (&reading->records, &record))
	return false;
      if (!take_appendix (reading, reader, &record, is_open))
	return false;
    }
  return !reader->failed;
}

/* Read the attributes in SECTION, each with ENTRY_BYTES.  */
static bool
read_attributes (struct reading *reading, struct byte_reader *reader,
		 const struct section *section, uint64_t entry_bytes)
{
  static const char what[] = "the attributes of events";
  if (entry_bytes < PERF_LEAST_ATTRIBUTE_BYTES + PERF_SECTION_BYTES)
    return byte_reader_fail (reader, 16,
			     "invalid attribute size %" PRIu64 " bytes",
			     entry_bytes);
  struct byte_reader part = section_reader (reader, section, what);
  while (byte_reader_left (&part) > 0)
    {
      struct byte_reader entry = byte_reader_part (&part, entry_bytes, what);
      struct byte_reader attribute
	= byte_reader_part (&entry, entry_bytes - PERF_SECTION_BYTES, what);
      struct section ids = read_section (&entry, what);
      struct byte_reader identifiers = *reader;
      identifiers.failed = entry.failed;
      identifiers
	= section_reader (&identifiers, &ids, "the identifiers of an event");
      if (identifiers.failed
	  || !perf_attributes_read (&reading->records.attributes, &attribute,
				    false)
	  || !perf_attributes_read_identifiers (&reading->records.attributes,
						&identifiers))
	return false;
    }
  return !part.failed;
}

/* Read the features whose bits READER is about to read.  Their sections follow
   DATA, in the order of the bits; further features are not needed.  */
static bool
read_features (struct reading *reading, struct byte_reader *reader,
	       const struct section *data)
{
  static const char what[] = "the features of a recording";
  static const uint64_t needed = UINT64_C (1) << PERF_FEATURE_BUILD_IDS
				 | UINT64_C (1) << PERF_FEATURE_UNITS;
  uint64_t features = byte_reader_u64 (reader, what);
  struct byte_reader sections = *reader;
  if (!(features & needed))
    return !reader->failed;
  byte_reader_seek (&sections, data->offset + data->bytes, what);
  for (unsigned int i = 0; i <= PERF_FEATURE_UNITS && !sections.failed; i++)
    {
      uint64_t bit = UINT64_C (1) << i;
      if (!(features & bit))
	continue;
      struct section section = read_section (&sections, what);
      if (!(needed & bit))
	continue;
      struct byte_reader part = section_reader (&sections, &section, what);
      if (part.failed
	  || (i == PERF_FEATURE_BUILD_IDS
		? !read_records (reading, &part, false)
		: !perf_records_feature (&reading->records, i, &part)))
	return false;
    }
  return !sections.failed;
}

/* Read a file after the first two fields of its header.  */
static bool
read_file (struct reading *reading, struct byte_reader *reader)
{
  static const char what[] = "the header of a recording";
  uint64_t entry_bytes = byte_reader_u64 (reader, what);
  struct section attributes = read_section (reader, what);
  struct section data = read_section (reader, what);
  byte_reader_bytes (reader, PERF_SECTION_BYTES, what);
  if (reader->failed
      || !read_attributes (reading, reader, &attributes, entry_bytes))
    return false;
  /* perf writes the size only when it is finished.  */
  bool is_open = data.bytes == 0;
  if (is_open && data.offset <= reader->end)
    data.bytes = reader->end - data.offset;
  struct byte_reader records = section_reader (reader, &data, "the records");
  /* Features come first: handlers of mappings may need them.  */
  if (records.failed || (!is_open && !read_features (reading, reader, &data)))
    return false;
  return read_records (reading, &records, is_open);
}

bool
perf_data_read (const char *path, const void *data, size_t size,
		const struct perf_handler *handler, struct profile_error *err)
{
  struct reading reading = { .records = { .handler = handler } };
  struct byte_reader reader;
  byte_reader_init (&reader, path, data, size, err);
  if (!perf_data_has_magic (data, size))
    return byte_reader_fail (&reader, 0, "not a perf recording");
  reader.big_endian = magic_of (data, size) != PERF_MAGIC;
  reading.records.room = malloc (sizeof *reading.records.room);
  if (!reading.records.room)
    return byte_reader_fail_memory (&reader);
  byte_reader_bytes (&reader, PERF_MAGIC_BYTES, "the magic");
  uint64_t header = byte_reader_u64 (&reader, "the header of a recording");
  bool done = !reader.failed;
  if (done && header == PERF_STREAM_HEADER_BYTES)
    done = read_records (&reading, &reader, false);
  else if (done && header >= PERF_HEADER_BYTES)
    done = read_file (&reading, &reader);
  else if (done)
    done = byte_reader_fail (&reader, PERF_MAGIC_BYTES,
			     "invalid header size %" PRIu64 " bytes", header);
  perf_stream_free (reading.stream);
  perf_attributes_release (&reading.records.attributes);
  perf_aux_release (&reading.records.aux);
  free (reading.records.room);
  return done;
}
