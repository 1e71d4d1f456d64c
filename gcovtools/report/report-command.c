/* Shared parts of the sub-commands that write a heap profile in some format.
   SPDX-License-Identifier: GPL-3.0-or-later

   The output is made in memory, so that it is written completely or not at
   all.  */

#include "report-command.h"
#include "heap-calibrate.h"
#include "option-values.h"
#include "output-file.h"
#include <stdlib.h>

struct options
{
  const struct report_command *command;
  void *arguments; /* of COMMAND */
  struct profile_inputs inputs;
  struct report_options report;
  struct leak_suppressions suppressions;
  const char *output; /* NULL: not given */
};

/* Handle option ID with VALUE.  If VALUE is invalid, print an error and return
   false.  */
static bool
take_option (void *data, int id, const char *value)
{
  struct options *options = data;
  const char *name = options->command->command->name;
  if (profile_filter_has_option (id))
    return profile_filter_take_option (&options->report.filter, name, id,
				       value);
  if (wrapper_options_have (id))
    return wrapper_options_take (&options->report.wrappers, name, id, value);
  switch (id)
    {
    case 'o':
      options->output = value;
      return true;
    case REPORT_OPTION_TOP:
      return option_take_size (name, value, &options->report.top);
    case REPORT_OPTION_AT:
      options->report.at = value;
      return true;
    case REPORT_OPTION_SUPPRESSIONS:
      return leak_suppressions_take (&options->suppressions, value);
    case REPORT_OPTION_NO_DEMANGLE:
      options->report.demangle = false;
      return true;
    case REPORT_OPTION_FULL:
      options->report.full = true;
      return true;
    case REPORT_OPTION_DEBUG_DIRECTORY:
      options->inputs.debug_directories = value;
      return true;
    case 'b':
      options->inputs.binaries[options->inputs.binary_count++] = value;
      return true;
    default:
      return options->command->take_option (options->arguments, id, value);
    }
}

/* Write REPORT to the output.  */
static bool
write_output (const struct report_command *command, const void *arguments,
	      const struct options *options, const struct heap_report *report)
{
  char title[4096];
  char *text = NULL;
  size_t size = 0;
  struct profile_error err;
  if (options->inputs.path_count == 1)
    snprintf (title, sizeof title, "%s", options->inputs.paths[0]);
  else
    snprintf (title, sizeof title, "%zu files", options->inputs.path_count);
  if (command->check != NULL && !command->check (report, title, arguments))
    return false;
  FILE *out = open_memstream (&text, &size);
  bool is_made = out != NULL && command->write (report, title, arguments, out);
  if (out != NULL)
    is_made = (fclose (out) == 0) && is_made;
  bool is_done = is_made;
  if (!is_made)
    diagnostics_memory ();
  else if (!output_file_write (options->output, text, size, &err))
    {
      diagnostics_error (&err);
      is_done = false;
    }
  free (text);
  return is_done
	 && (command->finish == NULL
	     || command->finish (arguments, options->output));
}

/* Make the report of HEAP and write it.  */
static bool
make_output (const struct report_command *command, const void *arguments,
	     const struct options *options, struct heap_profile *heap)
{
  struct heap_report report;
  if (!heap_report_make (&report, heap, &options->report))
    {
      diagnostics_memory ();
      return false;
    }
  heap_report_flatten (&report);
  bool is_done = write_output (command, arguments, options, &report);
  heap_report_release (&report);
  return is_done;
}

/* Return true if the form that ARGUMENTS select may be written to the output.
   Otherwise print an error.  */
static bool
check_output (const struct report_command *command, const void *arguments,
	      const struct options *options)
{
  struct profile_error err;
  const char *form
    = command->binary_form != NULL ? command->binary_form (arguments) : NULL;
  if (command->check_output != NULL
      && !command->check_output (arguments, options->output))
    return false;
  if (form == NULL || output_file_check_binary (options->output, form, &err))
    return true;
  diagnostics_error (&err);
  return false;
}

static enum exit_status
read_and_write (const struct report_command *command, const void *arguments,
		const struct options *options)
{
  struct profile_error err;
  if (!check_output (command, arguments, options))
    return STATUS_FAILED;
  struct profile *profile = profile_inputs_read (&options->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  bool is_done = profile->heap != NULL;
  if (is_done)
    {
      is_done = command->change == NULL
		|| command->change (arguments, &options->inputs, profile);
      heap_calibrate (profile->heap);
      is_done
	= is_done
	  && leak_suppressions_apply (&options->suppressions, profile->heap)
	  && (options->report.at == NULL
	      || heap_moment_select (profile->heap, options->report.at,
				     options->inputs.paths[0]))
	  && make_output (command, arguments, options, profile->heap);
    }
  else
    {
      profile_error_set (&err, options->inputs.paths[0],
			 PROFILE_ERROR_NO_OFFSET, "no heap profile");
      diagnostics_error (&err);
    }
  profile_free (profile);
  return diagnostics_close_stdout () && is_done ? STATUS_DONE : STATUS_FAILED;
}

/* Handle the COUNT OPERANDS.  If they are invalid, print an error and return
   false.  */
static bool
take_operands (const struct report_command *command, struct options *options,
	       void *arguments, char **operands, int count)
{
  const char *name = command->command->name;
  int profiles = count;
  if (command->take_operands != NULL)
    profiles = command->take_operands (arguments, operands, count);
  if (profiles < 0)
    return false;
  options->inputs.paths = operands + (count - profiles);
  options->inputs.path_count = (size_t) profiles;
  if (profiles == 0)
    diagnostics_usage (name, "no profile given");
  else if (options->output == NULL && command->needs_output)
    diagnostics_usage (name, "no output given: use -o OUT");
  else
    {
      if (options->output == NULL)
	options->output = "-";
      return true;
    }
  return false;
}

enum exit_status
report_command_run (const struct report_command *command, void *arguments,
		    int argc, char **argv)
{
  struct options options
    = { .command = command, .arguments = arguments, .report.demangle = true };
  int operands;
  enum exit_status status;
  options.inputs.binaries
    = calloc ((size_t) argc, sizeof *options.inputs.binaries);
  if (options.inputs.binaries == NULL)
    return diagnostics_memory ();
  if (command_options_take (command->command, argc, argv, take_option, &options,
			    &operands, &status))
    status = take_operands (command, &options, arguments, argv + operands,
			    argc - operands)
	       ? read_and_write (command, arguments, &options)
	       : STATUS_USAGE;
  leak_suppressions_release (&options.suppressions);
  profile_filter_release (&options.report.filter);
  wrapper_options_release (&options.report.wrappers);
  free (options.inputs.binaries);
  return status;
}
