/* Raw profiles: decoding the mapped form.
   SPDX-License-Identifier: GPL-3.0-or-later

   Fields are read one by one in the order of the structures in
   heapprof/raw-format.h, so the byte order and alignment of the file do not
   matter. raw-unpack.c reads packed files.  The file of a process that is
   running, or was killed, has extents that are not full, and may be longer than
   they need.  */

#include "raw-tables.h"
#include "heapprof/raw-brief.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
  const char *name;
  uint32_t record_bytes;
} kinds[] = {
  [HEAPPROF_RAW_CONTEXTS] = { "context", sizeof (struct heapprof_raw_context) },
  [HEAPPROF_RAW_MIBS] = { "MIB", sizeof (struct heapprof_raw_mib) },
  [HEAPPROF_RAW_SEGMENTS] = { "segment", sizeof (struct heapprof_raw_segment) },
  [HEAPPROF_RAW_STRINGS] = { "string", 1 },
  [HEAPPROF_RAW_LIVE] = { "live", sizeof (struct heapprof_raw_live) },
  [HEAPPROF_RAW_WIDE] = { "wide", sizeof (struct heapprof_raw_wide) },
  [HEAPPROF_RAW_HISTOGRAM]
  = { "histogram", sizeof (struct heapprof_raw_histogram) },
  [HEAPPROF_RAW_AFFINITY]
  = { "affinity", sizeof (struct heapprof_raw_affinity) },
  [HEAPPROF_RAW_LEAK] = { "leak", sizeof (struct heapprof_raw_leak) },
  [HEAPPROF_RAW_MOMENTS] = { "moment", sizeof (struct heapprof_raw_moment) },
  [HEAPPROF_RAW_TIMELINE]
  = { "timeline", sizeof (struct heapprof_raw_timeline) },
  [HEAPPROF_RAW_MARKS] = { "mark", sizeof (struct heapprof_raw_mark) },
  [HEAPPROF_RAW_MARKED] = { "marked", sizeof (struct heapprof_raw_live) },
  [HEAPPROF_RAW_THREADS] = { "thread", sizeof (struct heapprof_raw_thread) },
  [HEAPPROF_RAW_INTERPRETED]
  = { "interpreted", sizeof (struct heapprof_raw_interpreted) },
  [HEAPPROF_RAW_BRIEFS] = { "brief MIB", sizeof (struct heapprof_raw_brief) },
  [HEAPPROF_RAW_ORIGINS] = { "origin", sizeof (struct heapprof_raw_origin) }
};

static const uint32_t kind_end = sizeof kinds / sizeof kinds[0];

/* Return true if files of VERSION have records of KIND.  */
static bool
version_has (uint32_t version, uint32_t kind)
{
  if (kind == HEAPPROF_RAW_ORIGINS)
    return version >= HEAPPROF_RAW_VERSION_ORIGINS;
  if (kind == HEAPPROF_RAW_BRIEFS)
    return version >= HEAPPROF_RAW_VERSION_BRIEFS;
  return version >= HEAPPROF_RAW_VERSION_MOMENTS || kind < HEAPPROF_RAW_MOMENTS
	 || kind > HEAPPROF_RAW_MARKED;
}

/* Return the size of records of KIND in files of VERSION.  */
static uint32_t
record_bytes_of (uint32_t version, uint32_t kind)
{
  return kind == HEAPPROF_RAW_BRIEFS && version < HEAPPROF_RAW_VERSION_ORIGINS
	   ? sizeof (struct heapprof_raw_brief_6)
	   : kinds[kind].record_bytes;
}

const char *
raw_kind_name (uint32_t kind)
{
  return kinds[kind].name;
}

uint64_t
raw_tables_offset (const struct raw_tables *tables, uint32_t kind,
		   uint64_t index)
{
  for (uint64_t i = 0; i < tables->header.extent_count; i++)
    {
      const struct heapprof_raw_extent *extent = &tables->header.extents[i];
      if (extent->kind != kind)
	continue;
      if (index < extent->count)
	return extent->offset + index * extent->record_bytes;
      index -= extent->count;
    }
  return PROFILE_ERROR_NO_OFFSET;
}

/* Check the magic, set the byte order, and check everything on which the
   interpretation of the file depends.  Leave READER after the version.  */
