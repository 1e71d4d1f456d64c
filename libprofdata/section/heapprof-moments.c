/* The heapprof section: heap size over time, peaks and marks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-moments.h"
#include "heap-moments.h"
#include "heapprof-columns.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Least bytes of a record in the file.  */
enum
{
  TIMELINE_BYTES = 6,
  SAMPLE_BYTES = 3,
  TIMELINE_MARK_BYTES = 3,
  MARK_BYTES = 4,
  MARKED_BYTES = 3
};

static const struct heapprof_columns columns
  = { .name = "moments",
      .what = "the contexts at the peaks",
      .count = 3,
      .offsets = { offsetof (struct memory_info, peak_count),
		   offsetof (struct memory_info, peak_bytes),
		   offsetof (struct memory_info, temporary_count) } };

bool
heapprof_moments_are_there (const struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  return heap_profile_read_totals (profile)->timed_runs > 0
	 || heap_details_timeline_count (details) > 0
	 || heap_details_mark_count (details) > 0;
}

/* ---- Writing.  */

static void
write_label (struct byte_writer *writer, const char *label)
{
  size_t n = strlen (label);
  byte_writer_uleb128 (writer, n);
  byte_writer_bytes (writer, label, n);
}

static void
write_timeline (struct byte_writer *writer,
		const struct heap_timeline *timeline)
{
  byte_writer_uleb128 (writer, timeline->peak_bytes);
  byte_writer_uleb128 (writer, timeline->peak_ns);
  byte_writer_uleb128 (writer, timeline->end_ns);
  byte_writer_uleb128 (writer, timeline->shift);
  byte_writer_uleb128 (writer, timeline->count);
  for (uint32_t i = 0; i < timeline->count; i++)
    {
      byte_writer_uleb128 (writer, timeline->samples[i].end);
      byte_writer_uleb128 (writer, timeline->samples[i].max);
      byte_writer_uleb128 (writer, timeline->samples[i].mean);
    }
  byte_writer_uleb128 (writer, timeline->mark_count);
  for (uint32_t i = 0; i < timeline->mark_count; i++)
    {
      byte_writer_uleb128 (writer, timeline->marks[i].time_ns);
      byte_writer_uleb128 (writer, timeline->marks[i].bytes);
      write_label (writer, timeline->marks[i].label);
    }
}

/* What was live in a context at a mark; both numbered as in the file.  */
struct place
{
  uint32_t mark;
  uint32_t context;
  const struct heap_marked *marked;
};

static int
compare_places (const void *element1, const void *element2)
{
  const struct place *place1 = element1;
  const struct place *place2 = element2;
  if (place1->mark != place2->mark)
    return place1->mark < place2->mark ? -1 : 1;
  return (place1->context > place2->context)
	 - (place1->context < place2->context);
}

static int
compare_labels (const void *element1, const void *element2)
{
  const struct heap_mark *const *mark1 = element1;
  const struct heap_mark *const *mark2 = element2;
  return strcmp ((*mark1)->label, (*mark2)->label);
}

/* Write MARK and its N PLACES.  */
static void
write_mark (struct byte_writer *writer, const struct heap_mark *mark,
	    const struct place *places, uint32_t n)
{
  uint32_t before = 0;
  write_label (writer, mark->label);
  byte_writer_uleb128 (writer, mark->count);
  byte_writer_uleb128 (writer, mark->first_ns);
  byte_writer_uleb128 (writer, n);
  for (uint32_t i = 0; i < n; i++)
    {
      byte_writer_uleb128 (writer, places[i].context - before);
      byte_writer_uleb128 (writer, places[i].marked->blocks);
      byte_writer_uleb128 (writer, places[i].marked->bytes);
      before = places[i].context;
    }
}

/* Return the number of SORTED marks before MARK.  */
static uint32_t
place_of_mark (const struct heap_mark *const *sorted, uint32_t count,
	       const struct heap_mark *mark)
{
  const struct heap_mark *const *found
    = bsearch (&mark, sorted, count, sizeof *sorted, compare_labels);
  return found - sorted;
}

