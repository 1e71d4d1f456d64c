/* DHAT's JSON form, version 2, which valgrind's dh_view.html shows.
   SPDX-License-Identifier: GPL-3.0-or-later

     dhatFileVersion  2
     mode, verb       what was counted, for the reader
     bklt, bkacc      there are lifetimes; there are accesses
     bu, bsu, bksu    the unit of tb, one and several; that of tbk
     tu, Mtu          the unit of time, and of what rates are per
     cmd, pid, te     the program; the time of its end
     pps              program points: tb, tbk (all bytes and blocks), fs
		      (frames, innermost first, as indices of ftbl)
     ftbl             frames; the first is "[root]"

   With bklt, a file must have the heap of each point at three times: at the
   point's own maximum (mb, mbk), when the whole heap was greatest (gb, gbk;
   tg), and at the end (eb, ebk), and the lifetimes of all its blocks (tl).  A
   profile of one run has these, except a point's own maximum: instead, it is
   the greater of the other two, as the mode says, which viewers print.  With
   bkacc, a file must have bytes read and bytes written.  Accesses are neither
   bytes nor told apart, so it is false.  Other numbers take the place of bytes
   by --value, under their own units, without bklt.  */

#include "export.h"
#include "frame-text.h"
#include "heap-json.h"
#include "heap-moments.h"
#include <inttypes.h>
#include <stdlib.h>

#define NS_PER_US 1000

/* What replaces bytes and blocks.  */
struct quantity
{
  enum context_measure bytes;
  enum context_measure blocks;
  const char *verb;
  const char *unit; /* NULL: byte */
  const char *units;
};

static struct quantity
quantity_of (enum context_measure value)
{
  switch (value)
    {
    case CONTEXT_ACCESSES:
      return (struct quantity){ CONTEXT_ACCESSES, CONTEXT_ALLOCATIONS,
				"Accessed", "access", "accesses" };
    case CONTEXT_LIFETIME:
      return (struct quantity){ CONTEXT_LIFETIME, CONTEXT_ALLOCATIONS, "Lived",
				"ns of life", "ns of life" };
    case CONTEXT_PEAK:
      return (struct quantity){ CONTEXT_PEAK, CONTEXT_ALLOCATIONS,
				"Live at the peak", NULL, NULL };
    case CONTEXT_TEMPORARY:
      return (struct quantity){ CONTEXT_TEMPORARY, CONTEXT_ALLOCATIONS,
				"Temporary", "block", "blocks" };
    case CONTEXT_LOST_BYTES:
    case CONTEXT_LOST_BLOCKS:
      return (struct quantity){ CONTEXT_LOST_BYTES, CONTEXT_LOST_BLOCKS, "Lost",
				NULL, NULL };
    case CONTEXT_LIVE_BYTES:
    case CONTEXT_LIVE_BLOCKS:
      return (struct quantity){ CONTEXT_LIVE_BYTES, CONTEXT_LIVE_BLOCKS,
				"Never freed", NULL, NULL };
    default:
      return (struct quantity){ CONTEXT_BYTES, CONTEXT_ALLOCATIONS, "Allocated",
				NULL, NULL };
    }
}

/* Return the timeline of REPORT's only run; NULL if there is no such one.  */
static const struct heap_timeline *
timeline_of (const struct heap_report *report)
{
  const struct heap_details *details
    = heap_profile_read_details (report->profile);
  const struct heap_totals *totals = heap_profile_totals (report->profile);
  return totals->runs == 1 && totals->timed_runs == 1
	     && heap_details_timeline_count (details) == 1
	   ? heap_details_timeline_at (details, 0)
	   : NULL;
}

/* Write what bklt demands.  */
static void
write_times (const struct memory_info *info, FILE *out)
{
  uint64_t bytes = context_measure (info, CONTEXT_LIVE_BYTES);
  uint64_t blocks = context_measure (info, CONTEXT_LIVE_BLOCKS);
  bool at_peak = info->peak_bytes > bytes;
  fprintf (out,
	   "\"tl\":%" PRIu64 ",\"mb\":%" PRIu64 ",\"mbk\":%" PRIu64
	   ",\"gb\":%" PRIu64 ",\"gbk\":%" PRIu64 ",\"eb\":%" PRIu64
	   ",\"ebk\":%" PRIu64 ",",
	   info->lifetime_ns.total / NS_PER_US,
	   at_peak ? info->peak_bytes : bytes,
	   at_peak ? info->peak_count : blocks, info->peak_bytes,
	   info->peak_count, bytes, blocks);
}