static bool
decode_identity (struct heapprof_raw_header *header, struct byte_reader *reader)
{
  const void *magic
    = byte_reader_bytes (reader, HEAPPROF_RAW_MAGIC_BYTES, "the magic");
  if (!magic)
    return false;
  memcpy (header->magic, magic, HEAPPROF_RAW_MAGIC_BYTES);
  static const uint8_t no_magic[HEAPPROF_RAW_MAGIC_BYTES];
  if (memcmp (magic, no_magic, sizeof no_magic) == 0)
    return byte_reader_fail (reader, 0,
			     "missing magic: not a raw heap profile, or the "
			     "process died while creating it");
  if (memcmp (magic, HEAPPROF_RAW_MAGIC, HEAPPROF_RAW_MAGIC_BYTES) != 0)
    return byte_reader_fail (reader, 0, "not a raw heap profile");
  header->byte_order = byte_reader_u32 (reader, "the byte order");
  if (header->byte_order == __builtin_bswap32 (HEAPPROF_RAW_BYTE_ORDER))
    {
      reader->big_endian = true;
      header->byte_order = HEAPPROF_RAW_BYTE_ORDER;
    }
  if (!reader->failed && header->byte_order != HEAPPROF_RAW_BYTE_ORDER)
    return byte_reader_fail (reader, 8,
			     "invalid byte order mark 0x%08" PRIx32
			     " (expected 0x%08x in either byte order)",
			     header->byte_order, HEAPPROF_RAW_BYTE_ORDER);
  header->version = byte_reader_u32 (reader, "the version");
  if (reader->failed
      || (header->version >= HEAPPROF_RAW_VERSION_MIN
	  && header->version <= HEAPPROF_RAW_VERSION))
    return !reader->failed;
  return byte_reader_fail (reader, 12,
			   "version %" PRIu32 " is %s (supports %d to %d)",
			   header->version,
			   header->version > HEAPPROF_RAW_VERSION
			     ? "newer than this tool"
			     : "unknown",
			   HEAPPROF_RAW_VERSION_MIN, HEAPPROF_RAW_VERSION);
}

static void
decode_extent (struct heapprof_raw_extent *extent, struct byte_reader *reader)
{
  extent->kind = byte_reader_u32 (reader, "an extent");
  extent->record_bytes = byte_reader_u32 (reader, "an extent");
  extent->offset = byte_reader_u64 (reader, "an extent");
  extent->capacity = byte_reader_u64 (reader, "an extent");
  extent->count = byte_reader_u64 (reader, "an extent");
}

static bool
decode_header (struct heapprof_raw_header *header, struct byte_reader *reader)
{
  static const char what[] = "the header";
  if (!byte_reader_need (reader, HEAPPROF_RAW_HEADER_BYTES - 16, 1, what))
    return false;
  header->header_bytes = byte_reader_u32 (reader, what);
  header->word_bytes = byte_reader_u8 (reader, what);
  header->granule_shift = byte_reader_u8 (reader, what);
  header->flags = byte_reader_u8 (reader, what);
  header->more_flags = byte_reader_u8 (reader, what);
  header->machine = byte_reader_u32 (reader, what);
  header->state = byte_reader_u32 (reader, what);
  memcpy (header->run_id,
	  byte_reader_bytes (reader, sizeof header->run_id, what),
	  sizeof header->run_id);
  header->snapshot = byte_reader_u64 (reader, what);
  header->pid = byte_reader_u64 (reader, what);
  header->parent_pid = byte_reader_u64 (reader, what);
  header->start_time_ns = byte_reader_u64 (reader, what);
  header->end_time_ns = byte_reader_u64 (reader, what);
  header->program_name = byte_reader_u64 (reader, what);
  header->dropped_contexts = byte_reader_u64 (reader, what);
  header->truncated_contexts = byte_reader_u64 (reader, what);
  header->unprofiled_allocations = byte_reader_u64 (reader, what);
  header->foreign_frees = byte_reader_u64 (reader, what);
  header->ended_walks = byte_reader_u64 (reader, what);
  header->folded_contexts = byte_reader_u64 (reader, what);
  header->pruned_contexts = byte_reader_u64 (reader, what);
  header->peak_bytes = byte_reader_u64 (reader, what);
  header->memory_bytes = byte_reader_u64 (reader, what);
  header->table_bytes = byte_reader_u64 (reader, what);
  header->start_ticks = byte_reader_u64 (reader, what);
  header->pid_namespace = byte_reader_u64 (reader, what);
  header->boot_id[0] = byte_reader_u64 (reader, what);
  header->boot_id[1] = byte_reader_u64 (reader, what);
  header->peak_number = byte_reader_u64 (reader, what);
  header->peak_ns = byte_reader_u64 (reader, what);
  header->mark_request = byte_reader_u64 (reader, what);
  memcpy (header->mark_label,
	  byte_reader_bytes (reader, sizeof header->mark_label, what),
	  sizeof header->mark_label);
  header->leak_state = byte_reader_u64 (reader, what);
  header->leak_ns = byte_reader_u64 (reader, what);
  header->leak_records = byte_reader_u64 (reader, what);
  header->missed_frees = byte_reader_u64 (reader, what);
  header->sample_bytes = byte_reader_u64 (reader, what);
  header->sample_accesses = byte_reader_u64 (reader, what);
  header->other_accesses = byte_reader_u64 (reader, what);
  byte_reader_bytes (reader, sizeof header->reserved1, what);
  header->extent_count = byte_reader_u64 (reader, what);
  header->epoch = byte_reader_u64 (reader, what);
  return !reader->failed;
}

