/* LLVM's MemProf section of an indexed profile, versions 0 to 4.
   SPDX-License-Identifier: GPL-3.0-or-later

   An allocation is in the records of all functions that its innermost frames
   are inlined into; the record of the innermost function is used.  */

#include "memprof-reader.h"
#include "indexed-format.h"
#include "llvm-records.h"
#include "memprof-data.h"
#include "memprof-fold.h"
#include "memprof-section.h"
#include "ondisk-hash.h"
#include "stack-decoder.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Two numbers, both 0.  */
#define EMPTY_RECORD_BYTES 16

struct memprof_reader
{
  struct heap_profile *profile;
  struct memprof_fold fold;
  struct memprof_section section;

  uint32_t *frames; /* ids in the profile */
  size_t frame_count;
  struct ondisk_hash_entry *frame_entries; /* of FRAMES */
  struct ondisk_hash_entry *stack_entries;
  size_t stack_count;
  uint32_t *stack_contexts; /* by stack entry; 0: not created yet */
  struct stack_decoder stacks;
};

/* ---- Frames.  */

/* Read a frame and intern it.  Return its id.  */
static uint32_t
read_frame (struct memprof_reader *memprof, struct byte_reader *reader)
{
  struct heap_frame frame;
  if (!memprof_section_read_frame (reader, &frame))
    return 0;
  uint32_t id = heap_profile_add_frame (memprof->profile, &frame);
  if (id == UINT32_MAX)
    byte_reader_fail_memory (reader);
  return id;
}

static bool
allocate_frames (struct memprof_reader *memprof, struct byte_reader *reader)
{
  memprof->frames = calloc (memprof->frame_count + 1, sizeof *memprof->frames);
  return memprof->frames || byte_reader_fail_memory (reader);
}

static bool
read_frame_table (struct memprof_reader *memprof, struct byte_reader *reader)
{
  if (!ondisk_hash_read (reader, memprof->section.frame_table, true,
			 "the frames", &memprof->frame_entries,
			 &memprof->frame_count)
      || !allocate_frames (memprof, reader))
    return false;
  for (size_t i = 0; i < memprof->frame_count && !reader->failed; i++)
    {
      const struct ondisk_hash_entry *entry = &memprof->frame_entries[i];
      if (entry->data_bytes != MEMPROF_FRAME_BYTES)
	return byte_reader_fail (reader, entry->data_offset,
				 "invalid frame size %zu bytes (expected %d)",
				 entry->data_bytes, MEMPROF_FRAME_BYTES);
      byte_reader_seek (reader, entry->data_offset, "a frame");
      memprof->frames[i] = read_frame (memprof, reader);
    }
  return !reader->failed;
}

static bool
read_stack_table (struct memprof_reader *memprof, struct byte_reader *reader)
{
  if (!ondisk_hash_read (reader, memprof->section.stack_table, false,
			 "the stacks", &memprof->stack_entries,
			 &memprof->stack_count))
    return false;
  memprof->stack_contexts
    = calloc (memprof->stack_count + 1, sizeof *memprof->stack_contexts);
  return memprof->stack_contexts || byte_reader_fail_memory (reader);
}

static bool
read_arrays (struct memprof_reader *memprof, struct byte_reader *reader)
{
  const struct memprof_section *section = &memprof->section;
  memprof->frame_count = section->frame_count;
  if (!allocate_frames (memprof, reader))
    return false;
  byte_reader_seek (reader, section->frame_array, "the frames");
  for (size_t i = 0; i < memprof->frame_count && !reader->failed; i++)
    memprof->frames[i] = read_frame (memprof, reader);
  return (!reader->failed
	  && stack_decoder_init (&memprof->stacks, reader, section->stack_array,
				 section->element_count, memprof->profile,
				 memprof->frames, memprof->frame_count));
}

/* ---- Stacks.  */

/* Read COUNT frame ids of versions 0 to 2, innermost first.  Return their
   context.  */
