/* Raw profiles: checks of references between records.
   SPDX-License-Identifier: GPL-3.0-or-later

   The process may have been killed, or be running, between any two stores, and
   a record read late can refer to records that the header did not count yet
   when it was read.  So in the file of a running process an index past the end
   counts as no reference; any other inconsistency is an error.  */

#include "raw-tables.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fail in the TABLES and READER of the caller, at byte FIELD of record INDEX of
   KIND, with the cause that follows.  */
#define FAIL(kind, index, field, ...)                                          \
  byte_reader_fail (reader, value_offset (tables, kind, index, field),         \
		    __VA_ARGS__)

static uint64_t
value_offset (const struct raw_tables *tables, uint32_t kind, uint64_t index,
	      uint64_t field)
{
  uint64_t record = raw_tables_offset (tables, kind, index);
  return record == PROFILE_ERROR_NO_OFFSET ? record : record + field;
}

bool
raw_tables_string_is_whole (const struct raw_tables *tables, uint64_t offset)
{
  uint64_t first = 0;
  for (uint64_t i = 0; i < tables->header.extent_count; i++)
    {
      const struct heapprof_raw_extent *extent = &tables->header.extents[i];
      if (extent->kind != HEAPPROF_RAW_STRINGS)
	continue;
      uint64_t end = first + extent->count;
      if (offset >= first && offset < end)
	return memchr (tables->strings + offset, '\0', end - offset) != NULL;
      first = end;
    }
  return false;
}

static bool
check_program_name (const struct raw_tables *tables, struct byte_reader *reader)
{
  uint64_t offset = tables->header.program_name;
  /* A process killed at once may have no strings.  */
  if (offset == 0 && tables->string_bytes == 0)
    return true;
  if (raw_tables_string_is_whole (tables, offset))
    return true;
  return byte_reader_fail (reader, 88,
			   "program name at %" PRIu64
			   " is not a valid string (%" PRIu64
			   " bytes of strings)",
			   offset, tables->string_bytes);
}

static bool
check_context (struct raw_tables *tables, uint64_t index,
	       struct byte_reader *reader)
{
  struct heapprof_raw_context *context = &tables->contexts[index];
  if (index == 0 ? context->parent != 0 : context->parent >= index)
    return FAIL (HEAPPROF_RAW_CONTEXTS, index, 8,
		 "context %" PRIu64 ": parent %" PRIu32
		 " must have a lower index",
		 index, context->parent);
  if (context->mib < tables->mib_count)
    return true;
  if (tables->header.state == HEAPPROF_RAW_RUNNING || context->mib == 0)
    {
      context->mib = 0;
      return true;
    }
  return FAIL (HEAPPROF_RAW_CONTEXTS, index, 12,
	       "context %" PRIu64 ": invalid MIB %" PRIu32
	       " (expected less than %" PRIu64 ")",
	       index, context->mib, tables->mib_count);
}

bool
raw_tables_mib_counts (const struct raw_tables *tables, uint64_t index)
{
  const struct heapprof_raw_mib *mib = &tables->mibs[index];
  return ((mib->state & HEAPPROF_RAW_EPOCH_MASK) == tables->header.epoch
	  && (mib->alloc_count != 0 || mib->count != 0 || mib->wide != 0));
}

static bool
check_wide_link (struct raw_tables *tables, uint64_t index,
		 struct byte_reader *reader)
{
  struct heapprof_raw_mib *mib = &tables->mibs[index];
  if (mib->wide == 0)
    return true;
  if (mib->wide >= tables->wide_count)
    {
      bool running = tables->header.state == HEAPPROF_RAW_RUNNING;
      if (!running)
	return FAIL (HEAPPROF_RAW_MIBS, index, 4,
		     "MIB %" PRIu64 ": invalid wide record %" PRIu32
		     " (expected less than %" PRIu64 ")",
		     index, mib->wide, tables->wide_count);
      mib->wide = 0;
      return true;
    }
  uint32_t back = tables->wide[mib->wide].mib;
  if (back == index)
    return true;
  return FAIL (HEAPPROF_RAW_MIBS, index, 4,
	       "MIB %" PRIu64 ": wide record %" PRIu32
	       " belongs to MIB %" PRIu32,
	       index, mib->wide, back);
}

static bool
check_mib (struct raw_tables *tables, uint64_t index,
	   struct byte_reader *reader)
{
  struct heapprof_raw_mib *mib = &tables->mibs[index];
  if (mib->context >= tables->context_count)
    {
      if (tables->header.state != HEAPPROF_RAW_RUNNING)
	return FAIL (HEAPPROF_RAW_MIBS, index, 0,
		     "MIB %" PRIu64 ": invalid context %" PRIu32
		     " (expected less than %" PRIu64 ")",
		     index, mib->context, tables->context_count);
      memset (mib, 0, sizeof *mib);
      return true;
    }
  if (!check_wide_link (tables, index, reader))
    return false;
  if (raw_tables_mib_counts (tables, index))
    {
      tables->next_mib[index] = tables->first_mib[mib->context];
      tables->first_mib[mib->context] = index;
    }
  return true;
}

