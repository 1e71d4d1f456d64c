/* heapprof-gcov report: write a heap profile as one HTML file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "report-command.h"
#include "report-html.h"

enum
{
  OPTION_NO_SOURCE = REPORT_OPTION_END
};

static const struct command_option report_options[]
  = { { 'o', "output", "OUT", "write to the file OUT; - is standard output" },
      { OPTION_NO_SOURCE, "no-source", NULL, "omit the text of source files" },
      REPORT_OPTION_ROWS,
      { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  struct html_options *options = data;
  (void) value;
  if (id != OPTION_NO_SOURCE)
    return false;
  options->no_sources = true;
  return true;
}

static bool
write_html (const struct heap_report *report, const char *title,
	    const void *data, FILE *out)
{
  return report_html_write (report, title, data, out);
}

static enum exit_status
run_report (int argc, char **argv)
{
  static const struct report_command command = { .command = &command_report,
						 .needs_output = true,
						 .take_option = take_option,
						 .write = write_html };
  struct html_options options = { 0 };
  return report_command_run (&command, &options, argc, argv);
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
