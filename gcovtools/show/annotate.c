/* Source text annotated with allocations.
   SPDX-License-Identifier: GPL-3.0-or-later

   The layout is that of gcov's files: columns end with colons, `-' means
   nothing, and line 0 is about the file.  */

#include "annotate.h"
#include "context-match.h"
#include "frame-text.h"
#include "heap-json.h"
#include "show-numbers.h"
#include "show.h"
#include "table.h"
#include "terminal.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Position in a file's lines while printing.  */
struct position
{
  const struct source_lines *lines;
  size_t next; /* index of the next use */
};

/* Advance AT past the uses of LINE, set *USES to them and return their number.
   Skip uses of earlier lines, which have no text.  */
static size_t
take_line (struct position *at, uint32_t line, const struct line_use **uses)
{
  const struct source_lines *lines = at->lines;
  while (at->next < lines->count && lines->uses[at->next].line < line)
    at->next++;
  size_t first = at->next;
  while (at->next < lines->count && lines->uses[at->next].line == line)
    at->next++;
  *uses = &lines->uses[first];
  return at->next - first;
}

/* Return the colour of a line with MARKS.  */
static enum terminal_colour
colour_of (unsigned int marks)
{
  if ((marks & REPORT_HOT) != 0)
    return TERMINAL_RED;
  if ((marks & (REPORT_LEAK | REPORT_KILLED | REPORT_LIVE | REPORT_AT_EXIT))
      != 0)
    return TERMINAL_YELLOW;
  return (marks & REPORT_COLD) != 0 ? TERMINAL_BLUE : TERMINAL_PLAIN;
}

static void
write_head (FILE *out)
{
  fprintf (out, "%9s:%10s:%12s:%9s:%9s:%10s:%5s:%s\n", "blocks", "bytes",
	   "accesses", "per byte", "lifetime", "by calls", "line", "source");
}

/* Write the columns for INFO, allocated on a line, and CALLED, bytes allocated
   by its calls.  */
static void
write_columns (const struct heap_report *report, const struct memory_info *info,
	       uint64_t called, FILE *out)
{
  char text[NUMBER_TEXT_BYTES];
  uint64_t blocks = context_measure (info, CONTEXT_ALLOCATIONS);
  bool is_known = info->alloc_count > 0;
  bool has_accesses = heap_known_counts (&report->known, info);
  fprintf (out, "%9s:", blocks > 0 ? number_text (text, blocks) : "-");
  fprintf (out, "%10s:",
	   blocks > 0
	     ? bytes_text (text, (double) context_measure (info, CONTEXT_BYTES))
	     : "-");
  fprintf (out, "%12s:",
	   has_accesses ? number_text (text, info->access_count.total) : "-");
  fprintf (out, "%9s:",
	   has_accesses ? ratio_text (text, report_density (info)) : "-");
  fprintf (out, "%9s:", is_known ? lifetime_text (text, report, info) : "-");
  fprintf (out, "%10s:", called > 0 ? bytes_text (text, (double) called) : "-");
}

/* Write the frames of CONTEXT.  */
static bool
write_frames (const struct heap_report *report, uint32_t context, FILE *out)
{
  const char *separator = "context ";
  struct shown_frames shown;
  bool is_done = shown_frames_make (&shown, report, context);
  for (size_t i = 0; i < shown.count && is_done; i++)
    {
      char *name
	= site_text (report, heap_profile_context_frame (report->profile,
							 shown.frames[i].node));
      char *more = shown_frame_text (&shown.frames[i]);
      is_done = name != NULL && more != NULL;
      if (is_done)
	{
	  fputs (separator, out);
	  write_text (name, out);
	  fputs (more, out);
	  separator = " < ";
	}
      free (more);
      free (name);
    }
  shown_frames_release (&shown);
  return is_done;
}

/* Write the contexts that allocated on a line, with their callers.  */
static bool
write_contexts (const struct heap_report *report, const struct line_use *uses,
		size_t count, FILE *out)
{
  for (size_t i = 0; i < count && uses[i].is_site; i++)
    {
      const struct report_entry *entry = uses[i].entry;
      char marks[REPORT_MARKS_TEXT_BYTES];
      write_columns (report, &entry->info, 0, out);
      fprintf (out, "%5s:", marks_text (marks, entry->marks));
      if (!write_frames (report, entry->context, out))
	return false;
      putc ('\n', out);
    }
  return true;
}