static uint64_t
extent_descriptor (uint64_t index)
{
  return offsetof (struct heapprof_raw_header, extents)
	 + index * sizeof (struct heapprof_raw_extent);
}

static bool
check_header (const struct heapprof_raw_header *header,
	      struct byte_reader *reader)
{
  if (header->header_bytes != HEAPPROF_RAW_HEADER_BYTES)
    return byte_reader_fail (reader, 16,
			     "invalid header size %" PRIu32
			     " bytes (version %d has %d)",
			     header->header_bytes, HEAPPROF_RAW_VERSION,
			     HEAPPROF_RAW_HEADER_BYTES);
  if (header->word_bytes != 4 && header->word_bytes != 8)
    return byte_reader_fail (reader, 20,
			     "invalid word size %d bytes (expected 4 or 8)",
			     header->word_bytes);
  if (header->state > HEAPPROF_RAW_SNAPSHOT)
    return byte_reader_fail (reader, 28, "unknown state %" PRIu32,
			     header->state);
  if (header->extent_count > HEAPPROF_RAW_MAX_EXTENTS)
    return byte_reader_fail (reader, 496,
			     "invalid number of extents %" PRIu64
			     " (expected at most %d)",
			     header->extent_count, HEAPPROF_RAW_MAX_EXTENTS);
  return true;
}

/* Check extent INDEX by itself.  */
static bool
check_extent (const struct heapprof_raw_header *header, uint64_t index,
	      struct byte_reader *reader)
{
  const struct heapprof_raw_extent *extent = &header->extents[index];
  uint64_t at = extent_descriptor (index);
  if (extent->kind == 0 || extent->kind >= kind_end
      || kinds[extent->kind].name == NULL
      || !version_has (header->version, extent->kind))
    return byte_reader_fail (reader, at,
			     "extent %" PRIu64 ": unknown kind %" PRIu32, index,
			     extent->kind);
  const char *name = raw_kind_name (extent->kind);
  uint32_t expected = record_bytes_of (header->version, extent->kind);
  if (extent->record_bytes != expected)
    return byte_reader_fail (reader, at + 4,
			     "invalid %s record size %" PRIu32
			     " bytes (version %" PRIu32 " has %" PRIu32 ")",
			     name, extent->record_bytes, header->version,
			     expected);
  if (extent->offset < header->header_bytes || extent->offset % 8 != 0)
    return byte_reader_fail (reader, at + 8,
			     "%s extent %" PRIu64 ": invalid offset 0x%" PRIx64
			     " (expected a multiple of 8, at least %" PRIu32
			     ")",
			     name, index, extent->offset, header->header_bytes);
  if (extent->capacity > (UINT64_MAX - extent->offset) / extent->record_bytes)
    return byte_reader_fail (reader, at + 16,
			     "%s extent %" PRIu64
			     ": invalid capacity of %" PRIu64 " records",
			     name, index, extent->capacity);
  if (extent->count > extent->capacity)
    return byte_reader_fail (reader, at + 24,
			     "%s extent %" PRIu64 ": %" PRIu64
			     " records exceed the capacity of %" PRIu64,
			     name, index, extent->count, extent->capacity);
  uint64_t left
    = extent->offset < reader->end ? reader->end - extent->offset : 0;
  uint64_t bytes = extent->count * extent->record_bytes;
  if (bytes > left)
    return byte_reader_fail (reader, extent->offset,
			     "%s extent %" PRIu64
			     " ends after the file (need %" PRIu64
			     " bytes, %" PRIu64 " left)",
			     name, index, bytes, left);
  return true;
}

static uint64_t
extent_end (const struct heapprof_raw_extent *extent)
{
  return extent->offset + extent->capacity * extent->record_bytes;
}

