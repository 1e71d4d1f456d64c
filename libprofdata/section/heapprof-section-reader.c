/* Reading the heapprof section.
   SPDX-License-Identifier: GPL-3.0-or-later

   The trailer's checksum covers the complete file, so that damage in LLVM's
   parts is detected, too.  It only protects against accidents: every number is
   still checked before it is used.  */

#include "heapprof-section.h"
#include "heapprof-section-fields.h"
#include "heapprof-details.h"
#include "heapprof-addresses.h"
#include "heapprof-affinities.h"
#include "heapprof-modules.h"
#include "heapprof-leaks.h"
#include "heapprof-lifetimes.h"
#include "heapprof-moments.h"
#include "heapprof-threads.h"
#include "function-id.h"
#include "gcov-section.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* State passed from one block to the next.  */
struct section_reader
{
  struct heap_profile *profile;
  struct counter_profile *counters;
  struct gcov_profile *gcov;
  uint32_t *strings; /* ids in the profile, by number in the file */
  uint32_t string_count;
  struct heapprof_addresses addresses;
  uint32_t *frames;
  uint32_t frame_count;
  uint32_t *contexts;
  uint32_t context_count;
};

typedef void block_parser (struct section_reader *section,
			   struct byte_reader *reader);

void
heapprof_section_read_totals (struct byte_reader *reader,
			      struct heap_totals *totals)
{
  static const char what[] = "the totals";
  totals->runs = byte_reader_uleb128 (reader, what);
  totals->incomplete_runs = byte_reader_uleb128 (reader, what);
  totals->dropped_contexts = byte_reader_uleb128 (reader, what);
  totals->truncated_contexts = byte_reader_uleb128 (reader, what);
  totals->unprofiled_allocations = byte_reader_uleb128 (reader, what);
  totals->foreign_frees = byte_reader_uleb128 (reader, what);
  totals->ended_walks = byte_reader_uleb128 (reader, what);
  totals->folded_contexts = byte_reader_uleb128 (reader, what);
  totals->pruned_contexts = byte_reader_uleb128 (reader, what);
  totals->duration_ns = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->peak_bytes = byte_reader_uleb128 (reader, what);
  totals->memory_bytes = byte_reader_uleb128 (reader, what);
  totals->table_bytes = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->running_runs = byte_reader_uleb128 (reader, what);
  totals->unknown_runs = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->attached_runs = byte_reader_uleb128 (reader, what);
  totals->missed_frees = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->refused_runs = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->sampled_runs = byte_reader_uleb128 (reader, what);
  totals->sample_bytes = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->totals_only_runs = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->watched_runs = byte_reader_uleb128 (reader, what);
  if (byte_reader_left (reader) == 0)
    return;
  totals->overall_runs = byte_reader_uleb128 (reader, what);
  totals->overall_accesses = byte_reader_uleb128 (reader, what);
}

static void
read_totals (struct section_reader *section, struct byte_reader *reader)
{
  heapprof_section_read_totals (reader, heap_profile_totals (section->profile));
}

/* Read a number of WHAT, each of at least LEAST_BYTES, and allocate a map for
   them plus number 0.  NULL if READER fails.  */
static uint32_t *
read_count (struct byte_reader *reader, size_t least_bytes, uint32_t *count,
	    const char *what)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_uleb128 (reader, what);
  byte_reader_need (reader, n, least_bytes, what);
  if (n >= UINT32_MAX - 1)
    byte_reader_fail (reader, start, "%s: count %" PRIu64 " exceeds 32 bits",
		      what, n);
  if (reader->failed)
    return NULL;
  uint32_t *map = calloc (n + 1, sizeof *map);
  if (!map)
    byte_reader_fail_memory (reader);
  *count = n + 1;
  return map;
}

