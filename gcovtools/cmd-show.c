/* heapprof-gcov show: print a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "heap-moment.h"
#include "leak-suppressions.h"
#include "option-values.h"
#include "pager.h"
#include "profile-inputs.h"
#include "sample-text.h"
#include "show-counters.h"
#include "show-single-threads.h"
#include "show-types.h"
#include "show.h"
#include "terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOP 20

enum
{
  OPTION_SORT = OPTION_HELP + 1,
  OPTION_TOP,
  OPTION_YAML,
  OPTION_JSON,
  OPTION_NO_DEMANGLE,
  OPTION_FULL,
  OPTION_BY_TYPE,
  OPTION_BY_FIELD,
  OPTION_BY_THREAD,
  OPTION_COLOR,
  OPTION_FULL_SCHEMA,
  OPTION_KEEP_COLUMNS,
  OPTION_DEBUG_DIRECTORY,
  OPTION_ALL_FUNCTIONS,
  OPTION_COUNTS,
  OPTION_IC_TARGETS,
  OPTION_MEMOP_SIZES,
  OPTION_SHOW_VTABLES,
  OPTION_BINARY_IDS,
  OPTION_TEMPORAL_TRACES,
  OPTION_DETAILED_SUMMARY,
  OPTION_AT,
  OPTION_SUPPRESSIONS
};

static const struct command_option show_options[]
  = { { OPTION_SORT, "sort", "KEY",
	"sort by KEY, largest first: bytes (default), accesses,\n"
	"count, lifetime (mean), density (accesses per byte),\n"
	"live (bytes never freed), peak (bytes live at the\n"
	"peak), temporary (blocks freed before the thread's\n"
	"next allocation), lost (bytes that no pointer led to)" },
      HEAP_MOMENT_ROW (OPTION_AT),
      LEAK_SUPPRESSIONS_ROW (OPTION_SUPPRESSIONS),
      { FILTER_OPTION_FUNCTION, "function", "REGEX",
	"show only contexts that contain a function whose\n"
	"demangled or linkage name matches the extended regular\n"
	"expression, and counters of functions that match;\n"
	"@FILE: any of the expressions in FILE" },
      FILTER_OPTION_ROWS,
      WRAPPER_OPTION_ROWS,
      { OPTION_TOP, "top", "N",
	"show N sites with N contexts each (default 20; 0:\n"
	"all); with --json or --yaml, N contexts (default: all)" },
      { OPTION_BY_TYPE, "by-type", NULL,
	"show data types instead of sites and contexts" },
      { OPTION_BY_FIELD, "by-field", NULL,
	"like --by-type, with each member of a class: accesses,\n"
	"holes, and an order that touches fewer cache lines" },
      { OPTION_BY_THREAD, "by-thread", NULL,
	"show threads instead: what each allocated, what of it\n"
	"is live, the most at one time, and at the peak; sorted\n"
	"by bytes, count, live or peak" },
      { OPTION_JSON, "json", NULL, "print all data as JSON" },
      { OPTION_YAML, "yaml", NULL,
	"print the data that LLVM reads, in its YAML format" },
      { OPTION_NO_DEMANGLE, "no-demangle", NULL, "do not demangle C++ names" },
      { OPTION_FULL, "full", NULL,
	"show names of functions and types with all template\n"
	"arguments, all frames of the C++ library, and the\n"
	"callers of main" },
      { OPTION_COLOR, "color", "WHEN",
	"when to use colours: auto (default), always or never" },
      BINARY_ROW,
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { OPTION_FULL_SCHEMA, "full-schema", NULL,
	"with --yaml: all fields, not only the four that clang\n"
	"reads" },
      { OPTION_KEEP_COLUMNS, "keep-columns", NULL,
	"with --yaml: columns of calls even if the compiler\n"
	"counts columns differently from clang" },
      { OPTION_ALL_FUNCTIONS, "all-functions", NULL,
	"show every function with counters, not only a summary" },
      { OPTION_COUNTS, "counts", NULL, "show the counters of these functions" },
      { OPTION_IC_TARGETS, "ic-targets", NULL,
	"show the targets of their indirect calls" },
      { OPTION_MEMOP_SIZES, "memop-sizes", NULL,
	"show the sizes of their memory operations" },
      { OPTION_SHOW_VTABLES, "show-vtables", NULL,
	"show the virtual tables of their virtual calls" },
      { OPTION_DETAILED_SUMMARY, "detailed-summary", NULL,
	"show how many counters make up each share of all\n"
	"counts" },
      { OPTION_BINARY_IDS, "binary-ids", NULL,
	"show the build IDs of the binaries with counters" },
      { OPTION_TEMPORAL_TRACES, "temporal-profile-traces", NULL,
	"show the order in which functions were first executed" },
      { 0 } };

enum show_form
{
  FORM_TEXT,
  FORM_JSON,
  FORM_YAML
};

struct arguments
{
  struct profile_inputs inputs;
  struct report_options report;
  struct leak_suppressions suppressions;
  struct yaml_options yaml;
  struct counter_options counters;
  enum show_form form;
  bool by_type;
  bool by_field;
  bool by_thread;
  bool has_top;
  size_t left_out;	    /* inputs that could not be read */
  struct profile_error err; /* why nothing could be printed */
};

