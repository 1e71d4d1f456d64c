/* heapprof-gcov advise: what to change in a program, according to its profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-limits.h"
#include "advice-make.h"
#include "advise.h"
#include "commands.h"
#include "heap-calibrate.h"
#include "option-values.h"
#include "output-form.h"
#include "pager.h"
#include "profile-inputs.h"
#include "terminal.h"
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_REMARKS = OPTION_HELP + 1,
  OPTION_KIND,
  OPTION_LIMIT,
  OPTION_MIN_SHARE,
  OPTION_FORMAT,
  OPTION_JSON,
  OPTION_BASE,
  OPTION_COLOR,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option advise_options[]
  = { { OPTION_REMARKS, "remarks", "FILE",
	"also advise on what the compiler could not place,\n"
	"according to its remarks; may be repeated" },
      { OPTION_KIND, "kind", "NAME,...",
	"only advice of these kinds: unused, temporaries,\n"
	"reserve, pool, oversized, groups, layout, split, leak,\n"
	"growing, cold, placement" },
      { OPTION_LIMIT, "limit", "N",
	"print N pieces of advice (default: 10; 0: all)" },
      { OPTION_MIN_SHARE, "min-share", "PERCENT",
	"leave out advice that gains less than PERCENT of what\n"
	"the program has (default: 1; 0: leave out none)" },
      FILTER_FUNCTION_ROW,
      FILTER_OPTION_ROWS,
      WRAPPER_OPTION_ROWS,
      { OPTION_FORMAT, "format", "FORM",
	"print text (default), json, sarif (SARIF 2.1.0, for\n"
	"code hosts and editors), github (annotations), or\n"
	"gitlab (a Code Quality report)" },
      { OPTION_JSON, "json", NULL, "the same as --format=json" },
      { OPTION_BASE, "base", "DIR",
	"with sarif, github or gitlab: the root of the source,\n"
	"to which files below it are relative (default: the\n"
	"current folder)" },
      { OPTION_COLOR, "color", "WHEN",
	"when to use colours: auto (default), always or never" },
      BINARY_ROW,
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct arguments
{
  struct profile_inputs inputs;
  struct report_options report;
  struct advice_options advice;
  struct advise_print print;
  enum output_form form;
  const char **remarks;
  size_t remarks_count;
  bool has_kinds;
};

/* Mark the kind with the name of N bytes at NAME as wanted.  */
static bool
take_kind (struct advice_options *options, const char *name, size_t n)
{
  for (int kind = 0; kind < ADVICE_KINDS; kind++)
    {
      const char *known = advice_kind_facts (kind)->name;
      if (strlen (known) != n || strncmp (known, name, n) != 0)
	continue;
      options->kinds[kind] = true;
      return true;
    }
  diagnostics_usage ("advise", "unknown kind '%.*s'", (int) n, name);
  return false;
}

static bool
take_kinds (struct arguments *arguments, const char *value)
{
  arguments->has_kinds = true;
  for (;;)
    {
      size_t n = strcspn (value, ",");
      if (!take_kind (&arguments->advice, value, n))
	return false;
      if (value[n] == '\0')
	return true;
      value += n + 1;
    }
}

