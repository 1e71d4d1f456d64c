/* heapprof-gcov merge: profiles of any kind to one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "atomic-file.h"
#include "indexed-profile.h"
#include "pgo-text.h"
#include "profile-inputs.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_FULL_SCHEMA = OPTION_HELP + 1,
  OPTION_KEEP_COLUMNS,
  OPTION_DEBUG_DIRECTORY,
  OPTION_TEXT,
  OPTION_SPARSE,
  OPTION_MEMPROF_VERSION,
  OPTION_FORMAT_VERSION,
  OPTION_NOTES
};

static const struct command_option merge_options[] = {
  { 'o', "output", "OUT", "write the profile to OUT" },
  { 'b', "binary", "FILE",
    "look addresses up in FILE if its build ID fits; may be\n"
    "given for each program and library" },
  { OPTION_DEBUG_DIRECTORY, "debug-directory", "DIRS",
    "search the colon-separated DIRS for separate debug\n"
    "files, instead of /usr/lib/debug" },
  { OPTION_NOTES, "notes", "DIR",
    "look for the notes (.gcno) of gcc's data files below\n"
    "DIR, instead of beside them" },
  { OPTION_FULL_SCHEMA, "full-schema", NULL,
    "give LLVM's part all fields instead of the four that\n"
    "clang reads" },
  { OPTION_KEEP_COLUMNS, "keep-columns", NULL,
    "give LLVM's part the columns of calls also where the\n"
    "compiler counts them otherwise than clang" },
  { OPTION_SPARSE, "sparse", NULL,
    "leave out functions whose counters are all 0" },
  { OPTION_TEXT, "text", NULL,
    "write the counters of functions as text" },
  { OPTION_MEMPROF_VERSION, "memprof-version", "N",
    "write version 2, 3 (default) or 4 of LLVM's heap\n"
    "profile" },
  { OPTION_FORMAT_VERSION, "profile-format-version", "N",
    "write version 11, 12 (default) or 13 of the file" },
  { 0 }
};

struct arguments
{
  struct profile_inputs inputs;
  struct indexed_profile_options options;
  const char *output;
  bool is_text;
};

/* Tell the user what is peculiar about the counters of PROFILE, which go to
   OUTPUT.  */
static void
warn_of_counters (const char *output, const struct profile *profile)
{
  struct counter_notes notes;
  struct profile_error ignored;
  struct counter_profile *made = NULL;
  const struct counter_profile *counters = profile->counters;
  if (profile->gcov != NULL)
    counters = made = profile_all_counters (profile, &ignored);
  if (counters == NULL)
    return;
  counter_profile_find_notes (counters, &notes);
  counter_profile_free (made);
  if (notes.saturated)
    diagnostics_warning ("%s: counts above 2^64 - 3 stopped there", output);
  if (notes.mismatched_names > 0)
    diagnostics_warning ("%s: %" PRIu64 " functions have counters of different "
			 "versions of their code; all are kept", output,
			 notes.mismatched_names);
  if (notes.conflicting_names > 0)
    diagnostics_warning ("%s: %" PRIu64 " functions have different numbers of "
			 "counters or sites for one hash; all are kept, and "
			 "compilers take those that counted most", output,
			 notes.conflicting_names);
}

/* Tell the user what the text OUTPUT of PROFILE lacks.  */
static void
warn_of_losses (const char *output, const struct profile *profile,
		const struct pgo_text_losses *losses)
{
  if (profile->heap != NULL)
    diagnostics_warning ("%s: text has no place for the heap profile", output);
  if (profile->gcov != NULL)
    diagnostics_warning ("%s: text has no place for all that gcc counts: no "
			 "data files can be made of it", output);
  if (losses->binary_ids > 0)
    diagnostics_warning ("%s: text has no place for %" PRIu64 " build IDs",
			 output, losses->binary_ids);
  if (losses->unknown_targets > 0)
    diagnostics_warning ("%s: %" PRIu64 " values have no known name and are "
			 "external symbols in text", output,
			 losses->unknown_targets);
  if (losses->unknown_steps > 0)
    diagnostics_warning ("%s: %" PRIu64 " steps of traces have no known name "
			 "and are left out of text", output,
			 losses->unknown_steps);
  if (losses->names > 0)
    diagnostics_warning ("%s: %" PRIu64 " functions cannot be written as text",
			 output, losses->names);
}