/* Check extent INDEX against those before it.  */
static bool
check_extent_pairs (const struct heapprof_raw_header *header, uint64_t index,
		    struct byte_reader *reader)
{
  const struct heapprof_raw_extent *extent = &header->extents[index];
  for (uint64_t i = 0; i < index; i++)
    {
      const struct heapprof_raw_extent *other = &header->extents[i];
      if (extent->offset < extent_end (other)
	  && other->offset < extent_end (extent))
	return byte_reader_fail (reader, extent_descriptor (index) + 8,
				 "extents %" PRIu64 " and %" PRIu64
				 " overlap at 0x%" PRIx64,
				 i, index,
				 extent->offset > other->offset
				   ? extent->offset
				   : other->offset);
      /* Otherwise the numbers of later records would change.  */
      if (other->kind == extent->kind && other->count < other->capacity)
	return byte_reader_fail (
	  reader, extent_descriptor (i) + 24,
	  "%s extent %" PRIu64 " is not full (%" PRIu64 " of %" PRIu64
	  " records), but is followed by extent %" PRIu64,
	  raw_kind_name (extent->kind), i, other->count, other->capacity,
	  index);
    }
  return true;
}

/* Return the number of records of KIND.  */
static uint64_t
count_records (const struct heapprof_raw_header *header, uint32_t kind)
{
  uint64_t count = 0;
  for (uint64_t i = 0; i < header->extent_count; i++)
    if (header->extents[i].kind == kind)
      count += header->extents[i].count;
  return count;
}

static void
decode_range (struct heapprof_raw_range *range, struct byte_reader *reader)
{
  range->total = byte_reader_u64 (reader, "a range");
  range->min = byte_reader_u64 (reader, "a range");
  range->max = byte_reader_u64 (reader, "a range");
}

static void
decode_observations (struct heapprof_raw_observations *observations,
		     struct byte_reader *reader)
{
  static const char what[] = "observations";
  observations->count = byte_reader_u64 (reader, what);
  decode_range (&observations->access_count, reader);
  decode_range (&observations->size, reader);
  decode_range (&observations->lifetime_ns, reader);
  decode_range (&observations->utilization, reader);
  decode_range (&observations->access_density, reader);
  decode_range (&observations->lifetime_access_density, reader);
  observations->first_alloc_ns = byte_reader_u64 (reader, what);
  observations->last_alloc_ns = byte_reader_u64 (reader, what);
  observations->first_dealloc_ns = byte_reader_u64 (reader, what);
  observations->last_dealloc_ns = byte_reader_u64 (reader, what);
  observations->alloc_cpu = byte_reader_u32 (reader, what);
  observations->dealloc_cpu = byte_reader_u32 (reader, what);
  observations->migrated_cpu = byte_reader_u64 (reader, what);
  observations->lifetime_overlaps = byte_reader_u64 (reader, what);
  observations->same_alloc_cpu = byte_reader_u64 (reader, what);
  observations->same_dealloc_cpu = byte_reader_u64 (reader, what);
}

static void
decode_context (void *record, struct byte_reader *reader)
{
  struct heapprof_raw_context *context = record;
  context->return_address = byte_reader_u64 (reader, "a context");
  context->parent = byte_reader_u32 (reader, "a context");
  context->mib = byte_reader_u32 (reader, "a context");
}

static void
decode_narrow_range (struct heapprof_raw_narrow_range *range,
		     struct byte_reader *reader)
{
  range->total = byte_reader_u32 (reader, "a range");
  range->min = byte_reader_u32 (reader, "a range");
  range->max = byte_reader_u32 (reader, "a range");
}

static void
decode_mib (void *record, struct byte_reader *reader)
{
  static const char what[] = "a MIB";
  struct heapprof_raw_mib *mib = record;
  mib->context = byte_reader_u32 (reader, what);
  mib->wide = byte_reader_u32 (reader, what);
  mib->alloc_bytes = byte_reader_u64 (reader, what);
  mib->alloc_count = byte_reader_u32 (reader, what);
  mib->state = byte_reader_u16 (reader, what);
  mib->migrated_cpu = byte_reader_u16 (reader, what);
  mib->count = byte_reader_u32 (reader, what);
  mib->utilization_total = byte_reader_u32 (reader, what);
  decode_narrow_range (&mib->access_count, reader);
  decode_narrow_range (&mib->size, reader);
  mib->lifetime = byte_reader_u64 (reader, what);
  mib->min_lifetime_ns = byte_reader_u32 (reader, what);
  mib->max_lifetime_ns = byte_reader_u32 (reader, what);
  decode_narrow_range (&mib->access_density, reader);
  decode_narrow_range (&mib->lifetime_access_density, reader);
  mib->same_alloc_cpu = byte_reader_u16 (reader, what);
  mib->same_dealloc_cpu = byte_reader_u16 (reader, what);
  mib->last_lifetime_ns = byte_reader_u32 (reader, what);
  mib->first_alloc = byte_reader_u64 (reader, what);
  mib->first_dealloc = byte_reader_u64 (reader, what);
  mib->last_dealloc = byte_reader_u64 (reader, what);
}

