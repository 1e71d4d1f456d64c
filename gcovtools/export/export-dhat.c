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
   point's own maximum, when the whole heap was greatest, and at the end.  With
   bkacc, it must have bytes read and bytes written.  A profile has the heap at
   the end, the peak as one number, and accesses that are neither bytes
   nor told apart, so both are false: what a file must then have is known.  The
   peak stands in the mode, which viewers print.  Other numbers take
   the place of bytes by --value, under their own units.  */

#include "export.h"
#include "frame-text.h"
#include "heap-json.h"
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
    case CONTEXT_LIVE_BYTES:
    case CONTEXT_LIVE_BLOCKS:
      return (struct quantity){ CONTEXT_LIVE_BYTES, CONTEXT_LIVE_BLOCKS,
				"Never freed", NULL, NULL };
    default:
      return (struct quantity){ CONTEXT_BYTES, CONTEXT_ALLOCATIONS, "Allocated",
				NULL, NULL };
    }
}

static void
write_point (const struct heap_report *report, const struct quantity *quantity,
	     const struct report_entry *entry, FILE *out)
{
  const struct memory_info *info = &entry->info;
  const char *separator = "";
  fprintf (out, "{\"tb\":%" PRIu64 ",\"tbk\":%" PRIu64 ",\"fs\":[",
	   context_measure (info, quantity->bytes),
	   context_measure (info, quantity->blocks));
  for (uint32_t context = entry->context; context != 0;
       context = heap_profile_context_caller (report->profile, context))
    {
      fprintf (out, "%s%" PRIu32, separator,
	       heap_profile_context_frame (report->profile, context) + 1);
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
write_mode (const struct heap_totals *totals, FILE *out)
{
  fputs ("\"mode\":\"heapprof", out);
  if (totals->peak_bytes > 0)
    fprintf (out, ", peak %" PRIu64 " bytes%s", totals->peak_bytes,
	     totals->runs > 1 ? " in a run" : "");
  if (totals->runs > 1)
    fprintf (out, ", %" PRIu64 " runs", totals->runs);
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
	    FILE *out)
{
  fputs ("{\"dhatFileVersion\":2,", out);
  write_mode (heap_profile_totals (input->report->profile), out);
  fprintf (out, ",\"verb\":\"%s\",\"bklt\":false,\"bkacc\":false",
	   quantity->verb);
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
  if (!write_head (input, &quantity, out))
    return false;
  fputs (",\n\"pps\":[", out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      fputs (i == 0 ? "\n" : ",\n", out);
      write_point (report, &quantity, &report->contexts[i], out);
    }
  fputs ("\n],\n\"ftbl\":[\"[root]\"", out);
  uint32_t count = heap_profile_frame_count (report->profile);
  for (uint32_t id = 0; id < count; id++)
    if (!json_write (out, ",\n", frame_json (input, id)))
      return false;
  fputs ("\n]}\n", out);
  return true;
}
