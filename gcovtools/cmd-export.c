/* heapprof-gcov export: write a heap profile in other tools' formats.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "export.h"
#include "heap-moments.h"
#include "profile-since.h"
#include "report-command.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
  OPTION_FORMAT = REPORT_OPTION_END,
  OPTION_VALUE,
  OPTION_SINCE
};

static const struct command_option export_options[]
  = { { OPTION_FORMAT, "format", "FORMAT",
	"write folded (stacks for flame graphs), pprof, otlp\n"
	"(for OpenTelemetry collectors), speedscope, dhat,\n"
	"callgrind, massif, trace (heap size over time for\n"
	"Perfetto), csv or json" },
      { 'o', "output", "OUT",
	"write to the file OUT (default -: standard output)" },
      { OPTION_VALUE, "value", "KEY",
	"the number to write with folded, speedscope and dhat:\n"
	"bytes (default), accesses, allocations, lifetime (of\n"
	"all blocks), live_bytes, live_blocks (never freed),\n"
	"peak (bytes live at the peak), temporary (blocks freed\n"
	"before the next allocation), lost_bytes, lost_blocks\n"
	"(that no pointer led to)" },
      { OPTION_SINCE, "since", "EARLIER",
	"write what the raw profile EARLIER, of the same run as\n"
	"PROFILE, does not have yet: not with dhat, massif,\n"
	"trace and json" },
      REPORT_OPTION_ROWS,
      { 0 } };

struct format
{
  const char *name;
  bool (*write) (const struct export_input *input, FILE *out);
  bool with_parameters; /* names include parameter types */
  bool is_binary;
  bool has_value;  /* has a single number, chosen by --value */
  bool needs_time; /* shows the heap over time */
  bool needs_all;  /* has more than sums of contexts */
};

static const struct format formats[]
  = { { "folded", export_folded, false, false, true, false, false },
      { "pprof", export_pprof, true, true, false, false, false },
      { "otlp", export_otlp, true, true, false, false, false },
      { "speedscope", export_speedscope, true, false, true, false, false },
      { "dhat", export_dhat, false, false, true, false, true },
      { "callgrind", export_callgrind, true, false, false, false, false },
      { "massif", export_massif, false, false, false, true, true },
      { "trace", export_trace, false, false, false, true, true },
      { "csv", export_csv, false, false, false, false, false },
      { "json", export_json, true, false, false, false, true } };

struct arguments
{
  const struct format *format; /* NULL if not given */
  enum context_measure value;
  uint64_t end_unix_ns; /* when the newest of the profiles was written */
  const char *since;	/* NULL: not given */
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
    case OPTION_SINCE:
      arguments->since = value;
      return true;
    case OPTION_VALUE:
      if (context_measure_from_name (value, &arguments->value))
	return true;
      diagnostics_usage ("export", "unknown value key '%s'", value);
      return false;
    default:
      return false;
    }
}

/* Return the Unix time in nanoseconds when the newest of COUNT files at PATHS
   was written; 0 if none of them is a file.  */
static uint64_t
newest_ns (char **paths, int count)
{
  uint64_t newest = 0;
  for (int i = 0; i < count; i++)
    {
      struct stat info;
      if (stat (paths[i], &info) != 0 || !S_ISREG (info.st_mode))
	continue;
      uint64_t ns = (uint64_t) info.st_mtim.tv_sec * 1000000000
		    + (uint64_t) info.st_mtim.tv_nsec;
      if (ns > newest)
	newest = ns;
    }
  return newest;
}

/* All operands are profiles; --format is required.  */
static int
take_operands (void *data, char **operands, int count)
{
  struct arguments *arguments = data;
  arguments->end_unix_ns = newest_ns (operands, count);
  if (arguments->format == NULL)
    diagnostics_usage ("export", "no format given");
  else if (arguments->since != NULL && arguments->format->needs_all)
    diagnostics_usage ("export", "--since cannot be used with this format");
  else if (arguments->since != NULL && count != 1)
    diagnostics_usage ("export", "--since needs exactly one profile");
  else
    return count;
  return -1;
}

static const char *
binary_form (const void *data)
{
  const struct arguments *arguments = data;
  return arguments->format->is_binary ? "this format" : NULL;
}

/* Return true if the profile has the number chosen by --value, or the format
   does not use it, and heap size over time, if the format needs it.  Otherwise
   print an error.  */
static bool
check_value (const struct heap_report *report, const char *title,
	     const void *data)
{
  const struct arguments *arguments = data;
  struct profile_error err;
  if (arguments->format->needs_time
      && heap_details_timeline_count (heap_profile_read_details (report
								   ->profile))
	   == 0)
    {
      profile_error_set (&err, title, PROFILE_ERROR_NO_OFFSET,
			 "heap size over time is not in this profile");
      diagnostics_error (&err);
      return false;
    }
  if (!arguments->format->has_value
      || context_measure_is_known (&report->known, arguments->value))
    return true;
  profile_error_set (&err, title, PROFILE_ERROR_NO_OFFSET,
		     "this profile has no data for %s",
		     context_measure_name (arguments->value));
  diagnostics_error (&err);
  return false;
}

static bool
write_format (const struct heap_report *report, const char *title,
	      const void *data, FILE *out)
{
  const struct arguments *arguments = data;
  const struct export_input input = { .report = report,
				      .title = title,
				      .value = arguments->value,
				      .end_unix_ns = arguments->end_unix_ns };
  return export_write (arguments->format->write, &input,
		       arguments->format->with_parameters, out);
}

/* With --since, leave what the earlier profile does not have.  */
static bool
leave_rest (const void *data, const struct profile_inputs *inputs,
	    struct profile *profile)
{
  const struct arguments *arguments = data;
  return arguments->since == NULL
	 || (profile_since_check (arguments->since, inputs->paths[0])
	     && profile_since (inputs, arguments->since, profile));
}

static enum exit_status
run_export (int argc, char **argv)
{
  static const struct report_command command = { .command = &command_export,
						 .take_option = take_option,
						 .take_operands = take_operands,
						 .binary_form = binary_form,
						 .change = leave_rest,
						 .check = check_value,
						 .write = write_format };
  struct arguments arguments = { .value = CONTEXT_BYTES };
  return report_command_run (&command, &arguments, argc, argv);
}

const struct command command_export = {
  .name = "export",
  .operands = "PROFILE...",
  .summary = "write a heap profile for other tools",
  .description
  = "Write the calling contexts of all PROFILEs, and what they allocated, in\n"
    "another tool's format.",
  .options = export_options,
  .run = run_export
};
