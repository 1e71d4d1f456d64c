/* DHAT's JSON form, version 2, which valgrind's dh_view.html shows.
   SPDX-License-Identifier: GPL-3.0-or-later

     dhatFileVersion  2
     mode, verb       what was counted, for the reader
     bklt, bkacc      there are lifetimes; there are accesses
     tu, Mtu          the unit of time, and of what rates are per
     tuth             blocks that live shorter are short-lived
     cmd, pid, te, tg the program; the time of its end, and of its greatest heap
     pps              program points: tb, tbk (all bytes and blocks), tl (their
		      lifetimes), mb, mbk (at the point's maximum), gb, gbk (at
		      tg), eb, ebk (at the end), rb, wb (read, written),
		      fs (frames, innermost first, as indices of ftbl)
     ftbl             frames; the first is "[root]"

   A profile has neither maxima nor the time of the greatest heap: tg is the end,
   and what was live then stands for all three.  Accesses are not told apart:
   all are given as reads.  */

#include "export.h"
#include "frame-text.h"
#include "heap-json.h"
#include <inttypes.h>
#include <stdlib.h>

#define NS_PER_US 1000

/* Blocks that live shorter are short-lived; DHAT's own threshold.  */
#define SHORT_LIFETIME_US 500

static void
write_point (const struct heap_report *report,
	     const struct report_entry *entry, FILE *out)
{
  const struct memory_info *info = &entry->info;
  const char *separator = "";
  fprintf (out,
	   "{\"tb\":%" PRIu64 ",\"tbk\":%" PRIu64 ",\"tl\":%" PRIu64
	   ",\"rb\":%" PRIu64 ",\"wb\":0",
	   context_measure (info, CONTEXT_BYTES),
	   context_measure (info, CONTEXT_ALLOCATIONS),
	   info->lifetime_ns.total / NS_PER_US, info->access_count.total);
  for (const char *when = "mge"; *when != '\0'; when++)
    fprintf (out, ",\"%cb\":%" PRIu64 ",\"%cbk\":%" PRIu64, *when,
	     info->live_bytes, *when, info->live_count);
  fputs (",\"fs\":[", out);
  for (uint32_t context = entry->context; context != 0;
       context = heap_profile_context_caller (report->profile, context))
    {
      fprintf (out, "%s%" PRIu32, separator,
	       heap_profile_context_frame (report->profile, context) + 1);
      separator = ",";
    }
  fputs ("]}", out);
}

/* The frame ID as DHAT has it: `NAME (FILE:LINE)'.  */
static json_t *
frame_json (const struct export_input *input, uint32_t id)
{
  char *text = site_text (input->report, id);
  json_t *json = text != NULL ? json_plain_text (text) : NULL;
  free (text);
  return json;
}

bool
export_dhat (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  uint64_t end = (uint64_t) report_run_length_ns (report) / NS_PER_US;
  fputs ("{\"dhatFileVersion\":2,\"mode\":\"heapprof\",\"verb\":\"Allocated\","
	 "\"bklt\":true,\"bkacc\":true,\"tu\":\"us\",\"Mtu\":\"s\"", out);
  fprintf (out, ",\"tuth\":%d,\"pid\":0,\"te\":%" PRIu64 ",\"tg\":%" PRIu64,
	   SHORT_LIFETIME_US, end, end);
  if (!json_write (out, ",\"cmd\":", json_plain_text (input->title)))
    return false;
  fputs (",\n\"pps\":[", out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", out);
      write_point (report, &report->contexts[i], out);
    }
  fputs ("\n],\n\"ftbl\":[\"[root]\"", out);
  uint32_t count = heap_profile_frame_count (report->profile);
  for (uint32_t id = 0; id < count; id++)
    if (!json_write (out, ",\n", frame_json (input, id)))
      return false;
  fputs ("\n]}\n", out);
  return true;
}
