/* Writing LLVM's MemProf section.
   SPDX-License-Identifier: GPL-3.0-or-later

   The offset of each part is patched into the section's header when the part
   starts.  In version 2 the ids of frames and stacks are only keys.  They are
   the numbers used in version 3 with mixed bits, which are distinct and spread
   over the buckets.  */

#include "memprof-writer.h"
#include "background.h"
#include "indexed-format.h"
#include "llvm-records.h"
#include "memory-info-field.h"
#include "memprof-data.h"
#include "memprof-summary.h"
#include "ondisk-hash.h"
#include "stack-classes.h"
#include "stack-encoder.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_AHEAD 16

/* Size of a frame, and approximate sizes of a record and a call site.  */
enum
{
  FRAME_BYTES = 17,
  RECORD_BYTES = 64,
  CALL_SITE_BYTES = 8
};

/* Of most stacks with blocks, in our own section.  */
#define OWN_STACK_BYTES 32

/* Below this number, starting a thread costs more than it saves.  */
#define LEAST_SITES_IN_BACKGROUND 16384

/* Below this number, starting a thread costs more than it saves.  */
#define LEAST_NODES_IN_BACKGROUND 16384

/* The allocation sites of a record, for which room is reserved in the file.  */
struct alloc_sites
{
  const struct llvm_record *record;
  size_t offset;
};

/* Data for the emitters of entries.  */
struct section_source
{
  unsigned int version;
  const struct heap_profile *profile;
  struct llvm_records *records;
  struct encoded_stacks stacks; /* versions 3 and 4 */
  const uint8_t *schema;
  size_t schema_count;
  bool is_short;			  /* the schema */
  const struct memory_info_field *fields; /* by place in the schema */
  size_t alloc_site_bytes; /* the reference to its stack, and the fields */
  struct alloc_sites *alloc_sites; /* of the records written so far */
  size_t alloc_sites_count;
};

static const uint8_t short_schema[]
  = { MEMORY_INFO_ALLOC_COUNT, MEMORY_INFO_TOTAL_SIZE,
      MEMORY_INFO_TOTAL_LIFETIME, MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY };

static const uint8_t full_schema[]
  = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
      15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27 };

/* Return the id of frame or stack NUMBER in version 2: a one-to-one mixing.  */
static uint64_t
id_of (uint64_t number)
{
  uint64_t id = (number + 1) * UINT64_C (0x9e3779b97f4a7c15);
  id ^= id >> 32;
  return id * UINT64_C (0xff51afd7ed558ccd);
}

/* ---- Records.  */

static void
write_stack_reference (struct byte_writer *writer, uint32_t stack,
		       const struct section_source *source)
{
  if (source->version == 2)
    byte_writer_u64 (writer, id_of (stack));
  else
    byte_writer_u32 (writer, source->stacks.positions[stack]);
}

static void
write_call_site (struct byte_writer *writer, const struct llvm_call_site *site,
		 const struct section_source *source)
{
  write_stack_reference (writer, site->stack, source);
  if (source->version < 4)
    return;
  byte_writer_u64 (writer, site->callee_count);
  for (size_t i = 0; i < site->callee_count; i++)
    byte_writer_u64 (writer, site->callees[i]);
}

/* Prefetch the MIB of the site LOOK_AHEAD after SITE: the MIBs of a record's
   sites are scattered in memory.  */
static inline __attribute__ ((always_inline)) void
prefetch_info (const struct llvm_record *record, size_t site)
{
  if (record->alloc_site_count - site <= LOOK_AHEAD)
    return;
  info_place_prefetch_short (record->alloc_sites[site + LOOK_AHEAD].info);
}

/* Store VALUE, a number of 4 or 8 BYTES, at TO.  Return the address after
   it.  */
static uint8_t *
put_number (uint8_t *to, uint64_t value, size_t bytes)
{
  uint32_t narrow = htole32 ((uint32_t) value);
  if (bytes == sizeof narrow)
    memcpy (to, &narrow, sizeof narrow);
  else
    {
      value = htole64 (value);
      memcpy (to, &value, sizeof value);
    }
  return to + bytes;
}

/* Store what the short schema has of INFO, all of whose blocks were counted, at
   TO, as memory_info_field_get would return it.  Return the address after
   it.  */
