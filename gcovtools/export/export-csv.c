/* Comma-separated values: a row for each calling context, with a line of titles
   before them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "show.h"
#include <inttypes.h>

/* Write TEXT, in quotation marks, and double those in it.  */
static void
write_text (const char *text, FILE *out)
{
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
	putc ('"', out);
      putc (*text, out);
    }
}

static void
write_field (const char *text, FILE *out)
{
  fputs (",\"", out);
  write_text (text, out);
  putc ('"', out);
}

/* Write where ENTRY's site is, and its functions, innermost first.  */
static void
write_place (const struct export_input *input,
	     const struct report_entry *entry, FILE *out)
{
  const struct heap_profile *profile = input->report->profile;
  const struct heap_frame *site = heap_profile_frame (profile, entry->site);
  write_field (frame_names_text (input->names, entry->site), out);
  write_field (heap_profile_string (profile, site->file), out);
  fprintf (out, ",%" PRIu32, site->line);
  write_field (heap_profile_string (profile, site->module), out);
  fputs (",\"", out);
  const char *separator = "";
  for (uint32_t context = entry->context; context != 0;
       context = heap_profile_context_caller (profile, context))
    {
      fputs (separator, out);
      write_text (frame_names_text (input->names, heap_profile_context_frame (
						    profile, context)),
		  out);
      separator = " < ";
    }
  fputs ("\"\r\n", out);
}

bool
export_csv (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    fprintf (out, "%s%s", i > 0 ? "," : "", context_measure_name (i));
  fputs (",min_size,max_size,marks,function,file,line,module,context\r\n",
	 out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      char marks[REPORT_MARKS_TEXT_BYTES];
      for (int k = 0; k < CONTEXT_MEASURES; k++)
	fprintf (out, "%s%" PRIu64, k > 0 ? "," : "",
		 context_measure (&entry->info, k));
      fprintf (out, ",%" PRIu64 ",%" PRIu64,
	       entry->info.size_bytes.min, entry->info.size_bytes.max);
      write_field (marks_text (marks, entry->marks), out);
      write_place (input, entry, out);
    }
  return true;
}
