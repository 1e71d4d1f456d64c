/* heapprof-gcov report: write a heap profile as one HTML file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "output-file.h"
#include "report-command.h"
#include "report-html.h"
#include "report-open.h"

enum
{
  OPTION_NO_SOURCE = REPORT_OPTION_END,
  OPTION_OPEN
};

static const struct command_option report_options[]
  = { { 'o', "output", "OUT", "write to the file OUT; - is standard output" },
      { OPTION_NO_SOURCE, "no-source", NULL, "omit the text of source files" },
      { OPTION_OPEN, "open", NULL,
	"show the report in a browser; without a display, print\n"
	"its path" },
      REPORT_OPTION_ROWS,
      { 0 } };

struct arguments
{
  struct html_options html;
  bool opens;
};

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  (void) value;
  if (id == OPTION_NO_SOURCE)
    arguments->html.no_sources = true;
  else if (id == OPTION_OPEN)
    arguments->opens = true;
  else
    return false;
  return true;
}

static bool
write_html (const struct heap_report *report, const char *title,
	    const void *data, FILE *out)
{
  const struct arguments *arguments = data;
  return report_html_write (report, title, &arguments->html, out);
}

static bool
check_output (const void *data, const char *output)
{
  const struct arguments *arguments = data;
  if (!arguments->opens || !output_file_is_stdout (output))
    return true;
  struct profile_error err;
  profile_error_set (&err, "standard output", PROFILE_ERROR_NO_OFFSET,
		     "a browser cannot open it: name a file with -o");
  diagnostics_error (&err);
  return false;
}

static bool
open_output (const void *data, const char *output)
{
  const struct arguments *arguments = data;
  return !arguments->opens || report_open (output);
}

static enum exit_status
run_report (int argc, char **argv)
{
  static const struct report_command command = { .command = &command_report,
						 .needs_output = true,
						 .take_option = take_option,
						 .write = write_html,
						 .check_output = check_output,
						 .finish = open_output };
  struct arguments arguments = { 0 };
  return report_command_run (&command, &arguments, argc, argv);
}

const struct command command_report = {
  .name = "report",
  .operands = "-o OUT PROFILE...",
  .summary = "write a heap profile as one HTML file",
  .description
  = "Write the heap profile in all PROFILEs as one self-contained HTML file:\n"
    "overview, flame graph, table, allocation sites, scatter plot, source.",
  .options = report_options,
  .run = run_report
};
