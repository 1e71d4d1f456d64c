/* heapprof-gcov convert: a profile in the form that another tool takes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "gcov-tree.h"
#include "profile-inputs.h"
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_TO = OPTION_HELP + 1,
  OPTION_STRIP_PREFIX,
  OPTION_NOTES
};

static const struct command_option convert_options[] = {
  { OPTION_TO, "to", "FORMAT",
    "gcda: gcc's data files, one for each object, as\n"
    "`gcc -fprofile-use' takes them" },
  { 'o', "output", "DIR",
    "write the files below DIR, under the names that they\n"
    "were read by" },
  { OPTION_STRIP_PREFIX, "strip-prefix", "DIR",
    "leave the leading DIR out of these names" },
  { OPTION_NOTES, "notes", "DIR",
    "look for the notes (.gcno) of data files below DIR,\n"
    "instead of beside them" },
  { 0 }
};

struct convert_request
{
  struct profile_inputs inputs;
  struct gcov_tree tree;
  const char *format;
};

static enum exit_status
convert (const struct convert_request *request)
{
  struct profile *profile = profile_inputs_read (&request->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  bool is_done = gcov_tree_write (&request->tree, profile,
				  request->inputs.paths[0]);
  profile_free (profile);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
check_and_convert (const struct convert_request *request)
{
  if (request->format == NULL)
    return diagnostics_usage ("convert", "no format given: use --to=gcda");
  if (strcmp (request->format, "gcda") != 0)
    return diagnostics_usage ("convert", "unknown format '%s'",
			      request->format);
  if (request->tree.directory == NULL)
    return diagnostics_usage ("convert", "no output given: use -o DIR");
  if (request->inputs.path_count == 0)
    return diagnostics_usage ("convert", "no profile given");
  return convert (request);
}

static enum exit_status
run_convert (int argc, char **argv)
{
  struct convert_request request = { 0 };
  const char *value;
  int operands;
  int id;
  while ((id = command_options_next (&command_convert, argc, argv, &value,
				     &operands)) != -1)
    switch (id)
      {
      case OPTION_TO:
	request.format = value;
	break;
      case 'o':
	request.tree.directory = value;
	break;
      case OPTION_STRIP_PREFIX:
	request.tree.prefix = value;
	break;
      case OPTION_NOTES:
	request.inputs.notes_directory = value;
	break;
      case OPTION_HELP:
	return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
      default:
	return STATUS_USAGE;
      }
  request.inputs.paths = argv + operands;
  request.inputs.path_count = (size_t) (argc - operands);
  return check_and_convert (&request);
}

const struct command command_convert = {
  .name = "convert",
  .operands = "--to=FORMAT -o OUT PROFILE...",
  .summary = "write profiles as another tool takes them",
  .description
  = "Combine the PROFILEs as `merge' does and write them in FORMAT.",
  .options = convert_options,
  .run = run_convert
};
