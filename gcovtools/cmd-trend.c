/* heapprof-gcov trend: how allocation sites develop over many profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "heap-calibrate.h"
#include "heap-moment.h"
#include "option-values.h"
#include "pager.h"
#include "profile-inputs.h"
#include "terminal.h"
#include "trend.h"
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOP 20

enum
{
  OPTION_VALUE = OPTION_HELP + 1,
  OPTION_LABEL,
  OPTION_AT,
  OPTION_TOP,
  OPTION_HTML,
  OPTION_CSV,
  OPTION_JSON,
  OPTION_NO_DEMANGLE,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option trend_options[]
  = { { OPTION_VALUE, "value", "KEY",
	"the quantity: bytes (default), accesses, allocations,\n"
	"lifetime (of all blocks, in nanoseconds), live_bytes,\n"
	"live_blocks (never freed), peak (bytes live at the\n"
	"peak), temporary (blocks freed before the next\n"
	"allocation), lost_bytes, lost_blocks (no pointer led\n"
	"to them at the end)" },
      { OPTION_LABEL, "label", "HOW",
	"call profiles by name (of the file; default), build-id\n"
	"(of the program), or by these labels: LABEL,..." },
      HEAP_MOMENT_ROW (OPTION_AT),
      { OPTION_TOP, "top", "N",
	"show the N sites that grew most (0: all; default: 20\n"
	"as text, else all)" },
      FILTER_FUNCTION_ROW,
      FILTER_OPTION_ROWS,
      WRAPPER_OPTION_ROWS,
      { OPTION_HTML, "html", "FILE",
	"also write an HTML page with charts to FILE" },
      { OPTION_CSV, "csv", NULL,
	"print a table for spreadsheets: a row for each site, a\n"
	"column for each profile" },
      { OPTION_JSON, "json", NULL, "print all data as JSON" },
      { OPTION_NO_DEMANGLE, "no-demangle", NULL, "do not demangle C++ names" },
      BINARY_ROW,
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct arguments
{
  struct profile_inputs inputs; /* for each profile, except the path */
  struct trend_options options;
  bool (*print) (const struct trend *trend, size_t top);
  const char *label; /* NULL: not given */
  const char *at;    /* NULL: not given */
  const char *html;  /* NULL: not given */
  bool has_top;
  size_t top;
};

static bool
take_value (const char *value, enum context_measure *measure)
{
  if (context_measure_from_name (value, measure))
    return true;
  diagnostics_usage ("trend", "unknown value '%s'", value);
  return false;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  struct profile_inputs *inputs = &arguments->inputs;
  if (profile_filter_has_option (id))
    return profile_filter_take_option (&arguments->options.filter, "trend", id,
				       value);
  if (wrapper_options_have (id))
    return wrapper_options_take (&arguments->options.wrappers, "trend", id,
				 value);
  switch (id)
    {
    case OPTION_VALUE:
      return take_value (value, &arguments->options.measure);
    case OPTION_LABEL:
      arguments->label = value;
      return true;
    case OPTION_AT:
      arguments->at = value;
      return true;
    case OPTION_TOP:
      arguments->has_top = true;
      return option_take_size ("trend", value, &arguments->top);
    case OPTION_HTML:
      arguments->html = value;
      return true;
    case OPTION_CSV:
      arguments->print = trend_print_csv;
      return true;
    case OPTION_JSON:
      arguments->print = trend_print_json;
      return true;
    case OPTION_NO_DEMANGLE:
      arguments->options.demangle = false;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      inputs->debug_directories = value;
      return true;
    case 'b':
    default:
      inputs->binaries[inputs->binary_count++] = value;
      return true;
    }
}

static bool
has_build_ids (const struct arguments *arguments)
{
  return arguments->label != NULL && strcmp (arguments->label, "build-id") == 0;
}

/* Set the labels that do not depend on what the profiles contain.  */
static enum exit_status
set_labels (const struct arguments *arguments, struct trend *trend)
{
  const char *label = arguments->label;
  if (!trend_label_names (trend))
    return diagnostics_memory ();
  if (label == NULL || strcmp (label, "name") == 0 || has_build_ids (arguments)
      || trend_label_list (trend, label))
    return STATUS_DONE;
  return STATUS_USAGE;
}

