/* Heap size over time, peaks and marks of a raw profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "symbolize-times.h"
#include "heap-moments.h"
#include <stdlib.h>
#include <string.h>

/* Blocks of one context at a mark.  */
struct balance
{
  uint32_t count; /* modulo 2^32 */
  uint64_t bytes; /* modulo 2^64 */
};

/* Return the bytes live at MARK.  */
static uint64_t
bytes_of_mark (const struct raw_profile *raw, const struct raw_mark *mark)
{
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < mark->count; i++)
    bytes += raw_profile_marked (raw, mark->first + i)->bytes;
  return bytes > INT64_MAX ? 0 : bytes;
}

static bool
add_timeline (struct heap_profile *profile, const struct raw_profile *raw)
{
  struct raw_timeline from;
  if (!raw_profile_timeline (raw, &from))
    return true;
  const struct heapprof_raw_header *header = raw_profile_header (raw);
  uint64_t marks = raw_profile_mark_count (raw);
  if (marks > HEAP_TIMELINE_MARKS_MAX)
    marks = HEAP_TIMELINE_MARKS_MAX;
  struct heap_timeline timeline
    = { .peak_bytes = raw_profile_peak_bytes (raw),
	.peak_ns
	= raw_profile_is_peak_now (raw) ? from.end_ns : header->peak_ns,
	.end_ns = from.end_ns,
	.shift = from.shift,
	.count = from.count,
	.mark_count = marks,
	.samples = calloc (from.count + 1, sizeof *timeline.samples),
	.marks = calloc (marks + 1, sizeof *timeline.marks) };
  bool is_done = timeline.samples != NULL && timeline.marks != NULL;
  for (uint32_t i = 0; is_done && i < from.count; i++)
    timeline.samples[i] = (struct heap_sample){ .max = from.samples[i].max,
						.end = from.samples[i].end,
						.mean = from.samples[i].mean };
  for (uint64_t i = 0; is_done && i < marks; i++)
    {
      const struct raw_mark *mark = raw_profile_mark (raw, i);
      timeline.marks[i].time_ns = mark->time_ns;
      timeline.marks[i].bytes = bytes_of_mark (raw, mark);
      memcpy (timeline.marks[i].label, mark->label, sizeof mark->label);
    }
  is_done
    = is_done
      && heap_details_add_timeline (heap_profile_details (profile), &timeline);
  free (timeline.samples);
  free (timeline.marks);
  return is_done;
}

/* Add MARK.  BALANCES has a zeroed entry for each context, and is zeroed
   again.  */
static bool
add_mark (struct heap_profile *profile, const struct raw_profile *raw,
	  const struct raw_mark *mark, const uint32_t *nodes,
	  struct balance *balances)
{
  struct heap_details *details = heap_profile_details (profile);
  uint32_t number
    = heap_details_add_mark (details, mark->label, 1, mark->time_ns);
  bool is_done = number != UINT32_MAX;
  for (uint64_t i = 0; i < mark->count; i++)
    {
      const struct raw_marked *from = raw_profile_marked (raw, mark->first + i);
      balances[from->context].count += from->count;
      balances[from->context].bytes += from->bytes;
    }
  for (uint64_t i = 0; i < mark->count; i++)
    {
      uint32_t context = raw_profile_marked (raw, mark->first + i)->context;
      struct balance *balance = &balances[context];
      const struct heap_marked marked
	= { .mark = number,
	    .context = nodes[context],
	    .blocks = balance->count > INT32_MAX ? 0 : balance->count,
	    .bytes = balance->bytes > INT64_MAX ? 0 : balance->bytes };
      if (is_done && (marked.blocks | marked.bytes) != 0)
	is_done = heap_details_add_marked (details, &marked);
      *balance = (struct balance){ 0 };
    }
  return is_done;
}

bool
symbolize_times (struct heap_profile *profile, const struct raw_profile *raw,
		 const uint32_t *nodes)
{
  uint64_t marks = raw_profile_mark_count (raw);
  if (!add_timeline (profile, raw))
    return false;
  if (marks == 0)
    return true;
  struct balance *balances
    = calloc (raw_profile_context_count (raw), sizeof *balances);
  bool is_done = balances != NULL;
  for (uint64_t i = 0; is_done && i < marks; i++)
    is_done
      = add_mark (profile, raw, raw_profile_mark (raw, i), nodes, balances);
  free (balances);
  return is_done;
}
