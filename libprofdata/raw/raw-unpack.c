/* Raw profiles: unpacking the packed form.
   SPDX-License-Identifier: GPL-3.0-or-later

   libheapprof/record/raw-pack.c, which writes the form, and doc/raw-format.md
   describe it.  Records cannot contradict each other, so every error is found
   here, with the offset of the wrong number; the checksum is checked first.  A
   count is accepted only if the bytes left can hold that many records.
   raw-unpack-mib.c reads the MIBs.  */

#include "raw-unpack.h"
#include "background.h"
#include "large-memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Below this size, starting a thread for the checksum does not pay off.  */
#define LEAST_BYTES_IN_BACKGROUND (256u << 10)

/* Least size of each kind of record in bytes.  */
enum
{
  SEGMENT_BYTES_MIN = 10,
  CONTEXT_BYTES_MIN = 2,
  INTERPRETED_BYTES_MIN = 6
};

/* Read the rest of the header, which describes the body.  */
static bool
decode_head (struct heapprof_packed_header *head, struct byte_reader *reader)
{
  static const char what[] = "the header";
  head->header_bytes = byte_reader_u32 (reader, what);
  head->word_bytes = byte_reader_u8 (reader, what);
  head->granule_shift = byte_reader_u8 (reader, what);
  head->flags = byte_reader_u8 (reader, what);
  head->more_flags = byte_reader_u8 (reader, what);
  head->machine = byte_reader_u32 (reader, what);
  head->state = byte_reader_u32 (reader, what);
  head->body_bytes = byte_reader_u64 (reader, what);
  head->reserved1 = byte_reader_u32 (reader, what);
  head->crc = byte_reader_u32 (reader, what);
  return !reader->failed;
}

/* Check that the file has the sizes in HEAD.  */
static bool
check_sizes (const struct heapprof_packed_header *head,
	     struct byte_reader *reader)
{
  if (head->header_bytes != HEAPPROF_PACKED_HEADER_BYTES)
    return byte_reader_fail (reader, 16,
			     "invalid packed header size %" PRIu32
			     " bytes (version %d has %d)",
			     head->header_bytes, HEAPPROF_RAW_VERSION,
			     HEAPPROF_PACKED_HEADER_BYTES);
  size_t left = byte_reader_left (reader);
  if (head->body_bytes != left)
    return byte_reader_fail (reader, 32,
			     "invalid body size %" PRIu64
			     " bytes (%zu follow the header)",
			     head->body_bytes, left);
  return true;
}

/* A body whose checksum is computed by another thread.  */
struct checked_body
{
  const uint8_t *file;
  const uint8_t *body;
  size_t bytes;
  uint32_t crc;
};

static void
find_crc (void *data)
{
  struct checked_body *checked = data;
  uint32_t crc = crc32_z (0, checked->body, checked->bytes);
  checked->crc = crc32_z (crc, checked->file, HEAPPROF_PACKED_CHECKED_BYTES);
}

static bool
check_head (const struct heapprof_packed_header *head,
	    struct byte_reader *reader)
{
  if (head->word_bytes != 4 && head->word_bytes != 8)
    return byte_reader_fail (reader, 20,
			     "invalid word size %d bytes (expected 4 or 8)",
			     head->word_bytes);
  if (head->state != HEAPPROF_RAW_COMPLETE
      && head->state != HEAPPROF_RAW_SNAPSHOT)
    return byte_reader_fail (reader, 28,
			     "invalid state %" PRIu32 " for a packed profile",
			     head->state);
  return true;
}

/* raw_unpack_signed for a sum that must fit in 32 bits.  */
static uint32_t
read_signed_u32 (struct byte_reader *reader, uint32_t base, const char *what)
{
  size_t start = reader->position;
  uint64_t value = raw_unpack_signed (reader, base, what);
  if (value > UINT32_MAX)
    {
      byte_reader_fail (reader, start, "%s: %" PRIu64 " exceeds 32 bits", what,
			value);
      return 0;
    }
  return value;
}

/* Read a count of records, of which AHEAD are not stored; each of the others
   takes at least RECORD_BYTES bytes.  */
static uint32_t
read_count (struct byte_reader *reader, uint32_t ahead, size_t record_bytes,
	    const char *what)
{
  size_t start = reader->position;
  uint32_t count = byte_reader_uleb128_u32 (reader, what);
  if (!reader->failed && count < ahead)
    byte_reader_fail (reader, start,
		      "%s: invalid count %" PRIu32
		      " (expected at least %" PRIu32 ")",
		      what, count, ahead);
  byte_reader_need (reader, count - ahead, record_bytes, what);
  return reader->failed ? 0 : count;
}