static void
read_strings (struct section_reader *section, struct byte_reader *reader)
{
  section->strings
    = read_count (reader, 1, &section->string_count, "the strings");
  for (uint32_t i = 1; !reader->failed && i < section->string_count; i++)
    {
      size_t start = reader->position;
      uint64_t n = byte_reader_uleb128 (reader, "a string");
      const char *text = byte_reader_bytes (reader, n, "a string");
      if (!text)
	return;
      if (memchr (text, '\0', n))
	{
	  byte_reader_fail (reader, start,
			    "string %" PRIu32 " contains a NUL byte", i);
	  return;
	}
      section->strings[i] = heap_profile_add_string (section->profile, text, n);
      if (section->strings[i] == UINT32_MAX)
	byte_reader_fail_memory (reader);
    }
}

/* Read an index into MAP, which has COUNT elements.  Return the element.  */
static uint32_t
read_mapped (struct byte_reader *reader, const uint32_t *map, uint32_t count,
	     const char *what)
{
  size_t start = reader->position;
  uint64_t number = byte_reader_uleb128 (reader, what);
  if (number < count)
    return map[number];
  byte_reader_fail (reader, start,
		    "%s: invalid index %" PRIu64 " (expected less than %" PRIu32
		    ")",
		    what, number, count);
  return 0;
}

static void
read_frame (struct section_reader *section, struct byte_reader *reader,
	    struct heap_frame *frame)
{
  size_t start = reader->position;
  uint8_t flags = byte_reader_u8 (reader, "a frame");
  if (flags & ~HEAPPROF_SECTION_FRAME_FLAGS)
    byte_reader_fail (reader, start, "frame with unknown flags 0x%02x", flags);
  frame->is_inline = flags & HEAPPROF_SECTION_IS_INLINE;
  frame->drop_column = flags & HEAPPROF_SECTION_DROP_COLUMN;
  const uint32_t *strings = section->strings;
  uint32_t string_count = section->string_count;
  frame->function_name
    = read_mapped (reader, strings, string_count, "a function's name");
  frame->file = read_mapped (reader, strings, string_count, "a file's name");
  frame->module
    = read_mapped (reader, strings, string_count, "a module's name");
  frame->start_line = byte_reader_uleb128_u32 (reader, "a start line");
  frame->line = byte_reader_uleb128_u32 (reader, "a line");
  frame->column = byte_reader_uleb128_u32 (reader, "a column");
  frame->discriminator = byte_reader_uleb128_u32 (reader, "a discriminator");
  frame->function_guid
    = flags & HEAPPROF_SECTION_HAS_GUID
	? byte_reader_u64 (reader, "a GUID")
	: function_canonical_guid (heap_profile_string (section->profile,
							frame->function_name));
  frame->line_offset = flags & HEAPPROF_SECTION_HAS_LINE_OFFSET
			 ? byte_reader_uleb128_u32 (reader, "a line offset")
			 : ((frame->line - frame->start_line) & 0xffff);
}

static void
read_frames (struct section_reader *section, struct byte_reader *reader)
{
  section->frames = read_count (reader, 8, &section->frame_count, "the frames");
  for (uint32_t i = 1; !reader->failed && i < section->frame_count; i++)
    {
      struct heap_frame frame = { 0 };
      read_frame (section, reader, &frame);
      if (reader->failed)
	return;
      heapprof_addresses_apply (&section->addresses, i, &frame);
      section->frames[i] = heap_profile_add_frame (section->profile, &frame);
      if (section->frames[i] == UINT32_MAX)
	byte_reader_fail_memory (reader);
    }
}

static uint64_t
from_zigzag (uint64_t value)
{
  return value >> 1 ^ (value & 1 ? UINT64_MAX : 0);
}

static void
read_info (struct byte_reader *reader, struct memory_info *info)
{
  size_t start = reader->position;
  uint64_t stored = byte_reader_uleb128 (reader, "a MIB");
  if (stored >> HEAPPROF_SECTION_FIELDS)
    byte_reader_fail (reader, start, "MIB with unknown fields 0x%" PRIx64,
		      stored);
  uint64_t before = 0;
  for (int i = 0; i < HEAPPROF_SECTION_FIELDS; i++)
    {
      const struct heapprof_section_field *field = &heapprof_section_fields[i];
      uint64_t value = heapprof_section_guess (info, field, before);
      size_t at = reader->position;
      if (stored >> i & 1)
	{
	  uint64_t number = byte_reader_uleb128 (reader, "a field of a MIB");
	  if (field->guess != HEAPPROF_SECTION_ZERO)
	    number = from_zigzag (number);
	  value += number;
	}
      if (field->bytes == 4 && value > UINT32_MAX)
	byte_reader_fail (reader, at,
			  "MIB field %d: %" PRIu64 " exceeds 32 bits", i,
			  value);
      heapprof_section_set (info, field, value);
      before = value;
    }
}

