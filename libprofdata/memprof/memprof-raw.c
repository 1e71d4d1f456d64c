/* Raw profiles of LLVM's MemProf run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later

     dump      u64 magic, version, bytes of the dump, offsets of the segments,
	       MIBs and stacks, relative to the dump's start
     segments  u64 number, each: u64 start, end, bias, bytes of build ID, 32
	       bytes with it
     MIBs      u64 number, each: u64 stack id, 25 fields, from version 4 on u32
	       length of the histogram, u64 unused, the histogram
     stacks    u64 number, each: u64 id, u64 depth, u64 addresses

   Only the sections are aligned.  The run-time library writes MIBs and stacks
   in the same order, so both are walked in parallel; if the orders differ in a
   file, its stacks get a sorted index.  */

#include "memprof-raw.h"
#include "byte-reader.h"
#include "large-memory.h"
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "\x81rforpm\xff"
#define MAGIC_BYTES 8
#define VERSION_LEAST 3
#define VERSION_GREATEST 5
#define HEADER_BYTES 48
#define SEGMENT_BYTES 64
#define ID_BYTES 8
#define FIELD_COUNT 25	/* before the histogram's */
#define FIELD_BYTES 132 /* size of these fields */
#define HISTOGRAM_FIELD_BYTES 12
#define STACK_BYTES 16 /* before the addresses */

/* Offset of the stack with ID.  */
struct stack_place
{
  uint64_t id;
  size_t offset;
};

struct dump
{
  size_t start; /* offset in the file, like the members below */
  size_t end;
  uint64_t version;
  size_t segments; /* of the first one */
  size_t segment_count;
  size_t mibs;
  uint64_t mib_count;
  size_t stacks;
  uint64_t stack_count;
  struct stack_place *places; /* sorted by id; NULL if the orders are the
				 same */
};

struct memprof_raw
{
  const uint8_t *data;
  struct dump *dumps;
  size_t dump_count;
};

/* ---- Numbers in checked parts.  */

static uint64_t
get_u64 (const uint8_t *bytes)
{
  uint64_t value;
  memcpy (&value, bytes, sizeof value);
  return le64toh (value);
}

static uint32_t
get_u32 (const uint8_t *bytes)
{
  uint32_t value;
  memcpy (&value, bytes, sizeof value);
  return le32toh (value);
}

/* Return the size of a MIB without its histogram.  */
static size_t
mib_bytes (const struct dump *dump)
{
  return dump->version >= 4 ? FIELD_BYTES + HISTOGRAM_FIELD_BYTES : FIELD_BYTES;
}

static size_t
histogram_element_bytes (const struct dump *dump)
{
  return dump->version >= 5 ? 2 : 8;
}

static uint32_t
histogram_count (const struct dump *dump, const uint8_t *mib)
{
  return dump->version >= 4 ? get_u32 (mib + FIELD_BYTES) : 0;
}

/* Return the offset of the MIB entry after the one at OFFSET.  */
static size_t
next_mib (const struct memprof_raw *raw, const struct dump *dump, size_t offset)
{
  const uint8_t *mib = raw->data + offset + ID_BYTES;
  return offset + ID_BYTES + mib_bytes (dump)
	 + (size_t) histogram_count (dump, mib)
	     * histogram_element_bytes (dump);
}

static size_t
next_stack (const struct memprof_raw *raw, size_t offset)
{
  return offset + STACK_BYTES + get_u64 (raw->data + offset + ID_BYTES) * 8;
}

/* ---- Checking a dump.  */

bool
memprof_raw_has_magic (const void *data, size_t n)
{
  return n >= MAGIC_BYTES && memcmp (data, MAGIC, MAGIC_BYTES) == 0;
}

/* Go to the section at OFFSET of DUMP.  Return the number of its entries, each
   of which has at least LEAST_BYTES.  */
static uint64_t
begin_section (struct byte_reader *reader, const struct dump *dump,
	       uint64_t offset, size_t least_bytes, const char *what)
{
  if (offset < HEADER_BYTES || offset > dump->end - dump->start)
    byte_reader_fail (reader, dump->start,
		      "%s: invalid offset 0x%" PRIx64 " in a dump of %zu bytes",
		      what, offset, dump->end - dump->start);
  byte_reader_seek (reader, dump->start + offset, what);
  uint64_t count = byte_reader_u64 (reader, what);
  byte_reader_need (reader, count, least_bytes, what);
  return reader->failed ? 0 : count;
}