static bool
decode_words (struct heapprof_raw_header *header, struct byte_reader *reader)
{
  uint64_t words[HEAPPROF_PACKED_WORDS] = { 0 };
  const void *run_id
    = byte_reader_bytes (reader, sizeof header->run_id, "the run ID");
  if (!run_id)
    return false;
  memcpy (header->run_id, run_id, sizeof header->run_id);
  size_t start = reader->position;
  uint64_t count = byte_reader_uleb128 (reader, "the header's words");
  if (count > HEAPPROF_PACKED_WORDS)
    return byte_reader_fail (reader, start,
			     "invalid number of header words %" PRIu64
			     " (expected at most %d)",
			     count, HEAPPROF_PACKED_WORDS);
  for (uint64_t i = 0; i < count; i++)
    words[i] = byte_reader_uleb128 (reader, "a word of the header");
  words[HEAPPROF_PACKED_PROGRAM_NAME] = 0;
  memcpy ((char *) header + HEAPPROF_PACKED_FIRST_WORD, words, sizeof words);
  return !reader->failed;
}

/* ---- Paths and segments.  */

/* The strings, and the path read last.  */
struct paths
{
  char *text;
  size_t bytes; /* used */
  size_t capacity;
  size_t last; /* offset of the last path */
};

static bool
grow_paths (struct paths *paths, size_t bytes, struct byte_reader *reader)
{
  if (bytes <= paths->capacity - paths->bytes)
    return true;
  size_t capacity = paths->capacity * 2 + bytes + 256;
  char *text = realloc (paths->text, capacity);
  if (!text)
    return byte_reader_fail_memory (reader);
  paths->text = text;
  paths->capacity = capacity;
  return true;
}

/* Read a path and append it, unless it equals the last one.  */
static bool
read_path (struct paths *paths, struct byte_reader *reader)
{
  size_t start = reader->position;
  size_t length = strlen (paths->text + paths->last);
  uint64_t shared = byte_reader_uleb128 (reader, "a path");
  uint64_t rest = byte_reader_uleb128 (reader, "a path");
  const char *text = byte_reader_bytes (reader, rest, "a path");
  if (!text)
    return false;
  if (shared > length || shared > HEAPPROF_PACKED_SHARED_MAX)
    return byte_reader_fail (reader, start,
			     "path shares %" PRIu64
			     " bytes with a path of %zu bytes",
			     shared, length);
  if (memchr (text, '\0', rest))
    return byte_reader_fail (reader, start, "path contains a NUL byte");
  if (shared == length && rest == 0)
    return true;
  size_t bytes = shared + rest + 1;
  if (!grow_paths (paths, bytes, reader))
    return false;
  char *to = paths->text + paths->bytes;
  memcpy (to, paths->text + paths->last, shared);
  memcpy (to + shared, text, rest);
  to[shared + rest] = '\0';
  paths->last = paths->bytes;
  paths->bytes += bytes;
  return true;
}

static bool
read_build_id (struct heapprof_raw_segment *segment, struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t bytes = byte_reader_uleb128 (reader, "a build ID");
  if (bytes > HEAPPROF_RAW_BUILD_ID_BYTES)
    return byte_reader_fail (reader, start,
			     "invalid build ID size %" PRIu64
			     " bytes (expected at most %d)",
			     bytes, HEAPPROF_RAW_BUILD_ID_BYTES);
  const void *build_id = byte_reader_bytes (reader, bytes, "a build ID");
  if (!build_id)
    return false;
  memcpy (segment->build_id, build_id, bytes);
  segment->build_id_bytes = bytes;
  return true;
}

/* Read a segment that follows BEFORE.  */
static bool
read_segment (struct heapprof_raw_segment *segment,
	      const struct heapprof_raw_segment *before, struct paths *paths,
	      struct byte_reader *reader)
{
  static const char what[] = "a segment";
  size_t start = reader->position;
  segment->start = raw_unpack_signed (reader, before->end, what);
  uint64_t bytes = byte_reader_uleb128 (reader, what);
  segment->end = segment->start + bytes;
  if (!reader->failed && segment->end <= segment->start)
    return byte_reader_fail (reader, start,
			     "invalid segment size %" PRIu64
			     " bytes at 0x%" PRIx64,
			     bytes, segment->start);
  segment->load_bias = segment->start - byte_reader_uleb128 (reader, what);
  if (!read_path (paths, reader))
    return false;
  segment->path = paths->last;
  segment->load_time_ns
    = raw_unpack_signed (reader, before->load_time_ns, what);
  segment->unload_time_ns = byte_reader_uleb128 (reader, what);
  segment->first_context = read_signed_u32 (reader, before->first_context,
					    "a segment's first context");
  start = reader->position;
  uint64_t contexts = byte_reader_uleb128 (reader, what);
  if (contexts > (uint64_t) UINT32_MAX - segment->first_context + 1)
    return byte_reader_fail (reader, start,
			     "invalid number of contexts %" PRIu64
			     " in a segment",
			     contexts - 1);
  if (contexts > 0)
    segment->end_context = segment->first_context + (contexts - 1);
  return read_build_id (segment, reader);
}

