/* Writing indexed profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file is made in memory, part after part, each part's offset being
   patched into a header before it: LLVM's header, an empty summary, an empty
   table of functions with counters, the MemProf section, empty lists of binary
   IDs and vtable names, and the heapprof section.  */

#include "indexed-profile.h"
#include "atomic-file.h"
#include "byte-writer.h"
#include "heapprof-section.h"
#include "indexed-format.h"
#include "llvm-records.h"
#include "ondisk-hash.h"
#include "stack-encoder.h"
#include <stdlib.h>

/* What the record emitter needs.  */
struct record_source
{
  const struct llvm_records *records;
  const struct encoded_stacks *stacks;
  const uint8_t *schema;
  size_t schema_count;
};

static const uint8_t short_schema[] = {
  MEMORY_INFO_ALLOC_COUNT, MEMORY_INFO_TOTAL_SIZE, MEMORY_INFO_TOTAL_LIFETIME,
  MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY
};

static const uint8_t full_schema[] = {
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
};

static void
write_header (struct byte_writer *writer)
{
  byte_writer_bytes (writer, INDEXED_MAGIC, INDEXED_MAGIC_BYTES);
  byte_writer_u64 (writer, INDEXED_VERSION_WRITTEN | INDEXED_FLAG_MEMPROF);
  byte_writer_u64 (writer, 0);
  byte_writer_u64 (writer, INDEXED_HASH_MD5);
  byte_writer_u64 (writer, 0);	/* table of functions, patched */
  byte_writer_u64 (writer, 0);	/* MemProf section, patched */
  byte_writer_u64 (writer, 0);	/* binary IDs, patched */
  byte_writer_u64 (writer, 0);	/* temporal traces: none */
  byte_writer_u64 (writer, 0);	/* vtable names, patched */
}

/* A summary of no counters.  */
static void
write_summary (struct byte_writer *writer)
{
  static const uint32_t cutoffs[] = {
    10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000,
    800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999
  };
  const size_t cutoff_count = sizeof cutoffs / sizeof cutoffs[0];
  byte_writer_u64 (writer, INDEXED_SUMMARY_FIELDS);
  byte_writer_u64 (writer, cutoff_count);
  for (int i = 0; i < INDEXED_SUMMARY_FIELDS; i++)
    byte_writer_u64 (writer, 0);
  for (size_t i = 0; i < cutoff_count; i++)
    {
      byte_writer_u64 (writer, cutoffs[i]);
      byte_writer_u64 (writer, 0);
      byte_writer_u64 (writer, 0);
    }
}

static void
write_memory_info (struct byte_writer *writer, const struct memory_info *info,
		   const struct record_source *source)
{
  for (size_t i = 0; i < source->schema_count; i++)
    {
      unsigned int tag = source->schema[i];
      uint64_t value = memory_info_get (info, tag);
      if (memory_info_field_bytes (tag) == 4)
	byte_writer_u32 (writer, value);
      else
	byte_writer_u64 (writer, value);
    }
}

static void
write_record (struct byte_writer *writer, size_t index, void *data)
{
  const struct record_source *source = data;
  const struct llvm_record *record = llvm_records_get (source->records, index);
  byte_writer_u64 (writer, record->alloc_site_count);
  for (size_t i = 0; i < record->alloc_site_count; i++)
    {
      const struct llvm_alloc_site *site = &record->alloc_sites[i];
      byte_writer_u32 (writer, source->stacks->positions[site->stack]);
      write_memory_info (writer, site->info, source);
    }
  byte_writer_u64 (writer, record->call_site_count);
  for (size_t i = 0; i < record->call_site_count; i++)
    byte_writer_u32 (writer,
		     source->stacks->positions[record->call_sites[i]]);
}

static void
write_frames (struct byte_writer *writer, const struct llvm_records *records)
{
  size_t count = llvm_records_frame_count (records);
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_frame *frame = llvm_records_frame (records, i);
      byte_writer_u64 (writer, frame->function_guid);
      byte_writer_u32 (writer, frame->line_offset);
      byte_writer_u32 (writer, frame->column);
      byte_writer_u8 (writer, frame->is_inline);
    }
}