static uint32_t
read_frame_ids (struct memprof_reader *memprof, struct byte_reader *reader,
		uint64_t count)
{
  size_t start = reader->position;
  if (count == 0)
    byte_reader_fail (reader, start, "stack without frames");
  if (!byte_reader_need (reader, count, 8, "a stack"))
    return 0;
  uint32_t context = 0;
  for (uint64_t i = count; i-- > 0 && !reader->failed;)
    {
      byte_reader_seek (reader, start + 8 * i, "a stack");
      uint64_t id = byte_reader_u64 (reader, "a stack");
      const struct ondisk_hash_entry *entry
	= ondisk_hash_find (memprof->frame_entries, memprof->frame_count, id);
      if (!entry)
	{
	  byte_reader_fail (reader, start + 8 * i,
			    "unknown frame ID 0x%" PRIx64, id);
	  return 0;
	}
      uint32_t frame = memprof->frames[entry - memprof->frame_entries];
      context = heap_profile_add_context (memprof->profile, context, frame);
      if (context == UINT32_MAX)
	byte_reader_fail_memory (reader);
    }
  if (!reader->failed)
    byte_reader_seek (reader, start + 8 * count, "a stack");
  return context;
}

/* Return the context of the stack with ID, of version 2, in the file of READER.
   FAILING has just read ID, and fails if the stack is invalid.  */
static uint32_t
find_stack (struct memprof_reader *memprof, const struct byte_reader *reader,
	    uint64_t id, struct byte_reader *failing)
{
  const struct ondisk_hash_entry *entry
    = ondisk_hash_find (memprof->stack_entries, memprof->stack_count, id);
  if (!entry)
    {
      byte_reader_fail (failing, failing->position - 8,
			"unknown stack ID 0x%" PRIx64, id);
      return 0;
    }
  uint32_t *context = &memprof->stack_contexts[entry - memprof->stack_entries];
  if (*context != 0)
    return *context;
  struct byte_reader stack = *reader;
  byte_reader_seek (&stack, entry->data_offset, "a stack");
  if (entry->data_bytes % 8 != 0)
    byte_reader_fail (&stack, entry->data_offset,
		      "invalid stack size %zu bytes (expected a "
		      "multiple of 8)",
		      entry->data_bytes);
  *context = read_frame_ids (memprof, &stack, entry->data_bytes / 8);
  failing->failed |= stack.failed;
  return *context;
}

/* Read the stack of an allocation from RECORD, which is a part of the file of
   READER.  Return its context.  */
static uint32_t
read_stack (struct memprof_reader *memprof, const struct byte_reader *reader,
	    struct byte_reader *record)
{
  if (memprof->section.version >= 3)
    {
      uint32_t position = byte_reader_u32 (record, "an allocation");
      return record->failed
	       ? 0
	       : stack_decoder_context (&memprof->stacks, record, position);
    }
  uint64_t word = byte_reader_u64 (record, "an allocation");
  if (record->failed)
    return 0;
  return (memprof->section.version == 2
	    ? find_stack (memprof, reader, word, record)
	    : read_frame_ids (memprof, record, word));
}

/* ---- Records.  */

static void
read_allocations (struct memprof_reader *memprof,
		  const struct byte_reader *reader, struct byte_reader *record,
		  uint64_t guid)
{
  size_t least_bytes = (memprof->section.info_bytes
			+ memprof_section_stack_bytes (&memprof->section));
  uint64_t count = byte_reader_u64 (record, "a record");
  byte_reader_need (record, count, least_bytes, "the allocations of a record");
  memprof_fold_begin (&memprof->fold);
  for (uint64_t i = 0; i < count && !record->failed; i++)
    {
      uint32_t context = read_stack (memprof, reader, record);
      size_t offset = record->position;
      struct memory_info info;
      memprof_section_read_info (&memprof->section, record, &info);
      if (!record->failed)
	memprof_fold_add (&memprof->fold, record, offset, guid, context, &info);
    }
}

/* Data for reading a MIB again.  */
struct reading_again
{
  const struct memprof_reader *memprof;
  struct byte_reader reader;
};

static void
read_info_again (void *data, size_t offset, struct memory_info *info)
{
  struct reading_again *again = data;
  byte_reader_seek (&again->reader, offset, "a MIB");
  memprof_section_read_info (&again->memprof->section, &again->reader, info);
}