/* Hand the strings over to raw_tables_check as one extent.  */
static void
set_strings (struct raw_tables *tables, const struct paths *paths)
{
  tables->strings = paths->text;
  tables->string_bytes = paths->bytes;
  tables->header.extent_count = 1;
  tables->header.extents[0]
    = (struct heapprof_raw_extent){ .kind = HEAPPROF_RAW_STRINGS,
				    .record_bytes = 1,
				    .capacity = paths->bytes,
				    .count = paths->bytes };
}

static bool
read_segments (struct raw_tables *tables, struct byte_reader *reader)
{
  static const struct heapprof_raw_segment none;
  struct paths paths = { .text = calloc (1, 1), .bytes = 1, .capacity = 1 };
  if (!paths.text)
    return byte_reader_fail_memory (reader);
  bool done = read_path (&paths, reader);
  tables->header.program_name = paths.last;
  uint32_t count = read_count (reader, 0, SEGMENT_BYTES_MIN, "the segments");
  tables->segments = calloc ((size_t) count + 1, sizeof *tables->segments);
  if (!tables->segments)
    done = byte_reader_fail_memory (reader);
  tables->segment_count = count;
  for (uint32_t i = 0; done && i < count; i++)
    done = read_segment (&tables->segments[i],
			 i == 0 ? &none : &tables->segments[i - 1], &paths,
			 reader);
  set_strings (tables, &paths);
  return done && !reader->failed;
}

/* ---- Contexts.  */

/* Addresses read so far, and the one expected next in each segment, counted
   from 1; 0: in no segment.  */
struct addresses
{
  uint64_t *known;
  uint32_t known_count;
  uint64_t *expected;
  uint64_t segment_count;
};

static bool
read_address (uint64_t *address, struct addresses *addresses,
	      struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t number = byte_reader_uleb128 (reader, "an address");
  if (number <= addresses->segment_count)
    {
      *address
	= raw_unpack_signed (reader, addresses->expected[number], "an address");
      addresses->expected[number] = *address;
      addresses->known[addresses->known_count++] = *address;
      return !reader->failed;
    }
  number -= addresses->segment_count + 1;
  if (number >= addresses->known_count)
    return byte_reader_fail (reader, start,
			     "invalid address index %" PRIu64
			     " (expected less than %" PRIu32 ")",
			     number, addresses->known_count);
  *address = addresses->known[number];
  return true;
}

static bool
read_context (struct raw_tables *tables, uint32_t index,
	      struct addresses *addresses, struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t distance = byte_reader_uleb128 (reader, "a context");
  if (!reader->failed && (distance == 0 || distance > index))
    return byte_reader_fail (reader, start,
			     "context %" PRIu32 ": invalid distance %" PRIu64
			     " to its parent",
			     index, distance);
  struct heapprof_raw_context *context = &tables->contexts[index];
  context->parent = index - distance;
  context->mib = 0;
  return read_address (&context->return_address, addresses, reader);
}

static bool
read_contexts (struct raw_tables *tables, struct byte_reader *reader)
{
  uint32_t count = read_count (reader, 1, CONTEXT_BYTES_MIN, "the contexts");
  if (reader->failed)
    return false;
  struct addresses addresses = { .segment_count = tables->segment_count };
  tables->contexts
    = large_memory_room (((size_t) count + 1) * sizeof *tables->contexts);
  addresses.known = calloc (count, sizeof *addresses.known);
  addresses.expected
    = calloc (tables->segment_count + 1, sizeof *addresses.expected);
  bool done = true;
  if (!tables->contexts || !addresses.known || !addresses.expected)
    done = byte_reader_fail_memory (reader);
  for (uint64_t i = 0; done && i < tables->segment_count; i++)
    addresses.expected[i + 1] = tables->segments[i].start;
  tables->context_count = count;
  if (done)
    tables->contexts[0] = (struct heapprof_raw_context){ 0 };
  for (uint32_t i = 1; done && i < count; i++)
    done = read_context (tables, i, &addresses, reader);
  free (addresses.known);
  free (addresses.expected);
  return done;
}

/* ---- Interpreted frames.  */