/* Write the counters of PROFILE to OUTPUT as text.  */
static bool
write_text (const char *output, const struct profile *profile, bool sparse,
	    struct profile_error *err)
{
  struct pgo_text_losses losses;
  void *data;
  size_t size;
  err->path = output;
  if (profile->counters == NULL && profile->gcov == NULL)
    return profile_error_set (err, output, PROFILE_ERROR_NO_OFFSET,
			      "there are no counters to be written as text");
  struct counter_profile *counters = profile_all_counters (profile, err);
  bool is_made
    = counters != NULL
      && pgo_text_serialize (counters, sparse, &data, &size, &losses, err);
  counter_profile_free (counters);
  err->path = output;
  if (!is_made)
    return false;
  bool is_done = atomic_file_write (output, data, size, err);
  free (data);
  if (is_done)
    warn_of_losses (output, profile, &losses);
  return is_done;
}

static enum exit_status
merge (const struct arguments *arguments)
{
  const char *output = arguments->output;
  struct profile *profile = profile_inputs_read (&arguments->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  struct profile_error err;
  bool is_done
    = arguments->is_text
	? write_text (output, profile, arguments->options.sparse, &err)
	: indexed_profile_write (output, profile, &arguments->options, &err);
  if (!is_done)
    diagnostics_error (&err);
  else if (profile->counters != NULL || profile->gcov != NULL)
    warn_of_counters (output, profile);
  profile_free (profile);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

/* Take VALUE of OPTION, a number from LEAST to GREATEST.  False if it is
   none, which was printed.  */
static bool
take_version (const char *option, const char *value, unsigned int least,
	      unsigned int greatest, unsigned int *version)
{
  char *end;
  unsigned long number = strtoul (value, &end, 10);
  if (*value < '0' || *value > '9' || *end != '\0' || number < least
      || number > greatest)
    {
      diagnostics_usage ("merge", "--%s=%s: versions %u to %u can be written",
			 option, value, least, greatest);
      return false;
    }
  *version = (unsigned int) number;
  return true;
}

/* Take the option ID with VALUE.  False if it is wrong, which was printed.  */
static bool
take_option (struct arguments *arguments, int id, const char *value)
{
  struct indexed_profile_options *options = &arguments->options;
  switch (id)
    {
    case 'o':
      arguments->output = value;
      return true;
    case 'b':
      arguments->inputs.binaries[arguments->inputs.binary_count++] = value;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      arguments->inputs.debug_directories = value;
      return true;
    case OPTION_NOTES:
      arguments->inputs.notes_directory = value;
      return true;
    case OPTION_FULL_SCHEMA:
      options->full_schema = true;
      return true;
    case OPTION_KEEP_COLUMNS:
      options->keep_columns = true;
      return true;
    case OPTION_SPARSE:
      options->sparse = true;
      return true;
    case OPTION_TEXT:
      arguments->is_text = true;
      return true;
    case OPTION_MEMPROF_VERSION:
      return take_version ("memprof-version", value, 2, 4,
			   &options->memprof_version);
    case OPTION_FORMAT_VERSION:
      return take_version ("profile-format-version", value, 11, 13,
			   &options->file_version);
    default:
      return false;
    }
}

static enum exit_status
run_merge (int argc, char **argv)
{
  struct arguments arguments = { 0 };
  struct profile_inputs *inputs = &arguments.inputs;
  const char *value;
  int operands;
  int id;
  enum exit_status status = STATUS_USAGE;
  inputs->binaries = calloc ((size_t) argc, sizeof *inputs->binaries);
  if (inputs->binaries == NULL)
    return diagnostics_memory ();
  while ((id = command_options_next (&command_merge, argc, argv, &value,
				     &operands)) != -1)
    {
      if (id == OPTION_HELP)
	{
	  status = diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
	  goto out;
	}
      if (!take_option (&arguments, id, value))
	goto out;
    }
  inputs->paths = argv + operands;
  inputs->path_count = (size_t) (argc - operands);
  if (arguments.output == NULL)
    diagnostics_usage ("merge", "no output given: use -o OUT");
  else if (inputs->path_count == 0)
    diagnostics_usage ("merge", "no profile given");
  else
    status = merge (&arguments);

out:
  free (inputs->binaries);
  return status;
}

const struct command command_merge = {
  .name = "merge",
  .operands = "-o OUT PROFILE...",
  .summary = "combine profiles into one that compilers read",
  .description
  = "Name the addresses in raw profiles, add up equal calling contexts and the\n"
    "counters of functions of all PROFILEs, raw, indexed or text, and write one\n"
    "indexed profile.",
  .options = merge_options,
  .run = run_merge
};