static void
decode_brief (void *record, struct byte_reader *reader)
{
  static const char what[] = "a brief MIB";
  struct heapprof_raw_brief *brief = record;
  brief->state = byte_reader_u16 (reader, what);
  brief->alloc_count = byte_reader_u8 (reader, what);
  brief->count = byte_reader_u8 (reader, what);
  if (heapprof_raw_brief_is_grown (brief))
    brief->full = byte_reader_u32 (reader, what);
  else
    {
      brief->size = byte_reader_u16 (reader, what);
      brief->accesses = byte_reader_u16 (reader, what);
    }
  brief->number = byte_reader_u32 (reader, what);
  brief->lifetime_access_density = byte_reader_u32 (reader, what);
  brief->lifetime = byte_reader_u64 (reader, what);
  brief->min_lifetime = byte_reader_u64 (reader, what);
  brief->max_lifetime = byte_reader_u64 (reader, what);
  brief->last_lifetime = byte_reader_u64 (reader, what);
  brief->last_dealloc = byte_reader_u64 (reader, what);
  brief->lifetime_bytes = byte_reader_u64 (reader, what);
}

static void
decode_origin (void *record, struct byte_reader *reader)
{
  static const char what[] = "an origin";
  struct heapprof_raw_origin *origin = record;
  origin->context = byte_reader_u32 (reader, what);
  origin->first_bytes = byte_reader_u16 (reader, what);
  origin->reserved0 = byte_reader_u16 (reader, what);
  origin->first_alloc = byte_reader_u64 (reader, what);
  origin->first_dealloc = byte_reader_u64 (reader, what);
}

/* The same of version 6.  */
static void
decode_brief_6 (void *record, struct byte_reader *reader)
{
  static const char what[] = "a brief MIB";
  struct heapprof_raw_brief_6 *brief = record;
  brief->context = byte_reader_u32 (reader, what);
  brief->alloc_cpu = byte_reader_u8 (reader, what);
  brief->dealloc_cpu = byte_reader_u8 (reader, what);
  brief->migrated_cpu = byte_reader_u8 (reader, what);
  brief->lifetime_overlaps = byte_reader_u8 (reader, what);
  brief->state = byte_reader_u16 (reader, what);
  brief->alloc_count = byte_reader_u8 (reader, what);
  brief->count = byte_reader_u8 (reader, what);
  if (brief->state == HEAPPROF_RAW_GROWN)
    brief->full = byte_reader_u32 (reader, what);
  else
    {
      brief->size = byte_reader_u16 (reader, what);
      brief->accesses = byte_reader_u16 (reader, what);
    }
  brief->lifetime = byte_reader_u64 (reader, what);
  brief->min_lifetime_ns = byte_reader_u32 (reader, what);
  brief->max_lifetime_ns = byte_reader_u32 (reader, what);
  brief->first_alloc = byte_reader_u64 (reader, what);
  brief->last_dealloc = byte_reader_u64 (reader, what);
  brief->last_lifetime_ns = byte_reader_u32 (reader, what);
  brief->first_lifetime_ns = byte_reader_u32 (reader, what);
  brief->lifetime_access_density = byte_reader_u32 (reader, what);
  brief->number = byte_reader_u32 (reader, what);
  brief->lifetime_bytes = byte_reader_u64 (reader, what);
}

static void
decode_wide (void *record, struct byte_reader *reader)
{
  struct heapprof_raw_wide *wide = record;
  wide->mib = byte_reader_u32 (reader, "a wide record");
  wide->reserved0 = byte_reader_u32 (reader, "a wide record");
  decode_observations (&wide->observations, reader);
  raw_read_variances (&wide->variances, byte_reader_u64, reader);
}

static void
decode_histogram (void *record, struct byte_reader *reader)
{
  struct heapprof_raw_histogram *histogram = record;
  histogram->context = byte_reader_u32 (reader, "a histogram");
  histogram->first_word = byte_reader_u32 (reader, "a histogram");
  for (int i = 0; i < HEAPPROF_RAW_HISTOGRAM_COUNTS; i++)
    histogram->counts[i] = byte_reader_u64 (reader, "a histogram");
}

static void
decode_affinity (void *record, struct byte_reader *reader)
{
  struct heapprof_raw_affinity *affinity = record;
  affinity->first = byte_reader_u32 (reader, "an affinity");
  affinity->second = byte_reader_u32 (reader, "an affinity");
  affinity->lines = byte_reader_u64 (reader, "an affinity");
}