static inline uint8_t *
put_short (uint8_t *to, const struct memory_info *info)
{
  const uint64_t count = info->alloc_count;
  to = put_number (to, count > UINT32_MAX ? UINT32_MAX : count, 4);
  to = put_number (to, info->size_bytes.total, 8);
  to = put_number (to, info->lifetime_ns.total / MEMORY_INFO_NS_PER_MS, 8);
  return put_number (to, info->lifetime_access_density.total, 8);
}

/* Store SITE at TO.  Return the address after it.  */
static inline uint8_t *
put_alloc_site (uint8_t *to, const struct llvm_alloc_site *site,
		const struct section_source *source)
{
  to = source->version == 2
	 ? put_number (to, id_of (site->stack), 8)
	 : put_number (to, source->stacks.positions[site->stack], 4);
  struct memory_info room;
  const struct memory_info *info = source->is_short
				     ? info_place_read_short (site->info, &room)
				     : info_place_read (site->info, &room);
  if (source->is_short && info->uncounted_count == 0)
    return put_short (to, info);
  for (size_t i = 0; i < source->schema_count; i++)
    to = put_number (to, memory_info_field_get (info, &source->fields[i]),
		     source->fields[i].llvm_bytes);
  return to;
}

/* Allocation sites to be stored in the file DATA: numbers BEGIN to END - 1 of
   the sites of all records in turn.  */
struct alloc_site_run
{
  const struct section_source *source;
  uint8_t *data;
  size_t begin;
  size_t end;
};

/* Store those of SITES that belong to RUN; the first of SITES is number
   FIRST.  */
static void
put_record_sites (const struct alloc_site_run *run,
		  const struct alloc_sites *sites, size_t first)
{
  const struct llvm_record *record = sites->record;
  size_t begin = run->begin > first ? run->begin - first : 0;
  size_t end = run->end - first;
  if (end > record->alloc_site_count)
    end = record->alloc_site_count;
  uint8_t *to = run->data + sites->offset;
  to += begin * run->source->alloc_site_bytes;
  for (size_t i = begin; i < end; i++)
    {
      prefetch_info (record, i);
      to = put_alloc_site (to, &record->alloc_sites[i], run->source);
    }
}

static void
put_alloc_sites (void *data)
{
  const struct alloc_site_run *run = data;
  const struct section_source *source = run->source;
  size_t first = 0;
  for (size_t i = 0; i < source->alloc_sites_count && first < run->end; i++)
    {
      const struct alloc_sites *sites = &source->alloc_sites[i];
      if (first + sites->record->alloc_site_count > run->begin)
	put_record_sites (run, sites, first);
      first += sites->record->alloc_site_count;
    }
}

/* Store the allocation sites of all records in the room reserved for them.  Two
   threads share the sites, not the records, as one function may have most of
   the sites.  */
static void
put_all_alloc_sites (struct byte_writer *writer,
		     const struct section_source *source)
{
  struct background background;
  size_t count = 0;
  for (size_t i = 0; i < source->alloc_sites_count; i++)
    count += source->alloc_sites[i].record->alloc_site_count;
  struct alloc_site_run first = { source, writer->data, 0, count / 2 };
  struct alloc_site_run second = { source, writer->data, count / 2, count };
  background_begin (&background, put_alloc_sites, &second,
		    count >= LEAST_SITES_IN_BACKGROUND);
  put_alloc_sites (&first);
  background_end (&background);
}

static void
write_record (struct byte_writer *writer, size_t index, void *data)
{
  struct section_source *source = data;
  const struct llvm_record *record = llvm_records_get (source->records, index);
  byte_writer_u64 (writer, record->alloc_site_count);
  source->alloc_sites[source->alloc_sites_count++]
    = (struct alloc_sites){ record, writer->size };
  byte_writer_room (writer,
		    record->alloc_site_count * source->alloc_site_bytes);
  byte_writer_u64 (writer, record->call_site_count);
  for (size_t i = 0; i < record->call_site_count; i++)
    write_call_site (writer, &record->call_sites[i], source);
}

static bool
write_records (struct byte_writer *writer, struct section_source *source,
	       size_t *array_offset)
{
  size_t count = llvm_records_count (source->records);
  uint64_t *hashes = calloc (count + 1, sizeof *hashes);
  source->alloc_sites = calloc (count + 1, sizeof *source->alloc_sites);
  bool done = hashes && source->alloc_sites;
  for (size_t i = 0; done && i < count; i++)
    hashes[i] = llvm_records_get (source->records, i)->function_guid;
  done = done
	 && ondisk_hash_write (writer, hashes, count, write_record, source,
			       array_offset);
  if (done)
    put_all_alloc_sites (writer, source);
  free (source->alloc_sites);
  free (hashes);
  return done;
}

