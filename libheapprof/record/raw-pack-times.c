/* Writing the timeline and the marks of the packed raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   n is an unsigned LEB128 number, s a signed one:

     timeline           n log2 of an interval's length in ns
			n time of the last update
			n number of intervals, including the current one; each
			s end - that of the previous one
			s max - the greater of both ends
			s mean - half their sum
     marks              n number; each
			s time - that of the previous one
			n bytes of the label, and these
			n number of records; each
			s context - that of the previous one
			s blocks, s bytes  */

#include "raw-pack-times.h"
#include "mib-table.h"
#include "pack-output.h"
#include "timeline.h"

static void
put_sample (const struct heapprof_raw_sample *sample, uint64_t before)
{
  const uint64_t greater = before > sample->end ? before : sample->end;
  const uint64_t half = (before & sample->end) + ((before ^ sample->end) >> 1);
  uint8_t *next = rt_put_signed (rt_pack_begin (), sample->end - before);
  next = rt_put_signed (next, sample->max - greater);
  rt_pack_end (rt_put_signed (next, sample->mean - half));
}

static void
put_timeline (const struct heapprof_raw_timeline *timeline)
{
  const uint64_t state = timeline->state;
  const uint64_t count = HEAPPROF_RAW_TIMELINE_COUNT (state);
  const struct heapprof_raw_sample *const samples
    = timeline->samples[HEAPPROF_RAW_TIMELINE_ARRAY (state)];
  const struct heapprof_raw_sample current = rt_timeline_current (timeline);
  uint8_t *next
    = rt_put (rt_pack_begin (), HEAPPROF_RAW_TIMELINE_SHIFT (state));
  next = rt_put (next, timeline->time_ns);
  rt_pack_end (rt_put (next, count + 1));
  uint64_t before = 0;
  for (uint64_t i = 0; i < count; i++)
    {
      put_sample (&samples[i], before);
      before = samples[i].end;
    }
  put_sample (&current, before);
}

/* Write the records of MARK.  Contexts were written before the marks.  */

static void
put_marked (const struct heapprof_raw_mark *mark, uint32_t contexts)
{
  const struct heapprof_raw_live *const records
    = (const struct heapprof_raw_live *) rt_tables[RT_MARKED].records
      + mark->first;
  uint32_t before = 0, count = 0;
  for (uint32_t i = 0; i < mark->count; i++)
    count += rt_mib_context (records[i].mib) < contexts;
  rt_pack_end (rt_put (rt_pack_begin (), count));
  for (uint32_t i = 0; i < mark->count; i++)
    {
      const struct heapprof_raw_live *const record = &records[i];
      const uint32_t context = rt_mib_context (record->mib);
      if (context >= contexts)
	continue;
      uint8_t *next
	= rt_put_signed (rt_pack_begin (), (uint64_t) context - before);
      next = rt_put_signed (next, (uint64_t) (int32_t) record->count);
      rt_pack_end (rt_put_signed (next, record->bytes));
      before = context;
    }
}

static void
put_marks (uint32_t count, uint32_t contexts)
{
  const struct heapprof_raw_mark *const marks
    = (const struct heapprof_raw_mark *) rt_tables[RT_MARKS].records;
  uint64_t before = 0;
  rt_pack_end (rt_put (rt_pack_begin (), count));
  for (uint32_t i = 0; i < count; i++)
    {
      const char *const label = rt_tables[RT_STRINGS].records + marks[i].label;
      const size_t bytes = own_strlen (label);
      uint8_t *const next
	= rt_put_signed (rt_pack_begin (), marks[i].time_ns - before);
      rt_pack_end (rt_put (next, bytes));
      rt_pack_bytes (label, bytes);
      put_marked (&marks[i], contexts);
      before = marks[i].time_ns;
    }
}

void
rt_pack_times (const struct rt_pack_source *source)
{
  put_timeline (source->timeline);
  put_marks (source->mark_count, source->context_count);
}
