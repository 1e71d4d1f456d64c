/* heapprof-gcov matching: what the compiler did with a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "matching.h"
#include "profile-inputs.h"

enum
{
  OPTION_JSON = OPTION_HELP + 1
};

static const struct command_option matching_options[]
  = { { OPTION_JSON, "json", NULL, "print all data as JSON" }, { 0 } };

static bool
read_remarks (struct remarks *remarks, char **paths, size_t count)
{
  struct profile_error err;
  for (size_t i = 0; i < count; i++)
    if (!remarks_read (remarks, paths[i], &err))
      {
	diagnostics_error (&err);
	return false;
      }
  return true;
}

/* Match PROFILE, read from PATH, with REMARKS and print the result.  */
static enum exit_status
print_matching (const struct profile *profile, const char *path,
		struct remarks *remarks, bool is_json)
{
  struct profile_error err;
  if (profile->heap == NULL)
    {
      profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
			 "no heap profile in this file");
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  struct matching matching
    = { .path = path, .files = remarks->files, .remarks = remarks->count };
  remarks_choose (remarks);
  bool is_done = (matching_make (&matching, profile->heap, remarks)
		  && (is_json ? matching_print_json (&matching)
			      : matching_print_text (&matching)));
  matching_release (&matching);
  return is_done ? STATUS_DONE : diagnostics_memory ();
}

/* Read the profile PATHS[0] and COUNT remarks files, and print how they
   match.  */
static enum exit_status
read_and_print (char **paths, size_t count, bool is_json)
{
  const struct profile_inputs inputs = { .paths = paths, .path_count = 1 };
  struct profile *profile = profile_inputs_read (&inputs);
  struct remarks remarks = { 0 };
  enum exit_status status = STATUS_FAILED;
  if (profile != NULL && read_remarks (&remarks, paths + 1, count))
    status = print_matching (profile, paths[0], &remarks, is_json);
  remarks_free (&remarks);
  profile_free (profile);
  return diagnostics_close_stdout () ? status : STATUS_FAILED;
}

static enum exit_status
run_matching (int argc, char **argv)
{
  const char *value;
  bool is_json = false;
  int operands;
  int id;
  while ((id = command_options_next (&command_matching, argc, argv, &value,
				     &operands))
	 != -1)
    {
      if (id == OPTION_HELP)
	return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
      if (id != OPTION_JSON)
	return STATUS_USAGE;
      is_json = true;
    }
  if (argc - operands < 2)
    return diagnostics_usage ("matching",
			      "expected a profile and a file of remarks");
  return read_and_print (argv + operands, argc - operands - 1, is_json);
}

const struct command command_matching = {
  .name = "matching",
  .operands = "PROFILE REMARKS...",
  .summary = "print what the compiler did with a heap profile",
  .description
  = "Print how much of the heap profile PROFILE the compiler matched with the\n"
    "source, turned into hints, cloned functions for, or lost, and why.\n"
    "REMARKS are files written by -fplugin-arg-heapprof-use-remarks=FILE.",
  .options = matching_options,
  .run = run_matching
};