/* ---- Frames and stacks.  */

static void
write_frame (struct byte_writer *writer, size_t index, void *data)
{
  const struct section_source *source = data;
  const struct llvm_frame *frame = llvm_records_frame (source->records, index);
  byte_writer_u64 (writer, frame->function_guid);
  byte_writer_u32 (writer, frame->line_offset);
  byte_writer_u32 (writer, frame->column);
  byte_writer_u8 (writer, frame->is_inline);
}

/* Write stack INDEX of version 2.  */
static void
write_stack (struct byte_writer *writer, size_t index, void *data)
{
  const struct section_source *source = data;
  size_t count;
  const uint32_t *frames
    = llvm_records_stack_frames (source->records, index, &count);
  for (size_t i = 0; i < count; i++)
    byte_writer_u64 (writer, id_of (frames[i]));
}

/* Write a table of COUNT entries by id.  */
static bool
write_table (struct byte_writer *writer, size_t count, bool has_key_bytes,
	     ondisk_hash_emitter *emit, struct section_source *source,
	     size_t *array_offset)
{
  uint64_t *ids = calloc (count + 1, sizeof *ids);
  if (!ids)
    return false;
  for (size_t i = 0; i < count; i++)
    ids[i] = id_of (i);
  bool done = has_key_bytes ? ondisk_hash_write (writer, ids, count, emit,
						 source, array_offset)
			    : ondisk_hash_write_short (writer, ids, count, emit,
						       source, array_offset);
  free (ids);
  return done;
}

/* ---- The sections.  */

/* Return the approximate size of the section.  */
static size_t
expected_bytes (const struct section_source *source)
{
  const struct llvm_records *records = source->records;
  size_t bytes = (llvm_records_frame_count (records) * FRAME_BYTES
		  + source->stacks.count * sizeof *source->stacks.elements);
  for (size_t i = 0; i < llvm_records_count (records); i++)
    {
      const struct llvm_record *record = llvm_records_get (records, i);
      bytes
	+= (RECORD_BYTES + record->alloc_site_count * source->alloc_site_bytes
	    + record->call_site_count * CALL_SITE_BYTES);
    }
  return bytes;
}

/* Return the likely number of bytes of our own section, which has CLASSES.  It
   follows in the same memory, which would otherwise have to be moved.  */
static size_t
section_bytes (const struct section_source *source,
	       const struct byte_writer *classes)
{
  return classes->size
	 + OWN_STACK_BYTES * llvm_records_stack_count (source->records);
}

static void
write_schema (struct byte_writer *writer, const struct section_source *source)
{
  byte_writer_u64 (writer, source->schema_count);
  for (size_t i = 0; i < source->schema_count; i++)
    byte_writer_u64 (writer, source->schema[i]);
}

/* Version 2: header of six words, schema, tables of records, frames and
   stacks.  */
static bool
write_version_2 (struct byte_writer *writer, struct section_source *source)
{
  size_t header = writer->size;
  size_t array_offset;
  byte_writer_u64 (writer, source->version);
  for (int i = 0; i < 5; i++)
    byte_writer_u64 (writer, 0); /* patched */
  write_schema (writer, source);
  if (!write_records (writer, source, &array_offset))
    return false;
  byte_writer_patch_u64 (writer, header + 8, array_offset);
  byte_writer_patch_u64 (writer, header + 16, writer->size);
  if (!write_table (writer, llvm_records_frame_count (source->records), true,
		    write_frame, source, &array_offset))
    return false;
  byte_writer_patch_u64 (writer, header + 24, array_offset);
  byte_writer_patch_u64 (writer, header + 32, writer->size);
  if (!write_table (writer, llvm_records_stack_count (source->records), false,
		    write_stack, source, &array_offset))
    return false;
  byte_writer_patch_u64 (writer, header + 40, array_offset);
  return true;
}

static bool
write_summary (struct byte_writer *writer, const struct llvm_records *records)
{
  struct memprof_summary summary;
  if (!memprof_summary_make (&summary, records))
    return false;
  byte_writer_u32 (writer, MEMPROF_SUMMARY_FIELDS);
  byte_writer_u64 (writer, summary.contexts);
  byte_writer_u64 (writer, summary.cold_contexts);
  byte_writer_u64 (writer, 0);
  byte_writer_u64 (writer, summary.greatest_cold_bytes);
  byte_writer_u64 (writer, summary.greatest_warm_bytes);
  byte_writer_u64 (writer, 0);
  return true;
}