/* Read the callees of SITE from RECORD, malloced.  */
static void
read_callees (const struct memprof_reader *memprof, struct byte_reader *record,
	      struct heap_call_site *site)
{
  static const char what[] = "the callees of a call site";
  if (memprof->section.version < 4)
    return;
  uint64_t count = byte_reader_u64 (record, what);
  if (!byte_reader_need (record, count, 8, what))
    return;
  site->callees = malloc ((count + 1) * sizeof *site->callees);
  site->callee_count = count;
  if (!site->callees)
    byte_reader_fail_memory (record);
  for (uint64_t i = 0; !record->failed && i < count; i++)
    site->callees[i] = byte_reader_u64 (record, what);
}

/* Read all call sites of the function GUID into the details of the profile;
   those that contexts imply are dropped at the end.  */
static void
read_call_sites (struct memprof_reader *memprof,
		 const struct byte_reader *reader, struct byte_reader *record,
		 uint64_t guid)
{
  struct heap_details *details = heap_profile_details (memprof->profile);
  uint64_t count = byte_reader_u64 (record, "a record");
  byte_reader_need (record, count,
		    memprof_section_stack_bytes (&memprof->section),
		    "the call sites of a record");
  for (uint64_t i = 0; i < count && !record->failed; i++)
    {
      struct heap_call_site site
	= { .function_guid = guid,
	    .context = read_stack (memprof, reader, record) };
      if (!record->failed)
	read_callees (memprof, record, &site);
      if (!record->failed && !heap_details_add_call_site (details, &site))
	byte_reader_fail_memory (record);
      free (site.callees);
    }
}

/* An empty record is a call site without frames.  */
static void
note_empty_record (struct memprof_reader *memprof, struct byte_reader *record,
		   const struct ondisk_hash_entry *entry)
{
  const struct heap_call_site site = { .function_guid = entry->key };
  size_t bytes = record->position - entry->data_offset;
  if (!record->failed && bytes == EMPTY_RECORD_BYTES
      && !heap_details_add_call_site (heap_profile_details (memprof->profile),
				      &site))
    byte_reader_fail_memory (record);
}

static bool
read_records (struct memprof_reader *memprof, struct byte_reader *reader)
{
  struct ondisk_hash_entry *entries;
  size_t count;
  ondisk_hash_read (reader, memprof->section.record_table, true, "the records",
		    &entries, &count);
  for (size_t i = 0; i < count && !reader->failed; i++)
    {
      byte_reader_seek (reader, entries[i].data_offset, "a record");
      struct byte_reader record
	= byte_reader_part (reader, entries[i].data_bytes, "a record");
      read_allocations (memprof, reader, &record, entries[i].key);
      read_call_sites (memprof, reader, &record, entries[i].key);
      note_empty_record (memprof, &record, &entries[i]);
      byte_reader_join (reader, &record, "a record");
    }
  free (entries);
  struct reading_again again = { memprof, *reader };
  if (!reader->failed)
    memprof_fold_end (&memprof->fold, reader, read_info_again, &again);
  return !reader->failed;
}

/* Read the static data, if any.  */
static bool
read_data (struct memprof_reader *memprof, struct byte_reader *reader)
{
  if (memprof->section.data == 0)
    return true;
  return (byte_reader_seek (reader, memprof->section.data, "the static data")
	  && memprof_data_read (reader, memprof->profile));
}

bool
memprof_section_read (struct byte_reader *reader, uint64_t offset,
		      struct heap_profile *profile)
{
  struct memprof_reader memprof
    = { .profile = profile, .fold = { .profile = profile } };
  bool done = memprof_section_read_header (&memprof.section, reader, offset);
  if (done && memprof.section.version >= 3)
    done = read_arrays (&memprof, reader);
  else if (done)
    done = (read_frame_table (&memprof, reader)
	    && (memprof.section.version < 2
		|| read_stack_table (&memprof, reader)));
  done
    = (done && read_records (&memprof, reader) && read_data (&memprof, reader)
       && (llvm_records_prune (profile) || byte_reader_fail_memory (reader)));
  memprof_fold_free (&memprof.fold);
  stack_decoder_free (&memprof.stacks);
  free (memprof.stack_contexts);
  free (memprof.stack_entries);
  free (memprof.frame_entries);
  free (memprof.frames);
  return done;
}
