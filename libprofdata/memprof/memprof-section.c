/* Parts of LLVM's MemProf section that all its readers need.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "memprof-section.h"
#include "indexed-format.h"
#include "memprof-summary.h"
#include <inttypes.h>
#include <string.h>

static void
read_schema (struct memprof_section *section, struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t count = byte_reader_u64 (reader, "the schema");
  if (count > MEMORY_INFO_TAG_END)
    byte_reader_fail (reader, start,
		      "invalid schema: %" PRIu64
		      " fields (expected at most %d)",
		      count, MEMORY_INFO_TAG_END);
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    {
      start = reader->position;
      uint64_t tag = byte_reader_u64 (reader, "the schema");
      size_t bytes
	= tag < MEMORY_INFO_TAG_END ? memory_info_field_bytes (tag) : 0;
      if (!reader->failed && bytes == 0)
	byte_reader_fail (reader, start,
			  "schema field %" PRIu64 ": unknown tag %" PRIu64, i,
			  tag);
      if (!reader->failed && memchr (section->schema, tag, i))
	byte_reader_fail (reader, start,
			  "schema field %" PRIu64 ": duplicate tag %" PRIu64, i,
			  tag);
      section->schema[i] = tag;
      section->info_bytes += bytes;
    }
  section->schema_count = count;
  if (!reader->failed
      && !memchr (section->schema, MEMORY_INFO_ALLOC_COUNT, count))
    byte_reader_fail (reader, start, "schema without an allocation count");
}

static void
read_offsets_012 (struct memprof_section *section, struct byte_reader *reader)
{
  static const char what[] = "the MemProf header";
  section->record_table = byte_reader_u64 (reader, what);
  byte_reader_u64 (reader, what); /* payload of frames */
  section->frame_table = byte_reader_u64 (reader, what);
  if (section->version < 2)
    return;
  byte_reader_u64 (reader, what); /* payload of stacks */
  section->stack_table = byte_reader_u64 (reader, what);
}

/* The summary follows from the records.  */
static void
skip_summary (struct byte_reader *reader)
{
  static const char what[] = "the MemProf summary";
  size_t start = reader->position;
  uint32_t fields = byte_reader_u32 (reader, what);
  if (!reader->failed && fields != MEMPROF_SUMMARY_FIELDS)
    byte_reader_fail (reader, start,
		      "unsupported MemProf summary with %" PRIu32
		      " fields (expected %d)",
		      fields, MEMPROF_SUMMARY_FIELDS);
  byte_reader_bytes (reader, 8 * MEMPROF_SUMMARY_FIELDS, what);
}

static void
read_offsets_34 (struct memprof_section *section, struct byte_reader *reader)
{
  static const char what[] = "the MemProf header";
  section->stack_array = byte_reader_u64 (reader, what);
  section->record_payload = byte_reader_u64 (reader, what);
  section->record_table = byte_reader_u64 (reader, what);
  if (section->version < 4)
    return;
  size_t place = reader->position;
  section->data = byte_reader_u64 (reader, what);
  if (section->data != 0 && section->data <= section->record_table)
    byte_reader_fail (reader, place,
		      "static data at 0x%" PRIx64
		      " starts before the buckets of the records at "
		      "0x%" PRIx64,
		      section->data, section->record_table);
  skip_summary (reader);
}

/* Determine the lengths of the arrays of versions 3 and 4; the first starts at
   READER's position.  */
static void
measure_arrays (struct memprof_section *section, struct byte_reader *reader)
{
  section->frame_array = reader->position;
  if (reader->failed)
    return;
  if (section->stack_array < section->frame_array
      || section->record_payload < section->stack_array
      || section->record_table < section->record_payload
      || section->record_table > reader->end)
    byte_reader_fail (reader, section->frame_array,
		      "MemProf parts out of order: frames at 0x%zx, stacks at "
		      "0x%" PRIx64 ", records at 0x%" PRIx64 " and 0x%" PRIx64,
		      section->frame_array, section->stack_array,
		      section->record_payload, section->record_table);
  section->frame_count
    = ((section->stack_array - section->frame_array) / MEMPROF_FRAME_BYTES);
  section->element_count = (section->record_payload - section->stack_array) / 4;
}

bool
memprof_section_read_header (struct memprof_section *section,
			     struct byte_reader *reader, uint64_t offset)
{
  *section = (struct memprof_section){ 0 };
  byte_reader_seek (reader, offset, "the MemProf section");
  uint64_t version = byte_reader_u64 (reader, "the MemProf header");
  if (reader->failed)
    return false;
  if (version >= 24)
    {
      version = 0;
      byte_reader_seek (reader, offset, "the MemProf section");
    }
  if (version > MEMPROF_VERSION_GREATEST)
    return byte_reader_fail (reader, offset,
			     "unsupported MemProf version %" PRIu64
			     " (expected 0 to %d)",
			     version, MEMPROF_VERSION_GREATEST);
  section->version = version;
  if (version < 3)
    read_offsets_012 (section, reader);
  else
    read_offsets_34 (section, reader);
  read_schema (section, reader);
  if (version >= 3)
    measure_arrays (section, reader);
  return !reader->failed;
}

bool
memprof_section_read_frame (struct byte_reader *reader,
			    struct heap_frame *frame)
{
  static const char what[] = "a frame";
  size_t start = reader->position;
  *frame = (struct heap_frame){ 0 };
  frame->function_guid = byte_reader_u64 (reader, what);
  frame->line_offset = byte_reader_u32 (reader, what);
  frame->column = byte_reader_u32 (reader, what);
  uint8_t is_inline = byte_reader_u8 (reader, what);
  if (is_inline > 1)
    byte_reader_fail (reader, start + 16,
		      "invalid inline flag %d of a frame (expected 0 "
		      "or 1)",
		      is_inline);
  frame->is_inline = is_inline;
  return !reader->failed;
}

void
memprof_section_read_info (const struct memprof_section *section,
			   struct byte_reader *reader, struct memory_info *info)
{
  *info = (struct memory_info){ 0 };
  for (size_t i = 0; i < section->schema_count; i++)
    {
      unsigned int tag = section->schema[i];
      uint64_t value = memory_info_field_bytes (tag) == 4
			 ? byte_reader_u32 (reader, "a MIB")
			 : byte_reader_u64 (reader, "a MIB");
      memory_info_set (info, tag, value);
    }
}
