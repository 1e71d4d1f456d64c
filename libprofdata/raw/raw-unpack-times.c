/* Raw profiles: unpacking heap size over time, and marks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-unpack.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Least bytes of a record.  */
enum
{
  SAMPLE_BYTES = 3,
  MARK_BYTES = 3,
  MARKED_BYTES = 3
};

static bool
unpack_timeline (struct raw_tables *tables, struct byte_reader *reader)
{
  static const char what[] = "a timeline";
  size_t start = reader->position;
  uint64_t shift = byte_reader_uleb128 (reader, what);
  tables->time_ns = byte_reader_uleb128 (reader, what);
  uint64_t count = byte_reader_uleb128 (reader, what);
  byte_reader_need (reader, count, SAMPLE_BYTES, what);
  if (!reader->failed
      && (shift > HEAPPROF_RAW_TIMELINE_SHIFT_MAX
	  || count > HEAPPROF_RAW_SAMPLES + 1))
    return byte_reader_fail (reader, start,
			     "invalid timeline of %" PRIu64
			     " intervals of 2^%" PRIu64 " ns",
			     count, shift);
  if (reader->failed)
    return false;
  tables->samples = calloc (count + 1, sizeof *tables->samples);
  if (!tables->samples)
    return byte_reader_fail_memory (reader);
  uint64_t before = 0;
  for (uint64_t i = 0; i < count; i++)
    {
      struct heapprof_raw_sample *sample = &tables->samples[i];
      sample->end = raw_unpack_signed (reader, before, what);
      sample->max
	= raw_unpack_signed (reader,
			     before > sample->end ? before : sample->end, what);
      sample->mean = raw_unpack_signed (reader,
					(before & sample->end)
					  + ((before ^ sample->end) >> 1),
					what);
      before = sample->end;
    }
  tables->shift = shift;
  tables->sample_count = count;
  tables->has_timeline = !reader->failed;
  return !reader->failed;
}

/* Make room for COUNT more records of marks.  */
static bool
add_marked (struct raw_tables *tables, uint64_t count,
	    struct byte_reader *reader)
{
  uint64_t total = tables->marked_count + count;
  struct raw_marked *marked
    = realloc (tables->marked, (total + 1) * sizeof *marked);
  if (!marked)
    return byte_reader_fail_memory (reader);
  tables->marked = marked;
  return true;
}

/* Read the context of a record that follows one of context BEFORE.  */
static uint32_t
read_context (const struct raw_tables *tables, uint32_t before,
	      struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t context = raw_unpack_signed (reader, before, "a mark");
  if (context >= tables->context_count)
    {
      byte_reader_fail (reader, start,
			"mark: invalid context %" PRIu64
			" (expected less than %" PRIu64 ")",
			context, tables->context_count);
      return 0;
    }
  return context;
}

static void
read_label (struct raw_mark *mark, struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_uleb128 (reader, "a label");
  const char *text = byte_reader_bytes (reader, n, "a label");
  if (text && (n >= sizeof mark->label || memchr (text, '\0', n)))
    byte_reader_fail (reader, start, "invalid label of %" PRIu64 " bytes", n);
  else if (text)
    memcpy (mark->label, text, n);
}

static bool
unpack_mark (struct raw_tables *tables, uint64_t before_ns,
	     struct byte_reader *reader)
{
  static const char what[] = "a mark";
  struct raw_mark *mark = &tables->marks[tables->mark_count];
  mark->time_ns = raw_unpack_signed (reader, before_ns, what);
  read_label (mark, reader);
  mark->first = tables->marked_count;
  mark->count = byte_reader_uleb128 (reader, what);
  if (!byte_reader_need (reader, mark->count, MARKED_BYTES, what)
      || !add_marked (tables, mark->count, reader))
    return false;
  uint32_t before = 0;
  for (uint64_t i = 0; i < mark->count; i++)
    {
      struct raw_marked *marked = &tables->marked[tables->marked_count++];
      marked->context = before = read_context (tables, before, reader);
      marked->count = raw_unpack_signed (reader, 0, what);
      marked->bytes = raw_unpack_signed (reader, 0, what);
    }
  tables->mark_count++;
  return !reader->failed;
}

bool
raw_unpack_times (struct raw_tables *tables, struct byte_reader *reader)
{
  if (!unpack_timeline (tables, reader))
    return false;
  uint64_t count = byte_reader_uleb128 (reader, "the marks");
  if (!byte_reader_need (reader, count, MARK_BYTES, "the marks"))
    return false;
  tables->marks = calloc (count + 1, sizeof *tables->marks);
  if (!tables->marks)
    return byte_reader_fail_memory (reader);
  uint64_t before = 0;
  for (uint64_t i = 0; i < count; i++)
    {
      if (!unpack_mark (tables, before, reader))
	return false;
      before = tables->marks[i].time_ns;
    }
  return true;
}