static void
decode_leak (void *record, struct byte_reader *reader)
{
  static const char what[] = "a leak";
  struct heapprof_raw_leak *leak = record;
  leak->context = byte_reader_u32 (reader, what);
  leak->reserved0 = byte_reader_u32 (reader, what);
  leak->lost_count = byte_reader_u32 (reader, what);
  leak->indirect_count = byte_reader_u32 (reader, what);
  leak->lost_bytes = byte_reader_u64 (reader, what);
  leak->indirect_bytes = byte_reader_u64 (reader, what);
}

static void
decode_thread (void *record, struct byte_reader *reader)
{
  static const char what[] = "a thread";
  struct heapprof_raw_thread *thread = record;
  thread->tid = byte_reader_u32 (reader, what);
  thread->epoch = byte_reader_u32 (reader, what);
  thread->start_ns = byte_reader_u64 (reader, what);
  thread->end_ns = byte_reader_u64 (reader, what);
  thread->alloc_bytes = byte_reader_u64 (reader, what);
  thread->alloc_count = byte_reader_u64 (reader, what);
  thread->free_bytes = byte_reader_u64 (reader, what);
  thread->free_count = byte_reader_u64 (reader, what);
  thread->peak_bytes = byte_reader_u64 (reader, what);
  thread->other_bytes = byte_reader_u64 (reader, what);
  thread->other_count = byte_reader_u64 (reader, what);
  thread->moment_number = byte_reader_u64 (reader, what);
  thread->moment_bytes = byte_reader_u64 (reader, what);
  thread->moment_count = byte_reader_u32 (reader, what);
  thread->threads = byte_reader_u32 (reader, what);
  thread->before = byte_reader_u32 (reader, what);
  thread->owner = byte_reader_u32 (reader, what);
  const void *name = byte_reader_bytes (reader, sizeof thread->name, what);
  if (name)
    memcpy (thread->name, name, sizeof thread->name);
}

static void
decode_interpreted (void *record, struct byte_reader *reader)
{
  static const char what[] = "an interpreted frame";
  struct heapprof_raw_interpreted *frame = record;
  frame->function = byte_reader_u64 (reader, what);
  frame->file = byte_reader_u64 (reader, what);
  frame->line = byte_reader_u32 (reader, what);
  frame->first_line = byte_reader_u32 (reader, what);
}

static void
decode_segment (void *record, struct byte_reader *reader)
{
  static const char what[] = "a segment";
  struct heapprof_raw_segment *segment = record;
  segment->start = byte_reader_u64 (reader, what);
  segment->end = byte_reader_u64 (reader, what);
  segment->load_bias = byte_reader_u64 (reader, what);
  segment->path = byte_reader_u64 (reader, what);
  segment->load_time_ns = byte_reader_u64 (reader, what);
  segment->unload_time_ns = byte_reader_u64 (reader, what);
  segment->first_context = byte_reader_u32 (reader, what);
  segment->end_context = byte_reader_u32 (reader, what);
  segment->build_id_bytes = byte_reader_u32 (reader, what);
  segment->reserved = byte_reader_u32 (reader, what);
  const void *build_id
    = byte_reader_bytes (reader, sizeof segment->build_id, what);
  if (build_id)
    memcpy (segment->build_id, build_id, sizeof segment->build_id);
}

static void
decode_live (void *record, struct byte_reader *reader)
{
  struct heapprof_raw_live *live = record;
  live->mib = byte_reader_u32 (reader, "a live record");
  live->count = byte_reader_u32 (reader, "a live record");
  live->bytes = byte_reader_u64 (reader, "a live record");
}

static void
decode_moment (void *record, struct byte_reader *reader)
{
  static const char what[] = "a moment";
  struct heapprof_raw_moment *moment = record;
  moment->number = byte_reader_u32 (reader, what);
  moment->count = byte_reader_u32 (reader, what);
  moment->bytes = byte_reader_u64 (reader, what);
  moment->lifetime_bytes = byte_reader_u64 (reader, what);
  moment->temporary = byte_reader_u64 (reader, what);
}

/* The same of versions 3 and 4.  */
static void
decode_moment_3 (void *record, struct byte_reader *reader)
{
  static const char what[] = "a moment";
  struct heapprof_raw_moment *moment = record;
  moment->number = (uint32_t) byte_reader_u64 (reader, what);
  moment->bytes = byte_reader_u64 (reader, what);
  moment->count = byte_reader_u32 (reader, what);
  byte_reader_u32 (reader, what);
  moment->temporary
    = byte_reader_u64 (reader, what) & HEAPPROF_RAW_TEMPORARY_MASK;
}

