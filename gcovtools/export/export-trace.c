/* Chrome's trace events, which Perfetto and the Firefox Profiler show.
   SPDX-License-Identifier: GPL-3.0-or-later

   One JSON object: `traceEvents' has, for each run that the profile has over
   time, a process with a counter `heap' in bytes, and an instant for each mark.
   Times are microseconds after the start of the run.  An interval has two
   values: its maximum in its middle, unless that is one of its ends, and what
   it ends with.  */

#include "export.h"
#include "heap-json.h"
#include "heap-moments.h"
#include <inttypes.h>
#include <stdio.h>

#define NS_PER_US 1000.0

static void
write_value (FILE *out, uint32_t process, double ns, uint64_t bytes)
{
  fprintf (out,
	   ",\n{\"name\":\"heap\",\"ph\":\"C\",\"pid\":%" PRIu32
	   ",\"ts\":%.3f,\"args\":{\"bytes\":%" PRIu64 "}}",
	   process, ns / NS_PER_US, bytes);
}

static void
write_samples (const struct heap_timeline *timeline, uint32_t process,
	       FILE *out)
{
  uint64_t before = 0;
  uint64_t start = 0;
  write_value (out, process, 0, 0);
  for (uint32_t i = 0; i < timeline->count; i++)
    {
      const struct heap_sample *sample = &timeline->samples[i];
      uint64_t end = i + 1 < timeline->count
		       ? (uint64_t) (i + 1) << timeline->shift
		       : timeline->end_ns;
      if (sample->max > before && sample->max > sample->end)
	write_value (out, process, ((double) start + (double) end) / 2,
		     sample->max);
      write_value (out, process, (double) end, sample->end);
      before = sample->end;
      start = end;
    }
}

static bool
write_mark (const struct heap_timeline_mark *mark, uint32_t process, FILE *out)
{
  if (!json_write (out, ",\n{\"ph\":\"i\",\"s\":\"p\",\"name\":",
		   json_plain_text (mark->label)))
    return false;
  fprintf (out,
	   ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
	   ",\"ts\":%.3f,\"args\":{\"bytes\":%" PRIu64 "}}",
	   process, process, (double) mark->time_ns / NS_PER_US, mark->bytes);
  return true;
}

bool
export_trace (const struct export_input *input, FILE *out)
{
  const struct heap_details *details
    = heap_profile_read_details (input->report->profile);
  char margins[EXPORT_MARGINS_BYTES];
  fputs ("{\"displayTimeUnit\":\"ms\",", out);
  if (export_margins (input, margins))
    fprintf (out, "\"otherData\":{\"samples\":\"%s\"},", margins);
  fputs ("\"traceEvents\":[", out);
  for (uint32_t i = 0; i < heap_details_timeline_count (details); i++)
    {
      const struct heap_timeline *timeline
	= heap_details_timeline_at (details, i);
      fprintf (out,
	       "%s\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%" PRIu32
	       ",\"args\":{\"name\":",
	       i > 0 ? "," : "", i + 1);
      if (!json_write (out, "", json_plain_text (input->program)))
	return false;
      fputs ("}}", out);
      write_samples (timeline, i + 1, out);
      for (uint32_t k = 0; k < timeline->mark_count; k++)
	if (!write_mark (&timeline->marks[k], i + 1, out))
	  return false;
    }
  fputs ("\n]}\n", out);
  return true;
}