/* Fill PLACES, and return their number.  */
static uint32_t
sort_places (struct place *places, const struct heap_details *details,
	     const struct heap_mark *const *sorted,
	     const struct canonical_order *order)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < heap_details_marked_count (details); i++)
    {
      const struct heap_marked *marked = heap_details_marked_at (details, i);
      uint32_t context = order->contexts.places[marked->context];
      if (context == UINT32_MAX)
	continue;
      places[count++] = (struct place){
	place_of_mark (sorted, heap_details_mark_count (details),
		       heap_details_mark_at (details, marked->mark)),
	context, marked
      };
    }
  qsort (places, count, sizeof *places, compare_places);
  return count;
}

static void
write_marks (struct byte_writer *writer, const struct heap_details *details,
	     const struct canonical_order *order)
{
  uint32_t count = heap_details_mark_count (details);
  const struct heap_mark **sorted = calloc ((size_t) count + 1, sizeof *sorted);
  struct place *places
    = calloc ((size_t) heap_details_marked_count (details) + 1, sizeof *places);
  writer->failed |= !sorted || !places;
  byte_writer_uleb128 (writer, count);
  if (!writer->failed)
    {
      for (uint32_t i = 0; i < count; i++)
	sorted[i] = heap_details_mark_at (details, i);
      qsort (sorted, count, sizeof *sorted, compare_labels);
      uint32_t place_count = sort_places (places, details, sorted, order);
      uint32_t at = 0;
      for (uint32_t i = 0; i < count; i++)
	{
	  uint32_t first = at;
	  while (at < place_count && places[at].mark == i)
	    at++;
	  write_mark (writer, sorted[i], &places[first], at - first);
	}
    }
  free (places);
  free (sorted);
}

void
heapprof_moments_write (struct byte_writer *writer,
			const struct heap_profile *profile,
			const struct canonical_order *order)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  byte_writer_uleb128 (writer, totals->timed_runs);
  byte_writer_uleb128 (writer, totals->peak_sum);
  heapprof_columns_write (writer, profile, order, &columns);
  byte_writer_uleb128 (writer, heap_details_timeline_count (details));
  for (uint32_t i = 0; i < heap_details_timeline_count (details); i++)
    write_timeline (writer, heap_details_timeline_at (details, i));
  write_marks (writer, details, order);
}

/* ---- Reading.  */

/* Read the distance of a context from BEFORE, which it becomes.  Return the
   context's id.  */
static uint32_t
read_context (struct byte_reader *reader,
	      const struct heapprof_details_maps *maps, uint64_t *before)
{
  size_t start = reader->position;
  uint64_t distance = byte_reader_uleb128 (reader, "a context");
  if (!reader->failed && distance >= maps->context_count - *before)
    byte_reader_fail (reader, start,
		      "moments: invalid context %" PRIu64
		      " (expected less than %" PRIu32 ")",
		      *before + distance, maps->context_count);
  if (reader->failed)
    return 0;
  *before += distance;
  return maps->contexts[*before];
}

/* Read a label into TO, of HEAP_LABEL_BYTES.  */
static void
read_label (struct byte_reader *reader, char *to)
{
  size_t start = reader->position;
  uint64_t n = byte_reader_uleb128 (reader, "a label");
  const char *text = byte_reader_bytes (reader, n, "a label");
  if (!text)
    return;
  if (n >= HEAP_LABEL_BYTES || memchr (text, '\0', n))
    {
      byte_reader_fail (reader, start, "invalid label of %" PRIu64 " bytes", n);
      return;
    }
  memset (to, 0, HEAP_LABEL_BYTES);
  memcpy (to, text, n);
}

/* Read a count of at most MOST records of at least BYTES.  Allocate them in
 *RECORDS, RECORD_BYTES each, with one more.  */
static uint32_t
read_count (struct byte_reader *reader, uint32_t most, size_t bytes,
	    void **records, size_t record_bytes, const char *what)
{
  size_t start = reader->position;
  uint64_t count = byte_reader_uleb128 (reader, what);
  byte_reader_need (reader, count, bytes, what);
  if (!reader->failed && count > most)
    byte_reader_fail (reader, start,
		      "%s: invalid count %" PRIu64 " (expected at most %" PRIu32
		      ")",
		      what, count, most);
  *records = reader->failed ? NULL : calloc (count + 1, record_bytes);
  if (!reader->failed && !*records)
    byte_reader_fail_memory (reader);
  return reader->failed ? 0 : count;
}