/* Read context number INDEX, whose caller is in MAP.  */
static void
read_context (struct section_reader *section, struct byte_reader *reader,
	      uint32_t index, uint32_t *map)
{
  size_t start = reader->position;
  uint64_t word = byte_reader_uleb128 (reader, "a context");
  uint64_t distance = word >> 1;
  if (distance > index || (distance == 0) != (index == 0))
    byte_reader_fail (reader, start,
		      "context %" PRIu32 ": invalid distance %" PRIu64
		      " to its caller",
		      index, distance);
  if (index != 0)
    {
      uint32_t frame = read_mapped (reader, section->frames,
				    section->frame_count, "a context's frame");
      if (reader->failed)
	return;
      map[index] = heap_profile_add_context (section->profile,
					     map[index - distance], frame);
      if (map[index] == UINT32_MAX)
	byte_reader_fail_memory (reader);
    }
  struct memory_info info = { 0 };
  if (word & 1)
    read_info (reader, &info);
  if (word & 1 && !reader->failed
      && !heap_profile_add_info (section->profile, map[index], &info))
    byte_reader_fail_memory (reader);
}

static void
read_contexts (struct section_reader *section, struct byte_reader *reader)
{
  section->contexts
    = read_count (reader, 2, &section->context_count, "the contexts");
  for (uint32_t i = 0; !reader->failed && i < section->context_count; i++)
    read_context (section, reader, i, section->contexts);
}

/* Inflate STORED bytes, which READER covers, to PLAIN_BYTES and parse them.
   Errors in them are reported at BLOCK, the start of the block.  */
static void
parse_inflated (struct section_reader *section, struct byte_reader *reader,
		uint64_t plain_bytes, size_t block, const char *name,
		block_parser *parse)
{
  size_t stored = byte_reader_left (reader);
  const void *compressed = byte_reader_bytes (reader, stored, name);
  if (!compressed)
    return;
  if (plain_bytes / HEAPPROF_SECTION_MOST_RATIO >= stored)
    {
      byte_reader_fail (reader, block + 16,
			"the %s: %zu bytes cannot inflate"
			" to %" PRIu64,
			name, stored, plain_bytes);
      return;
    }
  Bytef *plain = malloc (plain_bytes + 1);
  uLongf n = plain_bytes;
  if (!plain)
    byte_reader_fail_memory (reader);
  else if (uncompress (plain, &n, compressed, stored) != Z_OK
	   || n != plain_bytes)
    byte_reader_fail (reader, block,
		      "cannot inflate the %s to %" PRIu64 " bytes", name,
		      plain_bytes);
  else
    {
      struct profile_error err;
      struct byte_reader inflated;
      byte_reader_init (&inflated, reader->path, plain, n, &err);
      parse (section, &inflated);
      if (!inflated.failed && byte_reader_left (&inflated) != 0)
	byte_reader_fail (&inflated, inflated.position,
			  "%zu extra bytes at the end",
			  byte_reader_left (&inflated));
      if (inflated.failed && err.offset == PROFILE_ERROR_NO_OFFSET)
	byte_reader_fail_memory (reader);
      if (inflated.failed)
	byte_reader_fail (reader, block,
			  "the %s, inflated byte 0x%" PRIx64 ": %s", name,
			  err.offset, err.cause);
    }
  free (plain);
}