/* Check that every context's MIB belongs to that context.  */
static bool
check_context_mib (const struct raw_tables *tables, uint64_t index,
		   struct byte_reader *reader)
{
  uint32_t mib = tables->contexts[index].mib;
  if (mib == 0 || tables->mibs[mib].context == index
      || tables->header.state == HEAPPROF_RAW_RUNNING)
    return true;
  return FAIL (HEAPPROF_RAW_CONTEXTS, index, 12,
	       "context %" PRIu64 ": MIB %" PRIu32
	       " belongs to context %" PRIu32,
	       index, mib, tables->mibs[mib].context);
}

static bool
check_segment (const struct raw_tables *tables, uint64_t index,
	       struct byte_reader *reader)
{
  const struct heapprof_raw_segment *segment = &tables->segments[index];
  if (segment->start >= segment->end)
    return FAIL (HEAPPROF_RAW_SEGMENTS, index, 0,
		 "segment %" PRIu64 ": end 0x%" PRIx64
		 " must be after start 0x%" PRIx64,
		 index, segment->end, segment->start);
  if (!raw_tables_string_is_whole (tables, segment->path))
    return FAIL (HEAPPROF_RAW_SEGMENTS, index, 24,
		 "segment %" PRIu64 ": path at %" PRIu64
		 " is not a valid string (%" PRIu64 " bytes of strings)",
		 index, segment->path, tables->string_bytes);
  if (segment->end_context != 0
      && segment->first_context > segment->end_context)
    return FAIL (HEAPPROF_RAW_SEGMENTS, index, 48,
		 "segment %" PRIu64 ": invalid context range %" PRIu32
		 " to %" PRIu32,
		 index, segment->first_context, segment->end_context);
  if (segment->build_id_bytes > HEAPPROF_RAW_BUILD_ID_BYTES)
    return FAIL (HEAPPROF_RAW_SEGMENTS, index, 56,
		 "segment %" PRIu64 ": invalid build ID size %" PRIu32
		 " bytes (expected at most %d)",
		 index, segment->build_id_bytes, HEAPPROF_RAW_BUILD_ID_BYTES);
  return true;
}

static bool
check_live (struct raw_tables *tables, uint64_t index,
	    struct byte_reader *reader)
{
  uint32_t mib = tables->live[index].mib;
  if (mib == 0 || mib >= tables->mib_count)
    return FAIL (HEAPPROF_RAW_LIVE, index, 0,
		 "live record %" PRIu64 ": invalid MIB %" PRIu32
		 " (expected less than %" PRIu64 ")",
		 index, mib, tables->mib_count);
  if (tables->live_of_mib[mib] != 0)
    return FAIL (HEAPPROF_RAW_LIVE, index, 0,
		 "live records %" PRIu32 " and %" PRIu64
		 " have the same MIB %" PRIu32,
		 tables->live_of_mib[mib] - 1, index, mib);
  tables->live_of_mib[mib] = index + 1;
  return true;
}

static bool
check_histogram (struct raw_tables *tables, uint64_t index,
		 struct byte_reader *reader)
{
  struct heapprof_raw_histogram *histogram = &tables->histograms[index];
  if (histogram->context >= tables->context_count)
    {
      if (tables->header.state != HEAPPROF_RAW_RUNNING)
	return FAIL (HEAPPROF_RAW_HISTOGRAM, index, 0,
		     "histogram %" PRIu64 ": invalid context %" PRIu32
		     " (expected less than %" PRIu64 ")",
		     index, histogram->context, tables->context_count);
      memset (histogram, 0, sizeof *histogram);
    }
  if (histogram->first_word
      > HEAPPROF_RAW_HISTOGRAM_WORDS - HEAPPROF_RAW_HISTOGRAM_COUNTS)
    return FAIL (HEAPPROF_RAW_HISTOGRAM, index, 4,
		 "histogram %" PRIu64 ": invalid start word %" PRIu32, index,
		 histogram->first_word);
  return true;
}

/* A record without a first context is unused.  */
static bool
check_affinity (struct raw_tables *tables, uint64_t index,
		struct byte_reader *reader)
{
  struct heapprof_raw_affinity *affinity = &tables->affinities[index];
  if (affinity->first == 0
      || (affinity->first <= affinity->second
	  && affinity->second < tables->context_count))
    return true;
  if (tables->header.state != HEAPPROF_RAW_RUNNING)
    return FAIL (HEAPPROF_RAW_AFFINITY, index, 0,
		 "affinity %" PRIu64 ": invalid contexts %" PRIu32
		 " and %" PRIu32 " (expected less than %" PRIu64 ")",
		 index, affinity->first, affinity->second,
		 tables->context_count);
  memset (affinity, 0, sizeof *affinity);
  return true;
}

/* Find the records of the last search for lost blocks in a mapped file.  That
   of a running process may have been read before they were counted.  */
