/* heapprof-gcov matching: what the compiler did with a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "matching.h"
#include "option-values.h"
#include "pager.h"
#include "profile-inputs.h"
#include <stdlib.h>

enum
{
  OPTION_JSON = OPTION_HELP + 1,
  OPTION_FAIL_UNDER
};

struct matching_options
{
  bool is_json;
  double least; /* percent of the bytes that must be placed */
};

static const struct command_option matching_options[]
  = { { OPTION_JSON, "json", NULL, "print all data as JSON" },
      { OPTION_FAIL_UNDER, "fail-under", "PERCENT",
	"exit with status 1 if less than PERCENT of the bytes\n"
	"are placed" },
      { 0 } };

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

/* Return false, with a message, if MATCHING does not place LEAST percent of the
   bytes.  */
static bool
places_enough (const struct matching *matching, double least)
{
  const double all = (double) matching->profile.bytes;
  const double percent
    = all > 0 ? 100 * (double) matching->placed.bytes / all : 100;
  if (percent >= least)
    return true;
  struct profile_error err;
  profile_error_set (&err, matching->path, PROFILE_ERROR_NO_OFFSET,
		     "%.6g%% of the bytes are placed, expected at least %g%%",
		     percent, least);
  diagnostics_error (&err);
  return false;
}

/* Match PROFILE, read from PATH, with REMARKS and print the result.  */
static enum exit_status
print_matching (const struct profile *profile, const char *path,
		struct remarks *remarks, const struct matching_options *options)
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
		  && (options->is_json ? matching_print_json (&matching)
				       : matching_print_text (&matching)));
  const bool is_enough = !is_done || places_enough (&matching, options->least);
  matching_release (&matching);
  if (!is_done)
    return diagnostics_memory ();
  return is_enough ? STATUS_DONE : STATUS_FAILED;
}

/* Read the profile PATHS[0] and COUNT remarks files, and print how they
   match.  */
static enum exit_status
read_and_print (char **paths, size_t count,
		const struct matching_options *options)
{
  const struct profile_inputs inputs = { .paths = paths, .path_count = 1 };
  struct profile *profile = profile_inputs_read (&inputs);
  struct remarks remarks = { 0 };
  enum exit_status status = STATUS_FAILED;
  if (profile != NULL && read_remarks (&remarks, paths + 1, count))
    {
      pager_start ();
      status = print_matching (profile, paths[0], &remarks, options);
    }
  remarks_free (&remarks);
  profile_free (profile);
  return diagnostics_close_stdout () ? status : STATUS_FAILED;
}

static enum exit_status
run_matching (int argc, char **argv)
{
  const char *value;
  struct matching_options options = { 0 };
  int operands;
  int id;
  while ((id = command_options_next (&command_matching, argc, argv, &value,
				     &operands))
	 != -1)
    {
      if (id == OPTION_HELP)
	return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
      if (id == OPTION_JSON)
	options.is_json = true;
      else if (id != OPTION_FAIL_UNDER
	       || !option_take_percent ("matching", value, &options.least))
	return STATUS_USAGE;
    }
  if (argc - operands < 2)
    return diagnostics_usage ("matching",
			      "expected a profile and a file of remarks");
  return read_and_print (argv + operands, argc - operands - 1, &options);
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