/* Add PROFILE, run NUMBER.  On failure print an error and return false.  */
static bool
add_profile (const struct arguments *arguments, struct trend *trend,
	     size_t number, struct profile *profile)
{
  const char *path = trend->runs[number].path;
  struct profile_error err;
  if (profile->heap == NULL)
    {
      profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
			 "no heap profile in this file");
      diagnostics_error (&err);
      return false;
    }
  if (arguments->at != NULL
      && !heap_moment_select (profile->heap, arguments->at, path))
    return false;
  if (trend_add (trend, number, profile->heap)
      && (!has_build_ids (arguments)
	  || trend_label_build_id (trend, number, profile->heap)))
    return true;
  diagnostics_memory ();
  return false;
}

/* Read the profiles PATHS, the newest, which is the last one, first.  On
   failure print an error and return false.  */
static bool
read_profiles (struct arguments *arguments, struct trend *trend, char **paths)
{
  struct profile_inputs *inputs = &arguments->inputs;
  bool is_done = true;
  inputs->path_count = 1;
  for (size_t i = trend->run_count; i > 0 && is_done; i--)
    {
      inputs->paths = &paths[i - 1];
      struct profile *profile = profile_inputs_read (inputs);
      if (profile != NULL && profile->heap != NULL)
	heap_calibrate (profile->heap);
      is_done
	= profile != NULL && add_profile (arguments, trend, i - 1, profile);
      profile_free (profile);
      terminal_progress ("profiles", trend->run_count + 1 - i,
			 trend->run_count);
    }
  terminal_progress_end ();
  return is_done;
}

/* Print TREND, and write the page if it was asked for.  */
static bool
print (const struct arguments *arguments, const struct trend *trend)
{
  bool is_text = arguments->print == trend_print_text;
  pager_start ();
  size_t top = arguments->has_top || !is_text ? arguments->top : DEFAULT_TOP;
  if (!arguments->print (trend, top))
    {
      diagnostics_memory ();
      return false;
    }
  return arguments->html == NULL
	 || trend_write_html (trend, arguments->top, arguments->html);
}

static enum exit_status
run_on (struct arguments *arguments, char **paths, size_t count)
{
  struct trend trend;
  if (!trend_make (&trend, count, &arguments->options))
    {
      trend_release (&trend);
      return diagnostics_memory ();
    }
  for (size_t i = 0; i < count; i++)
    trend.runs[i].path = paths[i];
  enum exit_status status = set_labels (arguments, &trend);
  if (status == STATUS_DONE)
    {
      status = STATUS_FAILED;
      if (read_profiles (arguments, &trend, paths))
	{
	  trend_finish (&trend);
	  status = print (arguments, &trend) ? STATUS_DONE : STATUS_FAILED;
	}
    }
  trend_release (&trend);
  return diagnostics_close_stdout () ? status : STATUS_FAILED;
}

static enum exit_status
run_trend (int argc, char **argv)
{
  struct arguments arguments
    = { .options = { .measure = CONTEXT_BYTES, .demangle = true },
	.print = trend_print_text };
  int operands;
  enum exit_status status;
  arguments.inputs.binaries = calloc ((size_t) argc, sizeof (char *));
  if (arguments.inputs.binaries == NULL)
    status = diagnostics_memory ();
  else if (command_options_take (&command_trend, argc, argv, take_option,
				 &arguments, &operands, &status))
    status = operands < argc ? run_on (&arguments, argv + operands,
				       (size_t) (argc - operands))
			     : diagnostics_usage ("trend", "no profile given");
  profile_filter_release (&arguments.options.filter);
  wrapper_options_release (&arguments.options.wrappers);
  free (arguments.inputs.binaries);
  return status;
}

const struct command command_trend = {
  .name = "trend",
  .operands = "PROFILE...",
  .summary = "print how sites develop over many profiles",
  .description
  = "Print what each allocation site has in each heap profile PROFILE, oldest\n"
    "first, and which sites grew most.",
  .options = trend_options,
  .run = run_trend
};