/* Write line LINE, whose source is the LENGTH bytes at TEXT.  */
static bool
write_line (const struct heap_report *report, struct position *at,
	    uint32_t line, const char *text, size_t length, bool with_contexts,
	    FILE *out)
{
  const struct line_use *uses;
  unsigned int marks;
  unsigned int ignored;
  size_t count = take_line (at, line, &uses);
  struct memory_info own = source_lines_sum (uses, count, true, &marks);
  struct memory_info called = source_lines_sum (uses, count, false, &ignored);
  enum terminal_colour colour = colour_of (marks);
  const char *mark = marks != 0 ? terminal_colour (colour) : "";
  fputs (mark, out);
  write_columns (report, &own, context_measure (&called, CONTEXT_BYTES), out);
  fprintf (out, "%5" PRIu32 ":", line);
  write_source_line (text, length, out);
  fprintf (out, "%s\n", *mark != '\0' ? terminal_colour (TERMINAL_PLAIN) : "");
  return !with_contexts || write_contexts (report, uses, count, out);
}

/* Write all lines of TEXT.  */
static bool
write_lines (const struct heap_report *report, struct position *at,
	     const char *text, bool with_contexts, FILE *out)
{
  uint32_t line = 0;
  while (*text != '\0')
    {
      size_t length = strcspn (text, "\n");
      if (!write_line (report, at, ++line, text, length, with_contexts, out))
	return false;
      text += length;
      text += *text == '\n';
    }
  return true;
}

/* Write the lines with uses beyond the end of the text.  */
static bool
write_rest (const struct heap_report *report, struct position *at,
	    bool with_contexts, FILE *out)
{
  static const char absent[] = "/*EOF*/";
  while (at->next < at->lines->count)
    if (!write_line (report, at, at->lines->uses[at->next].line, absent,
		     sizeof absent - 1, with_contexts, out))
      return false;
  return true;
}

/* Write a line about the wrappers that were looked through, if any.  */
static bool
write_looked_through (const struct heap_report *report, FILE *out)
{
  char *text = looked_through_text (report, &report->looked_through);
  if (text != NULL && *text != '\0')
    {
      fprintf (out, "%9s:%10s:%12s:%9s:%9s:%10s:%5d:Note:", "-", "-", "-", "-",
	       "-", "-", 0);
      write_text (text, out);
      putc ('\n', out);
    }
  free (text);
  return text != NULL;
}

bool
annotate_text (const struct heap_report *report,
	       const struct source_lines *lines, const char *path,
	       const char *text, bool with_contexts, FILE *out)
{
  struct position at = { .lines = lines };
  write_head (out);
  fprintf (out, "%9s:%10s:%12s:%9s:%9s:%10s:%5d:Source:", "-", "-", "-", "-",
	   "-", "-", 0);
  write_text (path, out);
  putc ('\n', out);
  if (!write_looked_through (report, out))
    return false;
  return ((text == NULL || write_lines (report, &at, text, with_contexts, out))
	  && write_rest (report, &at, with_contexts, out));
}

/* Return the COUNT uses of a line as JSON.  */
static json_t *
line_json (const struct heap_report *report, const struct line_use *uses,
	   size_t count)
{
  unsigned int marks;
  unsigned int ignored;
  char text[REPORT_MARKS_TEXT_BYTES];
  struct memory_info own = source_lines_sum (uses, count, true, &marks);
  struct memory_info called = source_lines_sum (uses, count, false, &ignored);
  json_t *object = json_object ();
  if (object != NULL && json_set_number (object, "line", uses->line)
      && json_set_text (object, "marks", marks_text (text, marks))
      && json_object_set_new (object, "info",
			      heap_json_info (&own, &report->known))
	   == 0
      && json_object_set_new (object, "calls",
			      heap_json_info (&called, &report->known))
	   == 0)
    return object;
  json_decref (object);
  return NULL;
}

bool
annotate_json (const struct heap_report *report,
	       const struct source_lines *lines, const char *path, FILE *out)
{
  const char *separator = "\n";
  if (!json_write (out, "{\"file\":", json_text (path)))
    return false;
  fputs (",\"lines\":[", out);
  for (size_t i = 0; i < lines->count;)
    {
      size_t end = i;
      while (end < lines->count && lines->uses[end].line == lines->uses[i].line)
	end++;
      if (!json_write (out, separator,
		       line_json (report, &lines->uses[i], end - i)))
	return false;
      separator = ",\n";
      i = end;
    }
  fputs ("]}", out);
  return true;
}