static void
decode_sample (struct heapprof_raw_sample *sample, struct byte_reader *reader)
{
  sample->max = byte_reader_u64 (reader, "a timeline");
  sample->end = byte_reader_u64 (reader, "a timeline");
  sample->mean = byte_reader_u64 (reader, "a timeline");
}

static void
decode_timeline (void *record, struct byte_reader *reader)
{
  static const char what[] = "a timeline";
  struct heapprof_raw_timeline *timeline = record;
  timeline->state = byte_reader_u64 (reader, what);
  timeline->live = byte_reader_u64 (reader, what);
  timeline->time_ns = byte_reader_u64 (reader, what);
  timeline->max = byte_reader_u64 (reader, what);
  timeline->area[0] = byte_reader_u64 (reader, what);
  timeline->area[1] = byte_reader_u64 (reader, what);
  byte_reader_bytes (reader, sizeof timeline->reserved, what);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < HEAPPROF_RAW_SAMPLES; j++)
      decode_sample (&timeline->samples[i][j], reader);
}

static void
decode_mark (void *record, struct byte_reader *reader)
{
  static const char what[] = "a mark";
  struct heapprof_raw_mark *mark = record;
  mark->time_ns = byte_reader_u64 (reader, what);
  mark->label = byte_reader_u64 (reader, what);
  mark->first = byte_reader_u32 (reader, what);
  mark->count = byte_reader_u32 (reader, what);
  mark->bytes = byte_reader_u64 (reader, what);
}

static void
decode_string_byte (void *record, struct byte_reader *reader)
{
  *(char *) record = byte_reader_u8 (reader, "a string");
}

/* Decode all records of KIND with DECODE, in order.  Return them, malloced,
   with room for one more, zeroed, and set *COUNT.  NULL if READER fails or has
   failed.  */
static void *
decode_records (const struct heapprof_raw_header *header, uint32_t kind,
		void (*decode) (void *, struct byte_reader *), uint64_t *count,
		struct byte_reader *reader)
{
  if (reader->failed)
    return NULL;
  size_t record_bytes = record_bytes_of (header->version, kind);
  *count = count_records (header, kind);
  if (*count > UINT32_MAX && kind != HEAPPROF_RAW_STRINGS)
    byte_reader_fail (reader, extent_descriptor (0),
		      "%" PRIu64 " %s records: count exceeds 32 bits", *count,
		      raw_kind_name (kind));
  char *records = reader->failed ? NULL : calloc (*count + 1, record_bytes);
  if (!records)
    {
      byte_reader_fail_memory (reader);
      return NULL;
    }
  char *next = records;
  for (uint64_t i = 0; i < header->extent_count; i++)
    {
      const struct heapprof_raw_extent *extent = &header->extents[i];
      if (extent->kind != kind || extent->count == 0)
	continue;
      byte_reader_seek (reader, extent->offset, raw_kind_name (kind));
      for (uint64_t j = 0; j < extent->count; j++, next += record_bytes)
	decode (next, reader);
    }
  return records;
}

/* Decode the brief MIBs of *TABLES.  To be called after the other records were
   decoded: if the process runs, what one has grown to exists then.  Origins
   have at least what their MIBs count.  */
static bool
decode_briefs (struct raw_tables *tables, struct byte_reader *reader)
{
  const struct heapprof_raw_header *header = &tables->header;
  if (header->version < HEAPPROF_RAW_VERSION_ORIGINS)
    {
      struct heapprof_raw_brief_6 *briefs
	= decode_records (header, HEAPPROF_RAW_BRIEFS, decode_brief_6,
			  &tables->brief_count, reader);
      bool is_done
	= !reader->failed && raw_briefs_renew (tables, briefs, reader);
      free (briefs);
      return is_done && raw_briefs_convert (tables, reader);
    }
  uint64_t origin_count;
  tables->briefs = decode_records (header, HEAPPROF_RAW_BRIEFS, decode_brief,
				   &tables->brief_count, reader);
  tables->origins = decode_records (header, HEAPPROF_RAW_ORIGINS, decode_origin,
				    &origin_count, reader);
  if (reader->failed)
    return false;
  if (tables->brief_count > origin_count)
    {
      if (header->state != HEAPPROF_RAW_RUNNING)
	return byte_reader_fail (reader, 0,
				 "%" PRIu64 " brief MIBs have only %" PRIu64
				 " origins",
				 tables->brief_count, origin_count);
      tables->brief_count = origin_count;
    }
  return raw_briefs_convert (tables, reader);
}

