/* Raw profiles: heap size over time, peaks and marks of the mapped form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof/raw-mib.h"
#include "raw-tables.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Return the current interval of TIMELINE, which started at START.  */
static struct heapprof_raw_sample
current_sample (const struct heapprof_raw_timeline *timeline, uint64_t start)
{
  struct heapprof_raw_sample sample
    = { .max = timeline->max, .end = timeline->live, .mean = timeline->live };
  if (timeline->time_ns > start)
    {
      unsigned __int128 area
	= (unsigned __int128) timeline->area[1] << 64 | timeline->area[0];
      sample.mean = area / (timeline->time_ns - start);
    }
  return sample;
}

static bool
convert_timeline (struct raw_tables *tables, struct byte_reader *reader)
{
  if (tables->timeline_count == 0)
    return true;
  const struct heapprof_raw_timeline *timeline = &tables->timelines[0];
  unsigned int shift = HEAPPROF_RAW_TIMELINE_SHIFT (timeline->state);
  uint64_t count = HEAPPROF_RAW_TIMELINE_COUNT (timeline->state);
  if (shift > HEAPPROF_RAW_TIMELINE_SHIFT_MAX || count > HEAPPROF_RAW_SAMPLES)
    return byte_reader_fail (reader,
			     raw_tables_offset (tables, HEAPPROF_RAW_TIMELINE,
						0),
			     "timeline: invalid state 0x%" PRIx64,
			     timeline->state);
  tables->samples = calloc (count + 1, sizeof *tables->samples);
  if (!tables->samples)
    return byte_reader_fail_memory (reader);
  memcpy (tables->samples,
	  timeline->samples[HEAPPROF_RAW_TIMELINE_ARRAY (timeline->state)],
	  count * sizeof *tables->samples);
  tables->samples[count] = current_sample (timeline, count << shift);
  tables->has_timeline = true;
  tables->shift = shift;
  tables->sample_count = count + 1;
  tables->time_ns = timeline->time_ns;
  return true;
}

/* Convert mark number INDEX.  The file of a running process may not have
   counted the mark's records yet when it was read.  */
static bool
convert_mark (struct raw_tables *tables, uint64_t index,
	      struct byte_reader *reader)
{
  const struct heapprof_raw_mark *from = &tables->mapped_marks[index];
  uint64_t offset = raw_tables_offset (tables, HEAPPROF_RAW_MARKS, index);
  bool is_whole
    = (uint64_t) from->first + from->count <= tables->mapped_marked_count;
  if (!is_whole && tables->header.state != HEAPPROF_RAW_RUNNING)
    return byte_reader_fail (reader, offset + 16,
			     "mark %" PRIu64 ": invalid records %" PRIu32
			     " to %" PRIu64 " (expected at most %" PRIu64 ")",
			     index, from->first,
			     (uint64_t) from->first + from->count,
			     tables->mapped_marked_count);
  if (!is_whole)
    return true;
  if (!raw_tables_string_is_whole (tables, from->label)
      || strlen (tables->strings + from->label) >= HEAPPROF_RAW_LABEL_BYTES)
    return byte_reader_fail (reader, offset + 8,
			     "mark %" PRIu64 ": label at %" PRIu64
			     " is not a valid string (%" PRIu64
			     " bytes of strings)",
			     index, from->label, tables->string_bytes);
  struct raw_mark *mark = &tables->marks[tables->mark_count++];
  mark->time_ns = from->time_ns;
  mark->first = from->first;
  mark->count = from->count;
  strcpy (mark->label, tables->strings + from->label);
  return true;
}

static bool
convert_marked (struct raw_tables *tables, uint64_t index,
		struct byte_reader *reader)
{
  const struct heapprof_raw_live *from = &tables->mapped_marked[index];
  bool is_known = from->mib < tables->mib_count;
  if (!is_known && tables->header.state != HEAPPROF_RAW_RUNNING)
    return byte_reader_fail (reader,
			     raw_tables_offset (tables, HEAPPROF_RAW_MARKED,
						index),
			     "marked record %" PRIu64 ": invalid MIB %" PRIu32
			     " (expected less than %" PRIu64 ")",
			     index, from->mib, tables->mib_count);
  if (is_known)
    tables->marked[index]
      = (struct raw_marked){ .context = tables->mibs[from->mib].context,
			     .count = from->count,
			     .bytes = from->bytes };
  return true;
}

/* Set *COUNT and *BYTES to what was allocated but not released in MIB number
   INDEX.  */
static void
get_balance (const struct raw_tables *tables, uint64_t index, uint32_t *count,
	     uint64_t *bytes)
{
  const struct heapprof_raw_mib *mib = &tables->mibs[index];
  const struct heapprof_raw_observations whole
    = raw_tables_observations (tables, index);
  *count = mib->alloc_count - (uint32_t) whole.count;
  *bytes = mib->alloc_bytes - whole.size.total;
}

void
raw_tables_peak (const struct raw_tables *tables, uint64_t index,
		 uint32_t *count, uint64_t *bytes)
{
  const struct heapprof_raw_moment *moment = &tables->moments[index];
  *count = 0;
  *bytes = 0;
  if (tables->header.version < HEAPPROF_RAW_VERSION_MOMENTS)
    return;
  /* If the process was running while the file was read, a MIB may have kept a
     later peak than the header's.  */
  if (!tables->is_peak_now && index < tables->moment_count
      && (int32_t) (moment->number - (uint32_t) tables->header.peak_number)
	   >= 0)
    {
      *count = moment->count;
      *bytes = moment->bytes;
    }
  else
    get_balance (tables, index, count, bytes);
}

/* Find the peak: its size, and whether it is now; and what was allocated.  */
static void
find_peak (struct raw_tables *tables)
{
  uint64_t now = 0;
  uint64_t peak = 0;
  uint64_t allocated = 0;
  for (uint64_t i = 1; i < tables->mib_count; i++)
    if (raw_tables_mib_counts (tables, i))
      {
	uint32_t count;
	uint64_t bytes;
	get_balance (tables, i, &count, &bytes);
	now += bytes;
	raw_tables_peak (tables, i, &count, &bytes);
	peak += bytes;
	allocated += tables->mibs[i].alloc_bytes;
      }
  if (tables->header.version >= HEAPPROF_RAW_VERSION_LIFETIMES)
    tables->allocated_bytes = allocated;
  tables->is_peak_now = tables->header.state == HEAPPROF_RAW_RUNNING
			&& now <= INT64_MAX && (peak > INT64_MAX || now > peak);
  tables->peak_bytes = tables->is_peak_now ? now : peak;
}

bool
raw_times_convert (struct raw_tables *tables, struct byte_reader *reader)
{
  if (tables->is_packed)
    return true;
  find_peak (tables);
  uint64_t marks = tables->mapped_mark_count;
  uint64_t marked = tables->mapped_marked_count;
  tables->marks = calloc (marks + 1, sizeof *tables->marks);
  tables->marked = calloc (marked + 1, sizeof *tables->marked);
  if (!tables->marks || !tables->marked)
    return byte_reader_fail_memory (reader);
  for (uint64_t i = 0; i < marks; i++)
    if (!convert_mark (tables, i, reader))
      return false;
  for (uint64_t i = 0; i < marked; i++)
    if (!convert_marked (tables, i, reader))
      return false;
  tables->marked_count = marked;
  return convert_timeline (tables, reader);
}