static void
read_block (struct section_reader *section, struct byte_reader *reader,
	    uint32_t kind, const char *name, block_parser *parse)
{
  size_t block = reader->position;
  uint32_t found = byte_reader_u32 (reader, name);
  uint32_t encoding = byte_reader_u32 (reader, name);
  uint64_t stored = byte_reader_u64 (reader, name);
  uint64_t plain_bytes = byte_reader_u64 (reader, name);
  if (!reader->failed && found != kind)
    byte_reader_fail (reader, block,
		      "unexpected block of kind %" PRIu32
		      " (expected %s, %" PRIu32 ")",
		      found, name, kind);
  if (encoding > HEAPPROF_SECTION_ZLIB)
    byte_reader_fail (reader, block + 4, "unknown encoding %" PRIu32, encoding);
  if (encoding == HEAPPROF_SECTION_PLAIN && stored != plain_bytes)
    byte_reader_fail (reader, block + 8,
		      "the %s: plain block of %" PRIu64 " bytes takes %" PRIu64,
		      name, plain_bytes, stored);
  struct byte_reader part = byte_reader_part (reader, stored, name);
  if (part.failed)
    return;
  if (encoding == HEAPPROF_SECTION_ZLIB)
    parse_inflated (section, &part, plain_bytes, block, name, parse);
  else
    parse (section, &part);
  byte_reader_join (reader, &part, name);
  byte_reader_bytes (reader, -reader->position % 8, "padding");
}

static void
read_values (struct section_reader *section, struct byte_reader *reader)
{
  heapprof_values_read (reader, section->counters);
}

static void
read_gcov (struct section_reader *section, struct byte_reader *reader)
{
  gcov_section_read (reader, section->gcov);
}

/* Return the kind of the next block; 0 if there is none.  */
static uint32_t
next_kind (const struct byte_reader *reader)
{
  struct profile_error ignored;
  struct byte_reader next = *reader;
  next.err = &ignored;
  return byte_reader_u32 (&next, "");
}

static struct heapprof_details_maps
maps_of (const struct section_reader *section)
{
  return (struct heapprof_details_maps){ .strings = section->strings,
					 .string_count = section->string_count,
					 .contexts = section->contexts,
					 .context_count
					 = section->context_count };
}

static void
read_addresses (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_addresses_read (reader, section->profile, &maps,
			   &section->addresses);
}

/* Read the block of addresses, which comes after those at READER's position,
   and return to these: the frames need it.  */
static void
look_for_addresses (struct section_reader *section, struct byte_reader *reader)
{
  struct byte_reader ahead = *reader;
  while (!ahead.failed && byte_reader_left (&ahead) > 0
	 && next_kind (&ahead) != HEAPPROF_SECTION_ADDRESSES)
    heapprof_section_skip_block (&ahead);
  if (!ahead.failed && byte_reader_left (&ahead) > 0)
    read_block (section, &ahead, HEAPPROF_SECTION_ADDRESSES, "addresses",
		read_addresses);
  reader->failed |= ahead.failed;
}

/* Check that each address belonged to a frame.  */
static void
check_addresses (const struct section_reader *section,
		 struct byte_reader *reader)
{
  const struct heapprof_addresses *addresses = &section->addresses;
  if (!reader->failed && addresses->next < addresses->count)
    byte_reader_fail (reader, reader->position,
		      "address: invalid frame %" PRIu32
		      " (expected less than %" PRIu32 ")",
		      addresses->list[addresses->next].frame,
		      section->frame_count);
}

static void
read_heap (struct section_reader *section, struct byte_reader *reader)
{
  read_block (section, reader, HEAPPROF_SECTION_TOTALS, "totals", read_totals);
  if (!reader->failed)
    read_block (section, reader, HEAPPROF_SECTION_STRINGS, "strings",
		read_strings);
  if (!reader->failed)
    look_for_addresses (section, reader);
  if (!reader->failed)
    read_block (section, reader, HEAPPROF_SECTION_FRAMES, "frames",
		read_frames);
  check_addresses (section, reader);
  if (!reader->failed)
    read_block (section, reader, HEAPPROF_SECTION_CONTEXTS, "contexts",
		read_contexts);
}