static bool
take_colour (const char *value)
{
  if (terminal_set_colour (value))
    return true;
  diagnostics_usage ("advise",
		     "invalid colour mode '%s' (expected auto, always or "
		     "never)",
		     value);
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
    return profile_filter_take_option (&arguments->report.filter, "advise", id,
				       value);
  if (wrapper_options_have (id))
    return wrapper_options_take (&arguments->report.wrappers, "advise", id,
				 value);
  switch (id)
    {
    case OPTION_REMARKS:
      arguments->remarks[arguments->remarks_count++] = value;
      return true;
    case OPTION_KIND:
      return take_kinds (arguments, value);
    case OPTION_LIMIT:
      return option_take_size ("advise", value, &arguments->print.limit);
    case OPTION_MIN_SHARE:
      return option_take_percent ("advise", value,
				  &arguments->advice.min_share_percent);
    case OPTION_FORMAT:
      return output_form_take ("advise", value, &arguments->form);
    case OPTION_JSON:
      arguments->form = OUTPUT_JSON;
      return true;
    case OPTION_BASE:
      arguments->print.base = value;
      return true;
    case OPTION_COLOR:
      return take_colour (value);
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
read_remarks (const struct arguments *arguments, struct remarks *remarks)
{
  struct profile_error err;
  for (size_t i = 0; i < arguments->remarks_count; i++)
    if (!remarks_read (remarks, arguments->remarks[i], &err))
      {
	diagnostics_error (&err);
	return false;
      }
  remarks_choose (remarks);
  return true;
}

static bool
print_findings (const struct arguments *arguments,
		const struct advice_list *advice)
{
  struct finding_list list;
  bool is_done = advise_find (&list, advice, &arguments->print)
		 && output_form_write (&list, arguments->form, stdout);
  finding_list_release (&list);
  return is_done;
}

static bool
print (const struct arguments *arguments, const struct advice_list *advice)
{
  pager_start ();
  switch (arguments->form)
    {
    case OUTPUT_JSON:
      return advise_print_json (advice, &arguments->print);
    case OUTPUT_TEXT:
      return advise_print_text (advice, &arguments->print);
    default:
      return print_findings (arguments, advice);
    }
}

/* Print advice on PROFILE, which has a heap profile.  */
static enum exit_status
advise (struct arguments *arguments, struct profile *profile)
{
  struct heap_report report;
  struct advice_list advice;
  if (!heap_report_make (&report, profile->heap, &arguments->report))
    return diagnostics_memory ();
  bool is_done = advice_make (&advice, &report, &arguments->advice)
		 && print (arguments, &advice);
  advice_release (&advice);
  heap_report_release (&report);
  return is_done ? STATUS_DONE : diagnostics_memory ();
}

static enum exit_status
read_and_advise (struct arguments *arguments)
{
  struct profile_error err;
  struct remarks remarks = { 0 };
  enum exit_status status = STATUS_FAILED;
  struct profile *profile = profile_inputs_read (&arguments->inputs);
  if (profile != NULL && profile->heap == NULL)
    {
      profile_error_set (&err, arguments->print.path, PROFILE_ERROR_NO_OFFSET,
			 "no heap profile in this file");
      diagnostics_error (&err);
    }
  else if (profile != NULL && read_remarks (arguments, &remarks))
    {
      heap_calibrate (profile->heap);
      if (arguments->remarks_count > 0)
	arguments->advice.remarks = &remarks;
      status = advise (arguments, profile);
    }
  remarks_free (&remarks);
  profile_free (profile);
  return diagnostics_close_stdout () ? status : STATUS_FAILED;
}

/* Advise on the profile PATH.  */
static enum exit_status
run_on (struct arguments *arguments, char **path)
{
  arguments->inputs.paths = path;
  arguments->inputs.path_count = 1;
  arguments->print.path = *path;
  arguments->advice.path = *path;
  for (int kind = 0; kind < ADVICE_KINDS && !arguments->has_kinds; kind++)
    arguments->advice.kinds[kind] = true;
  return read_and_advise (arguments);
}

static enum exit_status
run_advise (int argc, char **argv)
{
  struct arguments arguments
    = { .report.demangle = true,
	.advice.min_share_percent = ADVICE_MIN_SHARE_PERCENT,
	.print.limit = ADVICE_LIMIT };
  int operands;
  enum exit_status status;
  arguments.inputs.binaries = calloc ((size_t) argc, sizeof (char *));
  arguments.remarks = calloc ((size_t) argc, sizeof (char *));
  if (arguments.inputs.binaries == NULL || arguments.remarks == NULL)
    status = diagnostics_memory ();
  else if (command_options_take (&command_advise, argc, argv, take_option,
				 &arguments, &operands, &status))
    status = argc - operands == 1
	       ? run_on (&arguments, argv + operands)
	       : diagnostics_usage ("advise", "expected one profile");
  profile_filter_release (&arguments.report.filter);
  wrapper_options_release (&arguments.report.wrappers);
  free (arguments.remarks);
  free (arguments.inputs.binaries);
  return status;
}

const struct command command_advise = {
  .name = "advise",
  .operands = "PROFILE",
  .summary = "print what to change in the program, largest gain first",
  .description
  = "Print what the heap profile PROFILE (raw or indexed) suggests to change in\n"
    "the program's source or build: where, the figures that support it, and\n"
    "how much it gains at most.  Also print what limits the gain.",
  .options = advise_options,
  .run = run_advise
};
