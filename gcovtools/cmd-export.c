/* heapprof-gcov export: write a heap profile in other tools' formats.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "export.h"
#include "report-command.h"
#include <string.h>

enum
{
  OPTION_FORMAT = REPORT_OPTION_END,
  OPTION_VALUE
};

static const struct command_option export_options[] = {
  { OPTION_FORMAT, "format", "FORMAT",
    "write folded (stacks, for flame graphs), pprof,\n"
    "speedscope, dhat, callgrind, csv or json" },
  { 'o', "output", "OUT", "write to OUT instead of standard output (-)" },
  { OPTION_VALUE, "value", "KEY",
    "with folded and speedscope, which have one number:\n"
    "bytes (default), accesses, allocations, lifetime (of\n"
    "all blocks), live_bytes, live_blocks (never freed)" },
  REPORT_OPTION_ROWS,
  { 0 }
};

struct format
{
  const char *name;
  bool (*write) (const struct export_input *input, FILE *out);
  bool with_parameters;		/* names have types of parameters */
  bool is_binary;
};

static const struct format formats[]
  = { { "folded", export_folded, false, false },
      { "pprof", export_pprof, true, true },
      { "speedscope", export_speedscope, true, false },
      { "dhat", export_dhat, false, false },
      { "callgrind", export_callgrind, true, false },
      { "csv", export_csv, false, false },
      { "json", export_json, true, false } };

struct arguments
{
  const struct format *format;	/* NULL: not given */
  enum context_measure value;
};

static bool
take_format (const char *value, const struct format **format)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp (value, formats[i].name) == 0)
      {
	*format = &formats[i];
	return true;
      }
  diagnostics_usage ("export", "unknown format '%s'", value);
  return false;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  switch (id)
    {
    case OPTION_FORMAT:
      return take_format (value, &arguments->format);
    case OPTION_VALUE:
      if (context_measure_from_name (value, &arguments->value))
	return true;
      diagnostics_usage ("export", "unknown value '%s'", value);
      return false;
    default:
      return false;
    }
}

/* All operands are profiles; but a format is needed.  */
static int
take_operands (void *data, char **operands, int count)
{
  const struct arguments *arguments = data;
  (void) operands;
  if (arguments->format != NULL)
    return count;
  diagnostics_usage ("export", "no format given");
  return -1;
}

static const char *
binary_form (const void *data)
{
  const struct arguments *arguments = data;
  return arguments->format->is_binary ? "this format" : NULL;
}

static bool
write_format (const struct heap_report *report, const char *title,
	      const void *data, FILE *out)
{
  const struct arguments *arguments = data;
  struct frame_names names;
  const struct export_input input = { .report = report,
				      .names = &names,
				      .title = title,
				      .value = arguments->value };
  bool is_done = frame_names_make (&names, report,
				   arguments->format->with_parameters)
		 && arguments->format->write (&input, out);
  frame_names_release (&names);
  return is_done;
}

static enum exit_status
run_export (int argc, char **argv)
{
  static const struct report_command command = {
    .command = &command_export,
    .take_option = take_option,
    .take_operands = take_operands,
    .binary_form = binary_form,
    .write = write_format
  };
  struct arguments arguments = { .value = CONTEXT_BYTES };
  return report_command_run (&command, &arguments, argc, argv);
}

const struct command command_export = {
  .name = "export",
  .operands = "PROFILE...",
  .summary = "write a heap profile for other tools",
  .description
  = "Write the calling contexts of all PROFILEs, and what they allocated, in the\n"
    "format of another tool.",
  .options = export_options,
  .run = run_export
};