static void
check_segments (struct byte_reader *reader, struct dump *dump)
{
  for (size_t i = 0; i < dump->segment_count && !reader->failed; i++)
    {
      size_t start = reader->position;
      byte_reader_bytes (reader, 24, "a segment");
      uint64_t id_bytes = byte_reader_u64 (reader, "a segment");
      byte_reader_bytes (reader, MEMPROF_RAW_BUILD_ID_BYTES, "a segment");
      if (id_bytes > MEMPROF_RAW_BUILD_ID_BYTES)
	byte_reader_fail (reader, start + 24,
			  "invalid build ID size %" PRIu64
			  " bytes (expected at most %d)",
			  id_bytes, MEMPROF_RAW_BUILD_ID_BYTES);
    }
}

static void
check_mibs (struct byte_reader *reader, const struct dump *dump)
{
  size_t bytes = mib_bytes (dump);
  for (uint64_t i = 0; i < dump->mib_count && !reader->failed; i++)
    {
      byte_reader_bytes (reader, ID_BYTES, "a MIB");
      const uint8_t *mib = byte_reader_bytes (reader, bytes, "a MIB");
      if (!mib)
	return;
      uint32_t count = histogram_count (dump, mib);
      byte_reader_bytes (reader,
			 (uint64_t) count * histogram_element_bytes (dump),
			 "a histogram");
    }
}

static void
check_stacks (struct byte_reader *reader, const struct dump *dump)
{
  for (uint64_t i = 0; i < dump->stack_count && !reader->failed; i++)
    {
      byte_reader_u64 (reader, "a stack");
      uint64_t depth = byte_reader_u64 (reader, "a stack");
      if (byte_reader_need (reader, depth, 8, "a stack"))
	byte_reader_bytes (reader, depth * 8, "a stack");
    }
}

/* Return true if MIBs and stacks of DUMP are in the same order.  */
static bool
is_in_order (const struct memprof_raw *raw, const struct dump *dump)
{
  if (dump->mib_count > dump->stack_count)
    return false;
  size_t mib = dump->mibs;
  size_t stack = dump->stacks;
  for (uint64_t i = 0; i < dump->mib_count; i++)
    {
      if (get_u64 (raw->data + mib) != get_u64 (raw->data + stack))
	return false;
      mib = next_mib (raw, dump, mib);
      stack = next_stack (raw, stack);
    }
  return true;
}

static int
compare_places (const void *element1, const void *element2)
{
  const struct stack_place *place1 = element1;
  const struct stack_place *place2 = element2;
  if (place1->id != place2->id)
    return place1->id < place2->id ? -1 : 1;
  return ((place1->offset > place2->offset)
	  - (place1->offset < place2->offset));
}

static const struct stack_place *
find_place (const struct dump *dump, uint64_t id)
{
  size_t low = 0;
  size_t high = dump->stack_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (dump->places[middle].id < id)
	low = middle + 1;
      else
	high = middle;
    }
  return low < dump->stack_count && dump->places[low].id == id
	   ? &dump->places[low]
	   : NULL;
}

/* Stacks with the same id must be equal; otherwise the id is ambiguous.  */
static void
check_places (struct byte_reader *reader, const struct dump *dump)
{
  for (uint64_t i = 1; i < dump->stack_count; i++)
    {
      const struct stack_place *before = &dump->places[i - 1];
      const struct stack_place *place = &dump->places[i];
      if (place->id != before->id)
	continue;
      uint64_t depth = get_u64 (reader->data + place->offset + ID_BYTES);
      if (memcmp (reader->data + place->offset, reader->data + before->offset,
		  STACK_BYTES)
	    != 0
	  || memcmp (reader->data + place->offset + STACK_BYTES,
		     reader->data + before->offset + STACK_BYTES, depth * 8)
	       != 0)
	byte_reader_fail (reader, place->offset,
			  "duplicate stack ID %" PRIu64 " (also at 0x%zx)",
			  place->id, before->offset);
    }
}