/* Versions 3 and 4: header, in version 4 the summary, schema, frames, stacks,
   records, in version 4 static data.  */
static bool
write_version_34 (struct byte_writer *writer, struct section_source *source)
{
  size_t header = writer->size;
  size_t array_offset;
  byte_writer_u64 (writer, source->version);
  for (unsigned int i = 0; i < source->version; i++)
    byte_writer_u64 (writer, 0); /* three or four offsets, patched */
  if (source->version == 4 && !write_summary (writer, source->records))
    return false;
  write_schema (writer, source);
  size_t frame_count = llvm_records_frame_count (source->records);
  for (size_t i = 0; i < frame_count; i++)
    write_frame (writer, i, source);
  byte_writer_patch_u64 (writer, header + 8, writer->size);
  byte_writer_u32s (writer, source->stacks.elements, source->stacks.count);
  byte_writer_patch_u64 (writer, header + 16, writer->size);
  if (!write_records (writer, source, &array_offset))
    return false;
  byte_writer_patch_u64 (writer, header + 24, array_offset);
  const struct heap_details *details
    = heap_profile_read_details (source->profile);
  if (source->version < 4 || heap_details_data_access_count (details) == 0)
    return true;
  byte_writer_patch_u64 (writer, header + 32, writer->size);
  memprof_data_write (writer, source->profile);
  return !writer->failed;
}

/* ---- Stacks in the background.  */

/* Stacks to be encoded in a thread of their own.  */
struct encoding
{
  struct section_source *source;
  bool is_done;
};

static void
encode (void *data)
{
  struct encoding *encoding = data;
  struct section_source *source = encoding->source;
  encoding->is_done = stack_encoder_encode (&source->stacks, source->records);
}

/* Write version 3 or 4.  The records of functions and the array of stacks both
   need the numbers of stacks, but do not depend on each other.  */
static bool
make_version_34 (struct byte_writer *writer, struct section_source *source,
		 struct byte_writer *classes, struct byte_writer *groups)
{
  struct background background;
  struct encoding encoding = { .source = source };
  background_begin (&background, encode, &encoding,
		    llvm_records_node_count (source->records)
		      >= LEAST_NODES_IN_BACKGROUND);
  bool done = llvm_records_fill (source->records, source->profile);
  background_end (&background);
  done = done
	 && (!classes
	     || stack_classes_write (classes, groups, source->records,
				     source->profile));
  llvm_records_drop_stacks (source->records);
  if (!done || !encoding.is_done)
    return false;
  byte_writer_expect (writer,
		      expected_bytes (source)
			+ (classes ? section_bytes (source, classes) : 0));
  return write_version_34 (writer, source);
}

bool
memprof_section_write (struct byte_writer *writer,
		       const struct heap_profile *profile,
		       const struct memprof_options *options,
		       struct byte_writer *classes, struct byte_writer *groups,
		       struct profile_error *err)
{
  struct llvm_records *records
    = llvm_records_begin (profile, options->keep_columns);
  struct memory_info_field fields[sizeof full_schema];
  struct section_source source
    = { .version = options->version,
	.profile = profile,
	.records = records,
	.schema = options->full_schema ? full_schema : short_schema,
	.schema_count
	= options->full_schema ? sizeof full_schema : sizeof short_schema,
	.is_short = !options->full_schema,
	.fields = fields,
	.alloc_site_bytes = options->version == 2 ? 8 : 4 };
  for (size_t i = 0; i < source.schema_count; i++)
    {
      fields[i] = memory_info_fields[source.schema[i]];
      source.alloc_site_bytes += fields[i].llvm_bytes;
    }
  bool done = records != NULL;
  if (done && options->version == 2)
    done = (llvm_records_fill (records, profile)
	    && (!classes
		|| stack_classes_write (classes, groups, records, profile))
	    && write_version_2 (writer, &source));
  else if (done)
    done = make_version_34 (writer, &source, classes, groups);
  stack_encoder_free (&source.stacks);
  llvm_records_free (records);
  if (!done || writer->failed
      || (classes && (classes->failed || groups->failed)))
    return profile_error_set_memory (err, NULL);
  return true;
}