/* Read a path like the one at *OFFSET, and set that.  */
static bool
read_name (struct paths *paths, uint64_t *offset, struct byte_reader *reader)
{
  paths->last = *offset;
  bool done = read_path (paths, reader);
  *offset = paths->last;
  return done;
}

/* Read FRAME, which follows BEFORE.  */
static bool
read_interpreted (struct heapprof_raw_interpreted *frame,
		  const struct heapprof_raw_interpreted *before,
		  struct paths *paths, struct byte_reader *reader)
{
  static const char what[] = "an interpreted frame's line";
  frame->file = before->file;
  frame->function = before->function;
  if (!read_name (paths, &frame->file, reader)
      || !read_name (paths, &frame->function, reader))
    return false;
  frame->first_line = read_signed_u32 (reader, before->first_line, what);
  frame->line = read_signed_u32 (reader, frame->first_line, what);
  return !reader->failed;
}

static bool
read_all_interpreted (struct raw_tables *tables, struct byte_reader *reader)
{
  uint32_t count
    = read_count (reader, 1, INTERPRETED_BYTES_MIN, "the interpreted frames");
  struct paths paths = { .text = tables->strings,
			 .bytes = tables->string_bytes,
			 .capacity = tables->string_bytes };
  tables->interpreted
    = calloc ((size_t) count + 1, sizeof *tables->interpreted);
  bool done = !reader->failed;
  if (!tables->interpreted)
    done = byte_reader_fail_memory (reader);
  tables->interpreted_count = count;
  for (uint32_t i = 1; done && i < count; i++)
    done = read_interpreted (&tables->interpreted[i],
			     &tables->interpreted[i - 1], &paths, reader);
  set_strings (tables, &paths);
  return done;
}

/* Read the body after HEAD, up to the contexts and their names.  */
static bool
unpack_body (struct raw_tables *tables,
	     const struct heapprof_packed_header *head,
	     struct byte_reader *reader)
{
  struct heapprof_raw_header *header = &tables->header;
  if (!check_head (head, reader))
    return false;
  header->header_bytes = head->header_bytes;
  header->word_bytes = head->word_bytes;
  header->granule_shift = head->granule_shift;
  header->flags = head->flags;
  header->more_flags = head->more_flags;
  header->machine = head->machine;
  header->state = head->state;
  return (decode_words (header, reader) && read_segments (tables, reader)
	  && read_contexts (tables, reader)
	  && ((header->more_flags & HEAPPROF_RAW_NAMED) == 0
	      || read_all_interpreted (tables, reader)));
}

bool
raw_tables_unpack_start (struct raw_tables *tables, struct byte_reader *reader)
{
  struct heapprof_packed_header head;
  struct background background;
  tables->is_packed = true;
  if (!decode_head (&head, reader) || !check_sizes (&head, reader))
    return false;
  struct checked_body checked = { reader->data, reader->data + reader->position,
				  byte_reader_left (reader), 0 };
  /* If the checksum is wrong, no other error matters.  */
  struct profile_error other = { 0 };
  struct profile_error *err = reader->err;
  background_begin (&background, find_crc, &checked,
		    checked.bytes >= LEAST_BYTES_IN_BACKGROUND);
  reader->err = &other;
  bool done = unpack_body (tables, &head, reader);
  reader->err = err;
  background_end (&background);
  if (checked.crc != head.crc)
    {
      reader->failed = false;
      return byte_reader_fail (reader, 44,
			       "invalid checksum 0x%08" PRIx32
			       " (content has 0x%08" PRIx32 ")",
			       head.crc, checked.crc);
    }
  if (!done)
    *err = other;
  return done;
}

bool
raw_tables_unpack_rest (struct raw_tables *tables, struct byte_reader *reader)
{
  if (!raw_unpack_mibs (tables, reader)
      || ((tables->header.flags & HEAPPROF_RAW_HISTOGRAMS)
	  && !raw_unpack_histograms (tables, reader))
      || ((tables->header.flags & HEAPPROF_RAW_TIMED)
	  && !raw_unpack_times (tables, reader))
      || ((tables->header.flags & HEAPPROF_RAW_AFFINITIES)
	  && !raw_unpack_affinities (tables, reader))
      || ((tables->header.flags & HEAPPROF_RAW_LEAKS)
	  && !raw_unpack_leaks (tables, reader))
      || ((tables->header.flags & HEAPPROF_RAW_THREADED)
	  && !raw_unpack_threads (tables, reader)))
    return false;
  size_t left = byte_reader_left (reader);
  if (left > 0)
    return byte_reader_fail (reader, reader->position,
			     "%zu extra bytes at the end", left);
  return true;
}