static bool
parse_sort (const char *value, enum report_sort *sort)
{
  static const char *const names[]
    = { [SORT_BYTES] = "bytes",	    [SORT_ACCESSES] = "accesses",
	[SORT_COUNT] = "count",	    [SORT_LIFETIME] = "lifetime",
	[SORT_DENSITY] = "density", [SORT_LIVE] = "live",
	[SORT_PEAK] = "peak",	    [SORT_TEMPORARY] = "temporary",
	[SORT_LOST] = "lost" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (value, names[i]) == 0)
      {
	*sort = (enum report_sort) i;
	return true;
      }
  diagnostics_usage ("show", "unknown sort key '%s'", value);
  return false;
}

/* Handle option ID if it is about counters.  Return false if it is not.  */
static bool
take_counter_option (struct counter_options *counters, int id)
{
  const struct
  {
    int id;
    bool *option;
  } options[] = { { OPTION_ALL_FUNCTIONS, &counters->all_functions },
		  { OPTION_COUNTS, &counters->counts },
		  { OPTION_IC_TARGETS, &counters->call_targets },
		  { OPTION_MEMOP_SIZES, &counters->memop_sizes },
		  { OPTION_SHOW_VTABLES, &counters->vtables },
		  { OPTION_BINARY_IDS, &counters->binary_ids },
		  { OPTION_TEMPORAL_TRACES, &counters->traces },
		  { OPTION_DETAILED_SUMMARY, &counters->detailed_summary } };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (options[i].id == id)
      {
	*options[i].option = true;
	return true;
      }
  return false;
}

/* Handle option ID with VALUE.  If VALUE is invalid, print an error and return
   false.  */