static bool
check_leaks (struct raw_tables *tables, struct byte_reader *reader)
{
  const struct heapprof_raw_header *header = &tables->header;
  bool is_running = header->state == HEAPPROF_RAW_RUNNING;
  uint64_t first = (uint32_t) header->leak_records;
  uint64_t count = header->leak_records >> 32;
  if (tables->is_packed || header->leak_state != HEAPPROF_RAW_LEAKS_KNOWN)
    return true;
  if (first + count > tables->leak_count)
    return is_running
	   || byte_reader_fail (reader,
				offsetof (struct heapprof_raw_header,
					  leak_records),
				"invalid leaks %" PRIu64 " to %" PRIu64
				" (expected at most %" PRIu64 ")",
				first, first + count, tables->leak_count);
  for (uint64_t i = first; i < first + count; i++)
    if (tables->leaks[i].context >= tables->context_count)
      return is_running
	     || FAIL (HEAPPROF_RAW_LEAK, i, 0,
		      "leak %" PRIu64 ": invalid context %" PRIu32
		      " (expected less than %" PRIu64 ")",
		      i, tables->leaks[i].context, tables->context_count);
  tables->has_leaks = true;
  tables->first_leak = first;
  tables->found_leaks = count;
  return true;
}

/* Check the name at *OFFSET, at byte FIELD of interpreted frame INDEX.  */
static bool
check_name (const struct raw_tables *tables, uint64_t index, uint64_t *offset,
	    uint64_t field, struct byte_reader *reader)
{
  if (raw_tables_string_is_whole (tables, *offset))
    return true;
  if (tables->header.state != HEAPPROF_RAW_RUNNING)
    return FAIL (HEAPPROF_RAW_INTERPRETED, index, field,
		 "interpreted frame %" PRIu64 ": name at %" PRIu64
		 " is not a valid string (%" PRIu64 " bytes of strings)",
		 index, *offset, tables->string_bytes);
  *offset = 0;
  return true;
}

/* Those of a packed file were made when it was read.  */
static bool
check_interpreted (struct raw_tables *tables, struct byte_reader *reader)
{
  for (uint64_t i = 0; i < tables->interpreted_count; i++)
    {
      struct heapprof_raw_interpreted *frame = &tables->interpreted[i];
      if (!check_name (tables, i, &frame->function, 0, reader)
	  || !check_name (tables, i, &frame->file, 8, reader))
	return false;
    }
  return true;
}

bool
raw_tables_check_segments (const struct raw_tables *tables,
			   struct byte_reader *reader)
{
  if (!check_program_name (tables, reader))
    return false;
  for (uint64_t i = 0; i < tables->segment_count; i++)
    if (!check_segment (tables, i, reader))
      return false;
  return true;
}

/* Build the lists of the MIBs of a packed file.  References between them and
   contexts were checked when they were read.  */
static void
link_packed_mibs (struct raw_tables *tables)
{
  /* Backwards, so that lists are in file order.  */
  for (uint64_t i = tables->mib_count; i-- > 1;)
    {
      const struct raw_packed_mib *mib = &tables->packed_mibs[i];
      if (mib->alloc_count == 0 && !mib->is_observed && mib->peak_count == 0)
	continue;
      tables->next_mib[i] = tables->first_mib[mib->context];
      tables->first_mib[mib->context] = i;
    }
}

/* Check contexts and MIBs of a mapped file, and build the same lists.  */
static bool
check_mibs (struct raw_tables *tables, struct byte_reader *reader)
{
  for (uint64_t i = 0; i < tables->context_count; i++)
    if (!check_context (tables, i, reader))
      return false;
  /* Backwards, as above.  */
  for (uint64_t i = tables->mib_count; i-- > 1;)
    if (!check_mib (tables, i, reader))
      return false;
  for (uint64_t i = 0; i < tables->context_count; i++)
    if (!check_context_mib (tables, i, reader))
      return false;
  return true;
}

bool
raw_tables_check (struct raw_tables *tables, struct byte_reader *reader)
{
  tables->live_of_mib
    = calloc (tables->mib_count + 1, sizeof *tables->live_of_mib);
  tables->first_mib
    = calloc (tables->context_count + 1, sizeof *tables->first_mib);
  tables->next_mib = calloc (tables->mib_count + 1, sizeof *tables->next_mib);
  if (!tables->live_of_mib || !tables->first_mib || !tables->next_mib)
    return byte_reader_fail_memory (reader);
  if (!check_program_name (tables, reader))
    return false;
  if (tables->is_packed)
    link_packed_mibs (tables);
  else if (!check_mibs (tables, reader))
    return false;
  for (uint64_t i = 0; i < tables->segment_count; i++)
    if (!check_segment (tables, i, reader))
      return false;
  for (uint64_t i = 0; i < tables->live_count; i++)
    if (!check_live (tables, i, reader))
      return false;
  for (uint64_t i = 0; i < tables->histogram_count; i++)
    if (!check_histogram (tables, i, reader))
      return false;
  for (uint64_t i = 0; i < tables->affinity_count; i++)
    if (!check_affinity (tables, i, reader))
      return false;
  return check_leaks (tables, reader)
	 && (tables->is_packed || check_interpreted (tables, reader));
}