static void
index_stacks (const struct memprof_raw *raw, struct byte_reader *reader,
	      struct dump *dump)
{
  dump->places = calloc (dump->stack_count + 1, sizeof *dump->places);
  if (!dump->places)
    {
      byte_reader_fail_memory (reader);
      return;
    }
  size_t offset = dump->stacks;
  for (uint64_t i = 0; i < dump->stack_count; i++)
    {
      dump->places[i]
	= (struct stack_place){ get_u64 (raw->data + offset), offset };
      offset = next_stack (raw, offset);
    }
  qsort (dump->places, dump->stack_count, sizeof *dump->places, compare_places);
  check_places (reader, dump);
  offset = dump->mibs;
  for (uint64_t i = 0; i < dump->mib_count && !reader->failed; i++)
    {
      uint64_t id = get_u64 (raw->data + offset);
      if (!find_place (dump, id))
	byte_reader_fail (reader, offset, "unknown stack ID %" PRIu64, id);
      offset = next_mib (raw, dump, offset);
    }
}

/* Read the header at the position of READER, and make READER end where the dump
   ends.  */
static void
read_header (struct byte_reader *reader, struct dump *dump, uint64_t offsets[3])
{
  static const char what[] = "the header of a dump";
  dump->start = reader->position;
  const void *magic = byte_reader_bytes (reader, MAGIC_BYTES, what);
  if (magic && memcmp (magic, MAGIC, MAGIC_BYTES) != 0)
    byte_reader_fail (reader, dump->start, "not a MemProf dump");
  dump->version = byte_reader_u64 (reader, what);
  if (!reader->failed
      && (dump->version < VERSION_LEAST || dump->version > VERSION_GREATEST))
    byte_reader_fail (reader, dump->start + 8,
		      "unsupported raw MemProf version %" PRIu64
		      " (expected %d to %d)",
		      dump->version, VERSION_LEAST, VERSION_GREATEST);
  uint64_t bytes = byte_reader_u64 (reader, what);
  for (int i = 0; i < 3; i++)
    offsets[i] = byte_reader_u64 (reader, what);
  if (!reader->failed
      && (bytes < HEADER_BYTES || bytes > reader->end - dump->start))
    byte_reader_fail (reader, dump->start + 16,
		      "dump of %" PRIu64
		      " bytes, but %zu are left: the file is "
		      "truncated or damaged",
		      bytes, reader->end - dump->start);
  if (!reader->failed)
    dump->end = reader->end = dump->start + bytes;
}

static void
read_dump (const struct memprof_raw *raw, struct byte_reader *reader,
	   struct dump *dump)
{
  uint64_t offsets[3];
  read_header (reader, dump, offsets);
  if (reader->failed)
    return;
  dump->segment_count
    = begin_section (reader, dump, offsets[0], SEGMENT_BYTES, "the segments");
  dump->segments = reader->position;
  check_segments (reader, dump);
  dump->mib_count = begin_section (reader, dump, offsets[1],
				   ID_BYTES + mib_bytes (dump), "the MIBs");
  dump->mibs = reader->position;
  check_mibs (reader, dump);
  dump->stack_count
    = begin_section (reader, dump, offsets[2], STACK_BYTES, "the stacks");
  dump->stacks = reader->position;
  check_stacks (reader, dump);
  if (!reader->failed && !is_in_order (raw, dump))
    index_stacks (raw, reader, dump);
}

/* Read all dumps of READER.  */
static bool
read_dumps (struct memprof_raw *raw, struct byte_reader *reader)
{
  size_t end = reader->end;
  size_t capacity = 0;
  do
    {
      if (raw->dump_count == capacity)
	{
	  capacity = capacity * 2 + 1;
	  struct dump *dumps = realloc (raw->dumps, capacity * sizeof *dumps);
	  if (!dumps)
	    return byte_reader_fail_memory (reader);
	  raw->dumps = dumps;
	}
      struct dump *dump = &raw->dumps[raw->dump_count++];
      memset (dump, 0, sizeof *dump);
      read_dump (raw, reader, dump);
      reader->end = end;
      if (!reader->failed)
	byte_reader_seek (reader, dump->end, "a dump");
    }
  while (!reader->failed && reader->position < end);
  return !reader->failed;
}

struct memprof_raw *
memprof_raw_parse (const char *path, const void *data, size_t size,
		   struct profile_error *err)
{
  struct memprof_raw *raw = calloc (1, sizeof *raw);
  if (!raw)
    {
      profile_error_set_memory (err, path);
      return NULL;
    }
  raw->data = data;
  struct byte_reader reader;
  byte_reader_init (&reader, path, data, size, err);
  if (read_dumps (raw, &reader))
    return raw;
  memprof_raw_close (raw);
  return NULL;
}