static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  struct profile_inputs *inputs = &arguments->inputs;
  if (profile_filter_has_option (id))
    return profile_filter_take_option (&arguments->report.filter, "show", id,
				       value);
  if (wrapper_options_have (id))
    return wrapper_options_take (&arguments->report.wrappers, "show", id,
				 value);
  switch (id)
    {
    case OPTION_SORT:
      return parse_sort (value, &arguments->report.sort);
    case OPTION_AT:
      arguments->report.at = value;
      return true;
    case OPTION_SUPPRESSIONS:
      return leak_suppressions_take (&arguments->suppressions, value);
    case OPTION_TOP:
      arguments->has_top = true;
      return option_take_size ("show", value, &arguments->report.top);
    case OPTION_JSON:
      arguments->form = FORM_JSON;
      return true;
    case OPTION_YAML:
      arguments->form = FORM_YAML;
      return true;
    case OPTION_NO_DEMANGLE:
      arguments->report.demangle = false;
      return true;
    case OPTION_BY_FIELD:
      arguments->by_field = true;
      arguments->by_type = true;
      return true;
    case OPTION_BY_THREAD:
      arguments->by_thread = true;
      return true;
    case OPTION_BY_TYPE:
      arguments->by_type = true;
      return true;
    case OPTION_FULL:
      arguments->report.full = true;
      return true;
    case OPTION_COLOR:
      if (terminal_set_colour (value))
	return true;
      diagnostics_usage ("show",
			 "invalid colour mode '%s' (expected auto, "
			 "always or never)",
			 value);
      return false;
    case OPTION_FULL_SCHEMA:
      arguments->yaml.full_schema = true;
      return true;
    case OPTION_KEEP_COLUMNS:
      arguments->yaml.keep_columns = true;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      inputs->debug_directories = value;
      return true;
    case 'b':
      inputs->binaries[inputs->binary_count++] = value;
      return true;
    default:
      return take_counter_option (&arguments->counters, id);
    }
}

/* Store the name of what is reported, for the first line, in TITLE.  */
static void
make_title (const struct arguments *arguments, char *title, size_t size)
{
  const struct profile_inputs *inputs = &arguments->inputs;
  size_t left_out = arguments->left_out;
  char without[60] = "";
  if (left_out > 0)
    snprintf (without, sizeof without, ", %zu unreadable ones skipped",
	      left_out);
  if (inputs->path_count == 1)
    snprintf (title, size, "%s%s", inputs->paths[0], without);
  else
    snprintf (title, size, "%zu files%s", inputs->path_count, without);
}

static bool
print_text (struct arguments *arguments, struct heap_report *report,
	    const struct counter_profile *counters, bool has_heap)
{
  char title[4096];
  if (arguments->by_thread)
    return show_single_threads_text (report);
  if (arguments->by_type)
    return show_types_text (report, arguments->by_field);
  make_title (arguments, title, sizeof title);
  if ((has_heap || counters == NULL) && !show_text (report, title))
    return false;
  if (has_heap && counters != NULL)
    putchar ('\n');
  return (counters == NULL
	  || show_counters_text (counters, &arguments->counters));
}

/* Print REPORT and, if not NULL, COUNTERS.  Return false and set the arguments'
   err on failure; err is initially "memory exhausted".  */
static bool
print_report (struct arguments *arguments, struct heap_report *report,
	      const struct counter_profile *counters, bool has_heap)
{
  switch (arguments->form)
    {
    case FORM_JSON:
      heap_report_flatten (report);
      return show_json (report, counters, &arguments->counters);
    case FORM_YAML:
      heap_report_flatten (report);
      return show_yaml (report, &arguments->yaml, &arguments->err);
    case FORM_TEXT:
    default:
      return print_text (arguments, report, counters, has_heap);
    }
}

static bool
matches (const struct sample_profile *samples,
	 const struct sample_function *function, void *data)
{
  const char *name = sample_profile_name (samples, function->name);
  return name != NULL && pattern_list_matches (data, name);
}

/* Print the samples of PROFILE as LLVM's text, after its other parts if
   HAS_OTHERS.  A name known only as GUID is printed as GUID.  Return false if
   memory is exhausted.  */
static bool
print_samples (const struct arguments *arguments, const struct profile *profile,
	       bool has_others)
{
  const struct pattern_list *function
    = profile_filter_functions (&arguments->report.filter);
  const struct sample_text_options options
    = { .for_people = true,
	.is_wanted = function != NULL ? matches : NULL,
	.data = (void *) function };
  struct profile_error ignored;
  void *text;
  size_t size;
  if (!sample_text_serialize (profile->samples, &options, &text, &size,
			      &ignored))
    return false;
  if (has_others)
    putchar ('\n');
  fwrite (text, 1, size, stdout);
  free (text);
  return true;
}

/* Print all parts of PROFILE.  Return false and set the arguments' err on
   failure.  */
