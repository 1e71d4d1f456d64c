/* heapprof-gcov merge: raw and indexed profiles to one indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "indexed-profile.h"
#include "profile-inputs.h"
#include <stdlib.h>

enum
{
  OPTION_FULL_SCHEMA = OPTION_HELP + 1,
  OPTION_KEEP_COLUMNS,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option merge_options[] = {
  { 'o', "output", "OUT", "write the profile to OUT" },
  { 'b', "binary", "FILE",
    "look addresses up in FILE if its build ID fits; may be\n"
    "given for each program and library" },
  { OPTION_DEBUG_DIRECTORY, "debug-directory", "DIRS",
    "search the colon-separated DIRS for separate debug\n"
    "files, instead of /usr/lib/debug" },
  { OPTION_FULL_SCHEMA, "full-schema", NULL,
    "give LLVM's part all fields instead of the four that\n"
    "clang reads" },
  { OPTION_KEEP_COLUMNS, "keep-columns", NULL,
    "give LLVM's part the columns of calls also where the\n"
    "compiler counts them otherwise than clang" },
  { 0 }
};

/* Write the profile of INPUTS to OUTPUT.  */
static enum exit_status
merge (const struct profile_inputs *inputs, const char *output,
       const struct indexed_profile_options *options)
{
  struct profile *profile = profile_inputs_read (inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  struct profile_error err;
  bool is_done = indexed_profile_write (output, profile, options, &err);
  if (!is_done)
    diagnostics_error (&err);
  profile_free (profile);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
run_merge (int argc, char **argv)
{
  struct indexed_profile_options options = { 0 };
  struct profile_inputs inputs = { 0 };
  const char *output = NULL;
  const char *value;
  int operands;
  int id;
  enum exit_status status = STATUS_FAILED;
  inputs.binaries = calloc ((size_t) argc, sizeof *inputs.binaries);
  if (inputs.binaries == NULL)
    return diagnostics_memory ();
  while ((id = command_options_next (&command_merge, argc, argv, &value,
				     &operands)) != -1)
    switch (id)
      {
      case 'o':
	output = value;
	break;
      case 'b':
	inputs.binaries[inputs.binary_count++] = value;
	break;
      case OPTION_DEBUG_DIRECTORY:
	inputs.debug_directories = value;
	break;
      case OPTION_FULL_SCHEMA:
	options.full_schema = true;
	break;
      case OPTION_KEEP_COLUMNS:
	options.keep_columns = true;
	break;
      case OPTION_HELP:
	status = diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
	goto out;
      default:
	status = STATUS_USAGE;
	goto out;
      }
  inputs.paths = argv + operands;
  inputs.path_count = (size_t) (argc - operands);
  if (output == NULL)
    status = diagnostics_usage ("merge", "no output given: use -o OUT");
  else if (inputs.path_count == 0)
    status = diagnostics_usage ("merge", "no profile given");
  else
    status = merge (&inputs, output, &options);

out:
  free (inputs.binaries);
  return status;
}

const struct command command_merge = {
  .name = "merge",
  .operands = "-o OUT PROFILE...",
  .summary = "combine profiles into one that compilers read",
  .description
  = "Name the addresses in raw profiles, add up equal calling contexts of all\n"
    "PROFILEs, raw or indexed, and write one indexed profile.",
  .options = merge_options,
  .run = run_merge
};