/* Write the table of records; return where its bucket array is.  */
static bool
write_records (struct byte_writer *writer, struct record_source *source,
	       size_t *array_offset)
{
  size_t count = llvm_records_count (source->records);
  uint64_t *hashes = calloc (count + 1, sizeof *hashes);
  if (!hashes)
    return false;
  for (size_t i = 0; i < count; i++)
    hashes[i] = llvm_records_get (source->records, i)->function_guid;
  bool done = ondisk_hash_write (writer, hashes, count, write_record, source,
				 array_offset);
  free (hashes);
  return done;
}

/* The MemProf section: its header of four words, schema, frames, stacks,
   records.  */
static bool
write_memprof (struct byte_writer *writer, struct record_source *source)
{
  size_t header = writer->size;
  byte_writer_u64 (writer, MEMPROF_VERSION_WRITTEN);
  byte_writer_u64 (writer, 0);	/* stacks, patched */
  byte_writer_u64 (writer, 0);	/* records' payload, patched */
  byte_writer_u64 (writer, 0);	/* records' buckets, patched */
  byte_writer_u64 (writer, source->schema_count);
  for (size_t i = 0; i < source->schema_count; i++)
    byte_writer_u64 (writer, source->schema[i]);
  write_frames (writer, source->records);
  byte_writer_patch_u64 (writer, header + 8, writer->size);
  for (size_t i = 0; i < source->stacks->count; i++)
    byte_writer_u32 (writer, source->stacks->elements[i]);
  byte_writer_patch_u64 (writer, header + 16, writer->size);
  size_t array_offset;
  bool done = write_records (writer, source, &array_offset);
  byte_writer_patch_u64 (writer, header + 24, array_offset);
  return done;
}

/* All of LLVM's parts.  */
static bool
write_llvm_parts (struct byte_writer *writer, struct record_source *source)
{
  write_header (writer);
  write_summary (writer);
  size_t array_offset;
  if (!ondisk_hash_write (writer, NULL, 0, NULL, NULL, &array_offset))
    return false;
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_FUNCTIONS, array_offset);
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_MEMPROF, writer->size);
  if (!write_memprof (writer, source))
    return false;
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_BINARY_IDS, writer->size);
  byte_writer_u64 (writer, 0);
  byte_writer_patch_u64 (writer, INDEXED_OFFSET_VTABLES, writer->size);
  byte_writer_u64 (writer, 0);
  return !writer->failed;
}

static bool
write_file (struct byte_writer *writer, const struct heap_profile *profile,
	    const struct indexed_profile_options *options,
	    struct profile_error *err)
{
  struct encoded_stacks stacks = { 0 };
  struct llvm_records *records = llvm_records_make (profile,
						    options->keep_columns);
  bool done = records && stack_encoder_encode (&stacks, records);
  if (done)
    {
      struct record_source source = {
	.records = records,
	.stacks = &stacks,
	.schema = options->full_schema ? full_schema : short_schema,
	.schema_count = options->full_schema ? sizeof full_schema
					     : sizeof short_schema
      };
      done = write_llvm_parts (writer, &source);
    }
  stack_encoder_free (&stacks);
  llvm_records_free (records);
  if (!done)
    return profile_error_set_memory (err, NULL);
  return heapprof_section_write (writer, profile, err);
}

bool
indexed_profile_serialize (const struct heap_profile *profile,
			   const struct indexed_profile_options *options,
			   void **data, size_t *size,
			   struct profile_error *err)
{
  struct byte_writer writer = { 0 };
  if (!write_file (&writer, profile, options, err))
    {
      byte_writer_free (&writer);
      return false;
    }
  *data = writer.data;
  *size = writer.size;
  return true;
}

bool
indexed_profile_write (const char *path, const struct heap_profile *profile,
		       const struct indexed_profile_options *options,
		       struct profile_error *err)
{
  void *data;
  size_t size;
  if (!indexed_profile_serialize (profile, options, &data, &size, err))
    {
      err->path = path;
      return false;
    }
  bool done = atomic_file_write (path, data, size, err);
  free (data);
  return done;
}