/* Return true if the file, whose identity READER has read, is packed.  */
static bool
is_packed (const struct byte_reader *reader)
{
  size_t flags = offsetof (struct heapprof_raw_header, flags);
  return (flags < reader->end
	  && (reader->data[flags] & HEAPPROF_RAW_PACKED) != 0);
}

bool
raw_tables_decode_start (struct raw_tables *tables, struct byte_reader *reader)
{
  memset (tables, 0, sizeof *tables);
  struct heapprof_raw_header *header = &tables->header;
  if (!decode_identity (header, reader))
    return false;
  if (is_packed (reader))
    return raw_tables_unpack_start (tables, reader);
  if (!decode_header (header, reader) || !check_header (header, reader))
    return false;
  for (uint64_t i = 0; i < header->extent_count; i++)
    decode_extent (&header->extents[i], reader);
  for (uint64_t i = 0; i < header->extent_count; i++)
    if (!check_extent (header, i, reader)
	|| !check_extent_pairs (header, i, reader))
      return false;
  tables->contexts
    = decode_records (header, HEAPPROF_RAW_CONTEXTS, decode_context,
		      &tables->context_count, reader);
  tables->mibs = decode_records (header, HEAPPROF_RAW_MIBS, decode_mib,
				 &tables->mib_count, reader);
  tables->segments
    = decode_records (header, HEAPPROF_RAW_SEGMENTS, decode_segment,
		      &tables->segment_count, reader);
  tables->strings
    = decode_records (header, HEAPPROF_RAW_STRINGS, decode_string_byte,
		      &tables->string_bytes, reader);
  tables->live = decode_records (header, HEAPPROF_RAW_LIVE, decode_live,
				 &tables->live_count, reader);
  tables->wide = decode_records (header, HEAPPROF_RAW_WIDE, decode_wide,
				 &tables->wide_count, reader);
  tables->histograms
    = decode_records (header, HEAPPROF_RAW_HISTOGRAM, decode_histogram,
		      &tables->histogram_count, reader);
  tables->affinities
    = decode_records (header, HEAPPROF_RAW_AFFINITY, decode_affinity,
		      &tables->affinity_count, reader);
  tables->leaks = decode_records (header, HEAPPROF_RAW_LEAK, decode_leak,
				  &tables->leak_count, reader);
  tables->mapped_threads
    = decode_records (header, HEAPPROF_RAW_THREADS, decode_thread,
		      &tables->mapped_thread_count, reader);
  tables->interpreted
    = decode_records (header, HEAPPROF_RAW_INTERPRETED, decode_interpreted,
		      &tables->interpreted_count, reader);
  tables->moments
    = decode_records (header, HEAPPROF_RAW_MOMENTS,
		      header->version >= HEAPPROF_RAW_VERSION_LIFETIMES
			? decode_moment
			: decode_moment_3,
		      &tables->moment_count, reader);
  tables->timelines
    = decode_records (header, HEAPPROF_RAW_TIMELINE, decode_timeline,
		      &tables->timeline_count, reader);
  tables->mapped_marks
    = decode_records (header, HEAPPROF_RAW_MARKS, decode_mark,
		      &tables->mapped_mark_count, reader);
  tables->mapped_marked
    = decode_records (header, HEAPPROF_RAW_MARKED, decode_live,
		      &tables->mapped_marked_count, reader);
  return !reader->failed && decode_briefs (tables, reader);
}

bool
raw_tables_decode_rest (struct raw_tables *tables, struct byte_reader *reader)
{
  return !tables->is_packed || raw_tables_unpack_rest (tables, reader);
}

bool
raw_tables_decode (struct raw_tables *tables, struct byte_reader *reader)
{
  return (raw_tables_decode_start (tables, reader)
	  && raw_tables_decode_rest (tables, reader));
}

void
raw_tables_free (struct raw_tables *tables)
{
  free (tables->contexts);
  free (tables->mibs);
  free (tables->briefs);
  free (tables->origins);
  free (tables->packed_mibs);
  info_table_free (&tables->infos);
  free (tables->segments);
  free (tables->live);
  free (tables->strings);
  free (tables->wide);
  free (tables->histograms);
  free (tables->affinities);
  free (tables->leaks);
  free (tables->mapped_threads);
  free (tables->threads);
  free (tables->interpreted);
  free (tables->moments);
  free (tables->timelines);
  free (tables->samples);
  free (tables->mapped_marks);
  free (tables->mapped_marked);
  free (tables->marks);
  free (tables->marked);
  free (tables->live_of_mib);
  free (tables->first_mib);
  free (tables->next_mib);
}