void
memprof_raw_close (struct memprof_raw *raw)
{
  if (!raw)
    return;
  for (size_t i = 0; i < raw->dump_count; i++)
    free (raw->dumps[i].places);
  free (raw->dumps);
  free (raw);
}

/* ---- Walking.  */

size_t
memprof_raw_dump_count (const struct memprof_raw *raw)
{
  return raw->dump_count;
}

uint64_t
memprof_raw_version (const struct memprof_raw *raw, size_t dump)
{
  return raw->dumps[dump].version;
}

size_t
memprof_raw_segment_count (const struct memprof_raw *raw, size_t dump)
{
  return raw->dumps[dump].segment_count;
}

struct memprof_raw_segment
memprof_raw_segment_at (const struct memprof_raw *raw, size_t dump,
			size_t segment)
{
  const uint8_t *entry
    = raw->data + raw->dumps[dump].segments + segment * SEGMENT_BYTES;
  return (struct memprof_raw_segment){ .start = get_u64 (entry),
				       .end = get_u64 (entry + 8),
				       .load_bias = get_u64 (entry + 16),
				       .build_id_bytes = get_u64 (entry + 24),
				       .build_id = entry + 32 };
}

void
memprof_raw_begin (const struct memprof_raw *raw, size_t dump,
		   struct memprof_raw_walk *walk)
{
  const struct dump *where = &raw->dumps[dump];
  *walk = (struct memprof_raw_walk){ .raw = raw,
				     .dump = dump,
				     .left = where->mib_count,
				     .mib = where->mibs,
				     .stack = where->stacks,
				     .forgotten_mib = where->mibs,
				     .forgotten_stack = where->stacks };
}

void
memprof_raw_forget (struct memprof_raw_walk *walk)
{
  /* The caller has given up ownership; const is only for readers.  */
  uint8_t *data = (uint8_t *) walk->raw->data;
  large_memory_forget (data + walk->forgotten_mib,
		       walk->mib - walk->forgotten_mib);
  large_memory_forget (data + walk->forgotten_stack,
		       walk->stack - walk->forgotten_stack);
  walk->forgotten_mib = walk->mib;
  walk->forgotten_stack = walk->stack;
}

bool
memprof_raw_next (struct memprof_raw_walk *walk,
		  struct memprof_raw_allocation *allocation)
{
  const struct memprof_raw *raw = walk->raw;
  const struct dump *dump = &raw->dumps[walk->dump];
  if (walk->left == 0)
    return false;
  walk->left--;
  allocation->mib = raw->data + walk->mib + ID_BYTES;
  allocation->histogram = allocation->mib + mib_bytes (dump);
  allocation->histogram_count = histogram_count (dump, allocation->mib);
  size_t stack = walk->stack;
  if (dump->places)
    stack = find_place (dump, get_u64 (raw->data + walk->mib))->offset;
  else
    walk->stack = next_stack (raw, stack);
  walk->mib = next_mib (raw, dump, walk->mib);
  allocation->depth = get_u64 (raw->data + stack + ID_BYTES);
  allocation->stack = raw->data + stack + STACK_BYTES;
  return true;
}

uint64_t
memprof_raw_address (const struct memprof_raw_allocation *allocation,
		     uint64_t frame)
{
  return get_u64 (allocation->stack + frame * 8);
}

struct memory_info
memprof_raw_info (const struct memprof_raw_walk *walk,
		  const struct memprof_raw_allocation *allocation)
{
  (void) walk;
  struct memory_info info = { 0 };
  const uint8_t *field = allocation->mib;
  for (unsigned int tag = 1; tag <= FIELD_COUNT; tag++)
    {
      size_t bytes = memory_info_field_bytes (tag);
      memory_info_set (&info, tag,
		       bytes == 4 ? get_u32 (field) : get_u64 (field));
      field += bytes;
    }
  return info;
}

uint64_t
memprof_raw_histogram (const struct memprof_raw_walk *walk,
		       const struct memprof_raw_allocation *allocation,
		       uint32_t index)
{
  if (walk->raw->dumps[walk->dump].version < 5)
    return get_u64 (allocation->histogram + (size_t) index * 8);
  const uint8_t *element = allocation->histogram + (size_t) index * 2;
  unsigned int scaled = element[0] | element[1] << 8;
  return (uint64_t) (scaled & 0xfff) << (scaled >> 12);
}
