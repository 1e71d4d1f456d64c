/* Comma-separated values: a header line, then a row per calling context.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "csv-text.h"
#include "export.h"
#include "show.h"
#include "text-output.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Separates the functions of a context.  */
static const char separator[] = " < ";

/* Write BEFORE, and NUMBER if IS_KNOWN.  */
static void
write_number (uint64_t number, bool is_known, const char *before, FILE *out)
{
  fputs (before, out);
  if (is_known)
    fprintf (out, "%" PRIu64, number);
}

/* Write NAME in a list: escape the first blank of a separator in it.  */
static void
write_listed (const char *name, FILE *out)
{
  for (const char *at; (at = strstr (name, separator)) != NULL; name = at + 1)
    {
      csv_write_part (name, (size_t) (at - name), out);
      write_text_bytes (at, 1, " ", out);
    }
  csv_write_part (name, strlen (name), out);
}

/* Write the location of ENTRY's site, and its functions from there on,
   innermost first.  */
static void
write_place (const struct export_input *input, const struct report_entry *entry,
	     FILE *out)
{
  const struct heap_profile *profile = input->report->profile;
  const struct heap_frame *site = heap_profile_frame (profile, entry->site);
  csv_write_cell (",", frame_names_text (input->names, entry->site), out);
  csv_write_cell (",", heap_profile_string (profile, site->file), out);
  write_number (site->line, site->line != 0, ",", out);
  csv_write_cell (",", heap_profile_string (profile, site->module), out);
  if (entry->site_node == 0)
    csv_begin_cell (",", "", out);
  for (uint32_t node = entry->site_node; node != 0;
       node = export_caller (input, node))
    {
      uint32_t frame = heap_profile_context_frame (profile, node);
      const char *name = frame_names_text (input->names, frame);
      if (node == entry->site_node)
	csv_begin_cell (",", name, out);
      else
	fputs (separator, out);
      write_listed (name, out);
    }
  fputs ("\"\r\n", out);
}

/* Write by how much the numbers of ENTRY may be off, if they are estimates.  */
static void
write_margins (const struct heap_known *known, const struct report_entry *entry,
	       FILE *out)
{
  for (int k = 0; k < CONTEXT_MEASURES; k++)
    if (context_measure_is_estimated (known, k))
      {
	const struct heap_spread spread
	  = context_measure_spread (known, &entry->info, k);
	write_number ((uint64_t) ceil (heap_spread_margin (&spread)),
		      context_measure_has (known, &entry->info, k), ",", out);
      }
}

bool
export_csv (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    fprintf (out, "%s%s", i > 0 ? "," : "", context_measure_name (i));
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    if (context_measure_is_estimated (&report->known, i))
      fprintf (out, ",%s_margin", context_measure_name (i));
  fputs (",min_size,max_size,marks,function,file,line,module,context\r\n", out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      char marks[REPORT_MARKS_TEXT_BYTES];
      for (int k = 0; k < CONTEXT_MEASURES; k++)
	write_number (context_measure (&entry->info, k),
		      context_measure_has (&report->known, &entry->info, k),
		      k > 0 ? "," : "", out);
      write_margins (&report->known, entry, out);
      const struct memory_info_range *size = &entry->info.size_bytes;
      bool has_bounds = heap_known_has_bounds (&entry->info, size);
      write_number (size->min, has_bounds, ",", out);
      write_number (size->max, has_bounds, ",", out);
      csv_write_cell (",", marks_text (marks, entry->marks), out);
      write_place (input, entry, out);
    }
  return true;
}
