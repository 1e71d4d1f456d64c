/* heapprof-gcov annotate: print source files with what their lines allocated.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "annotate.h"
#include "commands.h"
#include "heap-json.h"
#include "pager.h"
#include "report-command.h"
#include "report-html.h"
#include "terminal.h"
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_JSON = REPORT_OPTION_END,
  OPTION_CONTEXTS,
  OPTION_COLOR
};

static const struct command_option annotate_options[]
  = { { OPTION_CONTEXTS, "contexts", NULL,
	"print the calling contexts that allocated below each\n"
	"line" },
      { OPTION_JSON, "json", NULL, "print the data of the lines as JSON" },
      { OPTION_COLOR, "color", "WHEN",
	"when to use colours: auto (default), always or never" },
      REPORT_OPTION_ROWS,
      { 0 } };

/* Version of the JSON form described in heapprof-gcov-annotate(1).  */
#define JSON_FORM_VERSION 1

struct arguments
{
  char **sources;
  int source_count;
  bool is_json;
  bool with_contexts;
};

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  switch (id)
    {
    case OPTION_JSON:
      arguments->is_json = true;
      return true;
    case OPTION_CONTEXTS:
      arguments->with_contexts = true;
      return true;
    case OPTION_COLOR:
      if (terminal_set_colour (value))
	return true;
      diagnostics_usage ("annotate",
			 "invalid colour mode '%s' (expected auto, "
			 "always or never)",
			 value);
      return false;
    default:
      return false;
    }
}

/* The last operand is the profile.  */
static int
take_operands (void *data, char **operands, int count)
{
  struct arguments *arguments = data;
  arguments->sources = operands;
  arguments->source_count = count - 1;
  if (count >= 2)
    return 1;
  diagnostics_usage ("annotate",
		     count == 0 ? "no source file given" : "no profile given");
  return -1;
}

/* Errors show at most this many bytes of a path, counted from its end.  */
#define MAX_PATH_SHOWN 50

static bool
path_is_long (const char *path)
{
  return strlen (path) > MAX_PATH_SHOWN;
}

static const char *
path_end (const char *path)
{
  return path_is_long (path) ? path + strlen (path) - MAX_PATH_SHOWN : path;
}

/* Return true if SOURCE identifies one file, whose lines are LINES, and there
   is something to print.  Otherwise print an error.  */
static bool
check_lines (const struct source_lines *lines, const char *source)
{
  struct profile_error err;
  if (lines->other != NULL)
    profile_error_set (&err, source, PROFILE_ERROR_NO_OFFSET,
		       "ambiguous: %s%s or %s%s; give more of the path",
		       path_is_long (lines->path) ? "..." : "",
		       path_end (lines->path),
		       path_is_long (lines->other) ? "..." : "",
		       path_end (lines->other));
  else if (lines->path == NULL)
    profile_error_set (&err, source, PROFILE_ERROR_NO_OFFSET,
		       "the profile has no calling context in this file");
  if (lines->other == NULL)
    {
      char *text = lines->path == NULL ? report_source_text (source) : NULL;
      bool is_there = lines->path != NULL || text != NULL;
      free (text);
      if (is_there)
	return true;
    }
  diagnostics_error (&err);
  return false;
}

/* Return true if every source can be annotated.  Otherwise print an error that
   names the first one that cannot.  */
static bool
check_sources (const struct heap_report *report, const char *title,
	       const void *data)
{
  const struct arguments *arguments = data;
  bool is_right = true;
  (void) title;
  for (int i = 0; i < arguments->source_count && is_right; i++)
    {
      struct source_lines lines;
      is_right = source_lines_make (&lines, report, arguments->sources[i]);
      if (is_right)
	is_right = check_lines (&lines, arguments->sources[i]);
      else
	diagnostics_memory ();
      source_lines_release (&lines);
    }
  return is_right;
}

/* Write the annotated file SOURCE.  Warn if the profile has no contexts in
   it.  */
static bool
annotate_source (const struct heap_report *report,
		 const struct arguments *arguments, const char *source,
		 FILE *out)
{
  struct source_lines lines;
  bool is_done = source_lines_make (&lines, report, source);
  if (is_done && lines.path == NULL)
    diagnostics_warning ("%s: the profile has no calling context in this file",
			 source);
  if (is_done && arguments->is_json)
    is_done = annotate_json (report, &lines, source, out);
  else if (is_done)
    {
      char *text = report_source_text (source);
      if (text == NULL && lines.path != NULL)
	text = report_source_text (lines.path);
      if (text == NULL)
	diagnostics_warning ("%s: cannot find the source file", source);
      is_done = annotate_text (report, &lines, source, text,
			       arguments->with_contexts, out);
      free (text);
    }
  source_lines_release (&lines);
  return is_done;
}

static bool
write_annotation (const struct heap_report *report, const char *title,
		  const void *data, FILE *out)
{
  pager_start ();
  const struct arguments *arguments = data;
  (void) title;
  if (arguments->is_json)
    fprintf (out, "{\"version\":%d,\"files\":[", JSON_FORM_VERSION);
  for (int i = 0; i < arguments->source_count; i++)
    {
      if (i > 0)
	fputs (arguments->is_json ? ",\n" : "\n", out);
      if (!annotate_source (report, arguments, arguments->sources[i], out))
	return false;
    }
  if (!arguments->is_json)
    return true;
  fputs ("]", out);
  if (!json_write (out, ",\n\"looked_through\":",
		   heap_json_looked_through (report, &report->looked_through)))
    return false;
  fputs ("}\n", out);
  return true;
}

static enum exit_status
run_annotate (int argc, char **argv)
{
  static const struct report_command command = { .command = &command_annotate,
						 .take_option = take_option,
						 .take_operands = take_operands,
						 .check = check_sources,
						 .write = write_annotation };
  struct arguments arguments = { 0 };
  return report_command_run (&command, &arguments, argc, argv);
}

const struct command command_annotate = {
  .name = "annotate",
  .operands = "SOURCE... PROFILE",
  .summary = "print source files with what their lines allocated",
  .description
  = "Print each SOURCE with columns for what its lines allocated, in gcov's\n"
    "layout: blocks, bytes, accesses, mean lifetime, and bytes allocated by\n"
    "calls from the line.  SOURCE may be just the end of a path.",
  .options = annotate_options,
  .run = run_annotate
};