static void
read_samples (struct byte_reader *reader, struct heap_timeline *timeline)
{
  static const char what[] = "a sample of the heap size";
  void *samples;
  timeline->count = read_count (reader, HEAP_TIMELINE_SAMPLES_MAX, SAMPLE_BYTES,
				&samples, sizeof *timeline->samples, what);
  timeline->samples = samples;
  for (uint32_t i = 0; !reader->failed && i < timeline->count; i++)
    {
      timeline->samples[i].end = byte_reader_uleb128 (reader, what);
      timeline->samples[i].max = byte_reader_uleb128 (reader, what);
      timeline->samples[i].mean = byte_reader_uleb128 (reader, what);
    }
}

static void
read_timeline_marks (struct byte_reader *reader, struct heap_timeline *timeline)
{
  static const char what[] = "a mark of the heap size";
  void *marks;
  timeline->mark_count
    = read_count (reader, HEAP_TIMELINE_MARKS_MAX, TIMELINE_MARK_BYTES, &marks,
		  sizeof *timeline->marks, what);
  timeline->marks = marks;
  for (uint32_t i = 0; !reader->failed && i < timeline->mark_count; i++)
    {
      timeline->marks[i].time_ns = byte_reader_uleb128 (reader, what);
      timeline->marks[i].bytes = byte_reader_uleb128 (reader, what);
      read_label (reader, timeline->marks[i].label);
    }
}

static void
read_timeline (struct byte_reader *reader, struct heap_details *details)
{
  static const char what[] = "a timeline";
  struct heap_timeline timeline
    = { .peak_bytes = byte_reader_uleb128 (reader, what) };
  timeline.peak_ns = byte_reader_uleb128 (reader, what);
  timeline.end_ns = byte_reader_uleb128 (reader, what);
  size_t start = reader->position;
  timeline.shift = byte_reader_uleb128_u32 (reader, what);
  if (timeline.shift > HEAP_TIMELINE_SHIFT_MAX)
    byte_reader_fail (reader, start,
		      "timeline: invalid length of an interval, 2^%" PRIu32,
		      timeline.shift);
  read_samples (reader, &timeline);
  read_timeline_marks (reader, &timeline);
  if (!reader->failed && !heap_details_add_timeline (details, &timeline))
    byte_reader_fail_memory (reader);
  free (timeline.samples);
  free (timeline.marks);
}

static void
read_mark (struct byte_reader *reader, struct heap_details *details,
	   const struct heapprof_details_maps *maps)
{
  static const char what[] = "a mark";
  char label[HEAP_LABEL_BYTES] = "";
  uint64_t before = 0;
  read_label (reader, label);
  uint64_t times = byte_reader_uleb128 (reader, what);
  uint64_t first_ns = byte_reader_uleb128 (reader, what);
  uint64_t count = byte_reader_uleb128 (reader, what);
  byte_reader_need (reader, count, MARKED_BYTES, what);
  uint32_t number = reader->failed
		      ? UINT32_MAX
		      : heap_details_add_mark (details, label, times, first_ns);
  if (!reader->failed && number == UINT32_MAX)
    byte_reader_fail_memory (reader);
  for (uint64_t i = 0; !reader->failed && i < count; i++)
    {
      struct heap_marked marked
	= { .mark = number, .context = read_context (reader, maps, &before) };
      marked.blocks = byte_reader_uleb128 (reader, what);
      marked.bytes = byte_reader_uleb128 (reader, what);
      if (!reader->failed && !heap_details_add_marked (details, &marked))
	byte_reader_fail_memory (reader);
    }
}

void
heapprof_moments_read (struct byte_reader *reader, struct heap_profile *profile,
		       const struct heapprof_details_maps *maps)
{
  struct heap_details *details = heap_profile_details (profile);
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->timed_runs = byte_reader_uleb128 (reader, "the peaks");
  totals->peak_sum = byte_reader_uleb128 (reader, "the peaks");
  heapprof_columns_read (reader, profile, maps, &columns);
  uint64_t count = byte_reader_uleb128 (reader, "the timelines");
  byte_reader_need (reader, count, TIMELINE_BYTES, "the timelines");
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    read_timeline (reader, details);
  count = byte_reader_uleb128 (reader, "the marks");
  byte_reader_need (reader, count, MARK_BYTES, "the marks");
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    read_mark (reader, details, maps);
}