bool
heapprof_section_read_frames (const struct byte_reader *reader,
			      struct heap_profile *heap)
{
  struct byte_reader blocks;
  struct section_reader section = { .profile = heap };
  if (!heapprof_section_enter (reader, &blocks))
    return false;
  if (next_kind (&blocks) == HEAPPROF_SECTION_TOTALS)
    {
      heapprof_section_skip_block (&blocks);
      if (!blocks.failed)
	read_block (&section, &blocks, HEAPPROF_SECTION_STRINGS, "strings",
		    read_strings);
      if (!blocks.failed)
	read_block (&section, &blocks, HEAPPROF_SECTION_FRAMES, "frames",
		    read_frames);
    }
  free (section.strings);
  free (section.frames);
  return !blocks.failed;
}

static void
read_details (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_details_read (reader, section->profile, &maps);
}

static void
read_modules (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_modules_read (reader, section->profile, &maps);
}

static void
read_affinities (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_affinities_read (reader, section->profile, &maps);
}

static void
read_leaks (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_leaks_read (reader, section->profile, &maps);
}

static void
read_threads (struct section_reader *section, struct byte_reader *reader)
{
  heapprof_threads_read (reader, section->profile);
}

static void
read_lifetimes (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_lifetimes_read (reader, section->profile, &maps);
}

static void
read_moments (struct section_reader *section, struct byte_reader *reader)
{
  const struct heapprof_details_maps maps = maps_of (section);
  heapprof_moments_read (reader, section->profile, &maps);
}

/* Read the blocks that are optional for readers, by ascending kind; skip those
   written by a newer tool.  */
static void
read_optional (struct section_reader *section, struct byte_reader *reader)
{
  uint32_t before = HEAPPROF_SECTION_OPTIONAL - 1;
  uint32_t kind;
  while (!reader->failed && byte_reader_left (reader) > 0
	 && (kind = next_kind (reader)) > before)
    {
      if (kind == HEAPPROF_SECTION_MODULES && section->contexts)
	read_block (section, reader, kind, "modules", read_modules);
      else if (kind == HEAPPROF_SECTION_MOMENTS && section->contexts)
	read_block (section, reader, kind, "moments", read_moments);
      else if (kind == HEAPPROF_SECTION_AFFINITIES && section->contexts)
	read_block (section, reader, kind, "affinities", read_affinities);
      else if (kind == HEAPPROF_SECTION_LEAKS && section->contexts)
	read_block (section, reader, kind, "leaks", read_leaks);
      else if (kind == HEAPPROF_SECTION_THREADS && section->contexts)
	read_block (section, reader, kind, "threads", read_threads);
      else if (kind == HEAPPROF_SECTION_LIFETIMES && section->contexts)
	read_block (section, reader, kind, "lifetimes", read_lifetimes);
      else
	heapprof_section_skip_block (reader);
      before = kind;
    }
}

bool
heapprof_section_read (struct byte_reader *reader, struct heap_profile *heap,
		       struct counter_profile *counters,
		       struct gcov_profile *gcov)
{
  struct section_reader section
    = { .profile = heap, .counters = counters, .gcov = gcov };
  if (next_kind (reader) == HEAPPROF_SECTION_TOTALS)
    read_heap (&section, reader);
  if (!reader->failed && next_kind (reader) == HEAPPROF_SECTION_VALUES)
    read_block (&section, reader, HEAPPROF_SECTION_VALUES, "values",
		read_values);
  if (!reader->failed && section.gcov
      && next_kind (reader) == HEAPPROF_SECTION_GCOV)
    read_block (&section, reader, HEAPPROF_SECTION_GCOV, "counters of GCC",
		read_gcov);
  if (!reader->failed && section.contexts
      && next_kind (reader) == HEAPPROF_SECTION_DETAILS)
    read_block (&section, reader, HEAPPROF_SECTION_DETAILS, "details",
		read_details);
  read_optional (&section, reader);
  free (section.strings);
  free (section.addresses.list);
  free (section.frames);
  free (section.contexts);
  if (!reader->failed && byte_reader_left (reader) != 0)
    byte_reader_fail (reader, reader->position,
		      "unexpected block of kind %" PRIu32, next_kind (reader));
  return !reader->failed;
}
