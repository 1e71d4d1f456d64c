/* Comma-separated values: a header line, then a row per calling context.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "plain-text.h"
#include "show.h"
#include "text-output.h"
#include <inttypes.h>
#include <string.h>

/* Separates the functions of a context.  */
static const char separator[] = " < ";

/* Write the N bytes at TEXT with quotation marks doubled.  */
static void
write_quoted (const char *text, size_t n, FILE *out)
{
  const char *end = text + n;
  const char *mark;
  while ((mark = memchr (text, '"', (size_t) (end - text))) != NULL)
    {
      write_text_bytes (text, (size_t) (mark - text), "", out);
      fputs ("\"\"", out);
      text = mark + 1;
    }
  write_text_bytes (text, (size_t) (end - text), "", out);
}

/* Return true if a spreadsheet would treat a cell that starts with TEXT as a
   formula.  Some accept leading spaces or fullwidth forms of these
   characters.  */
static bool
is_formula (const char *text)
{
  static const uint32_t signs[]
    = { '=', '+', '-', '@', 0xff1d, 0xff0b, 0xff0d, 0xff20 };
  uint32_t code = 0;
  text += strspn (text, " ");
  if (*text != '\0')
    plain_text_decode (text, strlen (text), &code);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (code == signs[i])
      return true;
  return false;
}

/* Start a cell that starts with TEXT.  An apostrophe makes it text.  */
static void
begin_field (const char *text, FILE *out)
{
  fputs (is_formula (text) ? ",\"'" : ",\"", out);
}

/* Write BEFORE, and NUMBER if IS_KNOWN.  */
static void
write_number (uint64_t number, bool is_known, const char *before, FILE *out)
{
  fputs (before, out);
  if (is_known)
    fprintf (out, "%" PRIu64, number);
}

static void
write_field (const char *text, FILE *out)
{
  begin_field (text, out);
  write_quoted (text, strlen (text), out);
  putc ('"', out);
}

/* Write NAME in a list: escape the first blank of a separator in it.  */
static void
write_listed (const char *name, FILE *out)
{
  for (const char *at; (at = strstr (name, separator)) != NULL; name = at + 1)
    {
      write_quoted (name, (size_t) (at - name), out);
      write_text_bytes (at, 1, " ", out);
    }
  write_quoted (name, strlen (name), out);
}

/* Write the location of ENTRY's site, and its functions, innermost first.  */
static void
write_place (const struct export_input *input, const struct report_entry *entry,
	     FILE *out)
{
  const struct heap_profile *profile = input->report->profile;
  const struct heap_frame *site = heap_profile_frame (profile, entry->site);
  write_field (frame_names_text (input->names, entry->site), out);
  write_field (heap_profile_string (profile, site->file), out);
  write_number (site->line, site->line != 0, ",", out);
  write_field (heap_profile_string (profile, site->module), out);
  if (entry->context == 0)
    begin_field ("", out);
  for (uint32_t context = entry->context; context != 0;
       context = heap_profile_context_caller (profile, context))
    {
      uint32_t frame = heap_profile_context_frame (profile, context);
      const char *name = frame_names_text (input->names, frame);
      if (context == entry->context)
	begin_field (name, out);
      else
	fputs (separator, out);
      write_listed (name, out);
    }
  fputs ("\"\r\n", out);
}

bool
export_csv (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  for (int i = 0; i < CONTEXT_MEASURES; i++)
    fprintf (out, "%s%s", i > 0 ? "," : "", context_measure_name (i));
  fputs (",min_size,max_size,marks,function,file,line,module,context\r\n", out);
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      char marks[REPORT_MARKS_TEXT_BYTES];
      for (int k = 0; k < CONTEXT_MEASURES; k++)
	write_number (context_measure (&entry->info, k),
		      context_measure_has (&report->known, &entry->info, k),
		      k > 0 ? "," : "", out);
      const struct memory_info_range *size = &entry->info.size_bytes;
      bool has_bounds = heap_known_has_bounds (&entry->info, size);
      write_number (size->min, has_bounds, ",", out);
      write_number (size->max, has_bounds, ",", out);
      write_field (marks_text (marks, entry->marks), out);
      write_place (input, entry, out);
    }
  return true;
}