static void
write_point (const struct export_input *input, const struct quantity *quantity,
	     const struct report_entry *entry, bool has_times, FILE *out)
{
  const struct memory_info *info = &entry->info;
  const char *separator = "";
  fprintf (out, "{\"tb\":%" PRIu64 ",\"tbk\":%" PRIu64 ",",
	   context_measure (info, quantity->bytes),
	   context_measure (info, quantity->blocks));
  if (has_times)
    write_times (info, out);
  fputs ("\"fs\":[", out);
  for (uint32_t node = entry->site_node; node != 0;
       node = export_caller (input, node))
    {
      fprintf (out, "%s%" PRIu32, separator,
	       heap_profile_context_frame (input->report->profile, node) + 1);
      separator = ",";
    }
  fputs ("]}", out);
}

/* Return frame ID in DHAT's form: `NAME (FILE:LINE)'.  */
static json_t *
frame_json (const struct export_input *input, uint32_t id)
{
  char *text = site_text (input->report, id);
  json_t *json = text != NULL ? json_plain_text (text) : NULL;
  free (text);
  return json;
}

static void
write_mode (const struct export_input *input, const struct heap_totals *totals,
	    bool has_times, FILE *out)
{
  char margins[EXPORT_MARGINS_BYTES];
  fputs ("\"mode\":\"heapprof", out);
  if (totals->peak_bytes > 0)
    fprintf (out, ", peak %" PRIu64 " bytes%s", totals->peak_bytes,
	     totals->runs > 1 ? " in a run" : "");
  if (totals->runs > 1)
    fprintf (out, ", %" PRIu64 " runs", totals->runs);
  if (has_times)
    fputs (", max: the greater of t-gmax and t-end", out);
  if (export_margins (input, margins))
    fprintf (out, ", %s", margins);
  putc ('"', out);
}

/* Write the length of all runs, or a lower bound: the known lengths, or the
   longest lifetime of a block.  */
static void
write_time (const struct heap_report *report, FILE *out)
{
  uint64_t length = heap_profile_totals (report->profile)->duration_ns;
  bool is_known = !report_length_is_open (report);
  fprintf (out, ",\"tu\":\"us%s\",\"Mtu\":\"s%s\",\"te\":%" PRIu64,
	   is_known ? "" : " or more", is_known ? "" : " or less",
	   (length > 0 ? length : report->total.lifetime_ns.max) / NS_PER_US);
}

static bool
write_head (const struct export_input *input, const struct quantity *quantity,
	    const struct heap_timeline *times, FILE *out)
{
  bool has_times = times != NULL;
  fputs ("{\"dhatFileVersion\":2,", out);
  write_mode (input, heap_profile_totals (input->report->profile), has_times,
	      out);
  fprintf (out, ",\"verb\":\"%s\",\"bklt\":%s,\"bkacc\":false", quantity->verb,
	   has_times ? "true" : "false");
  if (has_times)
    fprintf (out, ",\"tg\":%" PRIu64, times->peak_ns / NS_PER_US);
  if (quantity->unit != NULL)
    fprintf (out, ",\"bu\":\"%s\",\"bsu\":\"%s\",\"bksu\":\"blocks\"",
	     quantity->unit, quantity->units);
  write_time (input->report, out);
  /* DHAT requires a number here, and a profile has none.  */
  return json_write (out,
		     ",\"pid\":0,\"cmd\":", json_plain_text (input->program));
}

bool
export_dhat (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  struct quantity quantity = quantity_of (input->value);
  const struct heap_timeline *times
    = quantity.bytes == CONTEXT_BYTES && report->options.at == NULL
	? timeline_of (report)
	: NULL;
  if (!write_head (input, &quantity, times, out))
    return false;
  fputs (",\n\"pps\":[", out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", out);
      write_point (input, &quantity, &report->contexts[i], times != NULL, out);
    }
  fputs ("\n],\n\"ftbl\":[\"[root]\"", out);
  uint32_t count = heap_profile_frame_count (report->profile);
  for (uint32_t id = 0; id < count; id++)
    if (!json_write (out, ",\n", frame_json (input, id)))
      return false;
  fputs ("\n]}\n", out);
  return true;
}
