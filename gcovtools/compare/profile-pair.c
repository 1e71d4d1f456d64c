/* Shared parts of the sub-commands that compare two profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-pair.h"
#include "option-values.h"
#include "pager.h"
#include <inttypes.h>
#include <stdlib.h>

/* A running command.  */
struct run
{
  const struct pair_command *command;
  void *arguments; /* of COMMAND */
  struct pair_options options;
};

/* Handle option ID with VALUE.  If VALUE is invalid, print an error and return
   false.  */
static bool
take_option (void *data, int id, const char *value)
{
  struct run *run = data;
  struct pair_options *options = &run->options;
  struct profile_inputs *inputs = &options->inputs;
  if (profile_filter_has_option (id))
    {
      bool is_right
	= profile_filter_take_option (&options->filter,
				      run->command->command->name, id, value);
      options->function = profile_filter_functions (&options->filter);
      return is_right;
    }
  if (wrapper_options_have (id))
    return wrapper_options_take (&options->wrappers,
				 run->command->command->name, id, value);
  switch (id)
    {
    case PAIR_OPTION_JSON:
      options->is_json = true;
      return true;
    case PAIR_OPTION_NO_DEMANGLE:
      options->demangle = false;
      return true;
    case PAIR_OPTION_DEBUG_DIRECTORY:
      inputs->debug_directories = value;
      return true;
    case PAIR_OPTION_NOTES:
      inputs->notes_directory = value;
      return true;
    case 'b':
      inputs->binaries[inputs->binary_count++] = value;
      return true;
    default:
      return run->command->take_option (run->arguments, id, value);
    }
}

/* Note how many blocks of the heap profile PROFILE, read from PATH, have
   unknown accesses or lifetimes, so that sums of the others are too small.  */
static void
note_unknown (struct heap_profile *profile, const char *path)
{
  uint64_t count = 0;
  uint64_t uncounted = 0;
  bool is_any_counted = false;
  uint32_t contexts
    = profile != NULL ? heap_profile_context_count (profile) : 0;
  for (uint32_t i = 0; i < contexts; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL)
	continue;
      count += info->unfinished_count;
      uncounted += info->uncounted_count;
      is_any_counted |= memory_info_is_counted (info);
    }
  if (count > 0)
    diagnostics_note ("%s: accesses and lifetime of %" PRIu64 " %s are unknown:"
		      " they were live in a run that did not end normally",
		      path, count, count == 1 ? "block" : "blocks");
  if (uncounted > 0 && is_any_counted)
    diagnostics_note ("%s: accesses to %" PRIu64 " %s are unknown: they were"
		      " not counted in all runs",
		      path, uncounted, uncounted == 1 ? "block" : "blocks");
}

/* Read both profiles and compare them.  */
static enum exit_status
read_and_compare (const struct pair_command *command,
		  struct pair_options *options, void *arguments, char **paths)
{
  struct profile_pair pair = { { paths[0], paths[1] }, { NULL, NULL } };
  bool is_read = true;
  for (int side = 0; side < 2 && is_read; side++)
    {
      options->inputs.paths = &paths[side];
      options->inputs.path_count = 1;
      pair.profiles[side] = profile_inputs_read_to_show (&options->inputs);
      is_read = pair.profiles[side] != NULL;
      if (is_read)
	note_unknown (pair.profiles[side]->heap, paths[side]);
    }
  enum exit_status status = STATUS_FAILED;
  if (is_read)
    {
      pager_start ();
      status = command->compare (&pair, options, arguments);
    }
  profile_free (pair.profiles[0]);
  profile_free (pair.profiles[1]);
  return diagnostics_close_stdout () ? status : STATUS_FAILED;
}

enum exit_status
pair_command_run (const struct pair_command *command, void *arguments, int argc,
		  char **argv)
{
  struct run run
    = { .command = command, .arguments = arguments, .options.demangle = true };
  struct pair_options *options = &run.options;
  int operands;
  enum exit_status status;
  options->inputs.binaries
    = calloc ((size_t) argc, sizeof *options->inputs.binaries);
  if (options->inputs.binaries == NULL)
    return diagnostics_memory ();
  if (command_options_take (command->command, argc, argv, take_option, &run,
			    &operands, &status))
    {
      if (argc - operands == 2)
	status
	  = read_and_compare (command, options, arguments, argv + operands);
      else
	status = diagnostics_usage (command->command->name,
				    "expected two profiles, %d given",
				    argc - operands);
    }
  profile_filter_release (&options->filter);
  wrapper_options_release (&options->wrappers);
  free (options->inputs.binaries);
  return status;
}

bool
profile_pair_match_samples (const struct profile_pair *pair,
			    struct sample_match *match,
			    struct profile_error *err)
{
  const struct sample_profile *profiles[2];
  *match = (struct sample_match){ 0 };
  for (int side = 0; side < 2; side++)
    {
      profiles[side] = profile_need_samples (pair->profiles[side]);
      if (profiles[side] == NULL)
	return profile_error_set_memory (err, NULL);
    }
  if (sample_match_make (match, profiles, err))
    return true;
  err->path = pair->paths[1];
  return false;
}

struct heap_report
pair_heap_report (struct heap_profile *profile,
		  const struct pair_options *options)
{
  return (struct heap_report){ .profile = profile,
			       .options.demangle = options->demangle };
}