static bool
print_profile (struct arguments *arguments, struct profile *profile)
{
  struct heap_report report;
  bool has_heap = profile->heap != NULL;
  bool has_others = has_heap || profile->counters != NULL;
  if (profile->samples != NULL && !has_others)
    return print_samples (arguments, profile, false);
  if (profile_need_heap (profile) == NULL
      || !heap_report_make (&report, profile->heap, &arguments->report))
    return false;
  bool is_done
    = print_report (arguments, &report, profile->counters, has_heap)
      && (profile->samples == NULL || print_samples (arguments, profile, true));
  heap_report_release (&report);
  return is_done;
}

/* Return true if PROFILE can be printed in the requested form.  Otherwise print
   an error.  */
static bool
check_form (const struct arguments *arguments, const struct profile *profile)
{
  struct profile_error err;
  if (profile->samples == NULL || arguments->form == FORM_TEXT)
    return true;
  profile_error_set (&err, arguments->inputs.paths[0], PROFILE_ERROR_NO_OFFSET,
		     "samples cannot be printed as %s",
		     arguments->form == FORM_JSON ? "JSON" : "YAML");
  diagnostics_error (&err);
  return false;
}

/* Select the moment of --at.  If PROFILE does not have it, print an error and
   return false.  */
static bool
select_moment (const struct arguments *arguments, struct profile *profile)
{
  if (arguments->report.at == NULL)
    return true;
  if (profile_need_heap (profile) == NULL)
    {
      diagnostics_memory ();
      return false;
    }
  return heap_moment_select (profile->heap, arguments->report.at,
			     arguments->inputs.paths[0]);
}

static enum exit_status
show (struct arguments *arguments)
{
  arguments->inputs.failure_mode = FAILURE_ALL;
  arguments->inputs.left_out = &arguments->left_out;
  struct profile *profile = profile_inputs_read_to_show (&arguments->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  if (arguments->form == FORM_TEXT && !arguments->has_top)
    arguments->report.top = DEFAULT_TOP;
  arguments->counters.function
    = profile_filter_functions (&arguments->report.filter);
  bool is_done
    = check_form (arguments, profile)
      && leak_suppressions_apply (&arguments->suppressions, profile->heap)
      && select_moment (arguments, profile);
  profile_error_set_memory (&arguments->err, NULL);
  if (is_done)
    pager_start ();
  if (is_done && !print_profile (arguments, profile))
    {
      arguments->err.path = arguments->inputs.paths[0];
      diagnostics_error (&arguments->err);
      is_done = false;
    }
  profile_free (profile);
  is_done = diagnostics_close_stdout () && is_done && arguments->left_out == 0;
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
run_show (int argc, char **argv)
{
  struct arguments arguments = { .report.demangle = true };
  struct profile_inputs *inputs = &arguments.inputs;
  int operands;
  enum exit_status status;
  inputs->binaries = calloc ((size_t) argc, sizeof *inputs->binaries);
  if (inputs->binaries == NULL)
    return diagnostics_memory ();
  if (command_options_take (&command_show, argc, argv, take_option, &arguments,
			    &operands, &status))
    {
      inputs->paths = argv + operands;
      inputs->path_count = (size_t) (argc - operands);
      status = inputs->path_count > 0
		 ? show (&arguments)
		 : diagnostics_usage ("show", "no profile given");
    }
  leak_suppressions_release (&arguments.suppressions);
  profile_filter_release (&arguments.report.filter);
  wrapper_options_release (&arguments.report.wrappers);
  free (inputs->binaries);
  return status;
}

const struct command command_show = {
  .name = "show",
  .operands = "PROFILE...",
  .summary = "show where memory goes and how much of it is used",
  .description
  = "Print the allocation sites and calling contexts in all PROFILEs (raw or\n"
    "indexed): what they allocated, how often it was accessed, and how long\n"
    "it lived.  Also print function counters and samples.",
  .options = show_options,
  .run = run_show
};
