/* heapprof-gcov merge: combine profiles of any kind into one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "function-id.h"
#include "indexed-output.h"
#include "output-file.h"
#include "pgo-text.h"
#include "profile-inputs.h"
#include "sample-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* More than any machine can use.  */
#define MOST_THREADS 1024

enum
{
  OPTION_FULL_SCHEMA = OPTION_HELP + 1,
  OPTION_KEEP_COLUMNS,
  OPTION_LLVM_ONLY,
  OPTION_DEBUG_DIRECTORY,
  OPTION_TEXT,
  OPTION_SPARSE,
  OPTION_MEMPROF_VERSION,
  OPTION_FORMAT_VERSION,
  OPTION_NOTES,
  OPTION_WEIGHTED_INPUT,
  OPTION_FAILURE_MODE,
  OPTION_NO_VTABLES
};

static const struct command_option merge_options[] = {
  { 'o', "output", "OUT", "write the profile to OUT (-: standard output)" },
  { OPTION_WEIGHTED_INPUT, "weighted-input", "W,FILE",
    "also read FILE, and count it W times" },
  { 'f', "input-files", "LIST",
    "also read the files listed in LIST, one FILE or W,FILE\n"
    "per line; # starts a comment" },
  { 'j', "num-threads", "N",
    "use N threads; output does not depend on N (default:\n"
    "choose automatically)" },
  { OPTION_FAILURE_MODE, "failure-mode", "MODE",
    "when to fail because of invalid files: any (default),\n"
    "if one is invalid; all, if all are; warn, never. Other\n"
    "invalid files are skipped" },
  BINARY_ROW,
  DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
  { OPTION_NOTES, "notes", "DIR",
    "search DIR for the notes (.gcno) of gcc's data files\n"
    "(default: next to each data file)" },
  { OPTION_FULL_SCHEMA, "full-schema", NULL,
    "write all fields to LLVM's part, not only the four\n"
    "that clang reads" },
  { OPTION_KEEP_COLUMNS, "keep-columns", NULL,
    "write columns of calls to LLVM's part even if the\n"
    "compiler counts columns differently from clang" },
  { OPTION_LLVM_ONLY, "llvm-only", NULL,
    "write only LLVM's parts; names, files and other data\n"
    "that do not fit there are lost" },
  { OPTION_SPARSE, "sparse", NULL, "omit functions whose counters are all 0" },
  { OPTION_TEXT, "text", NULL, "write function counters or samples as text" },
  { OPTION_NO_VTABLES, "no-vtables", NULL,
    "omit virtual tables from samples, for LLVM before 22" },
  { OPTION_MEMPROF_VERSION, "memprof-version", "N",
    "version of LLVM's heap profile: 2, 3 (default) or 4" },
  { OPTION_FORMAT_VERSION, "profile-format-version", "N",
    "version of the file format: 11, 12 (default) or 13" },
  { 0 }
};

struct arguments
{
  struct profile_inputs inputs;
  struct input_list list; /* used by INPUTS */
  struct indexed_profile_options options;
  const char **list_files; /* arguments of --input-files */
  size_t list_file_count;
  const char *output;
  bool is_text;
  bool drop_vtables; /* from samples */
};

/* Print warnings about saturated or conflicting counters of PROFILE, which is
   written to OUTPUT.  */
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
  bool is_known = counter_profile_find_notes (counters, &notes);
  counter_profile_free (made);
  if (!is_known)
    return;
  if (notes.saturated)
    diagnostics_warning ("%s: some counts exceed 2^64 - 3 and are capped",
			 output);
  if (notes.mismatched_names > 0)
    diagnostics_warning ("%s: %" PRIu64 " functions have counters from "
			 "different versions of their code; all are kept",
			 output, notes.mismatched_names);
  if (notes.conflicting_names > 0)
    diagnostics_warning ("%s: %" PRIu64 " functions have different numbers of "
			 "counters or sites for the same hash; all are kept, "
			 "and compilers use the set with the highest counts",
			 output, notes.conflicting_names);
}

/* Print warnings about what the text form of PROFILE in OUTPUT cannot hold.  */
static void
warn_of_losses (const char *output, const struct profile *profile,
		const struct pgo_text_losses *losses)
{
  if (profile->heap != NULL)
    diagnostics_warning ("%s: heap profile omitted: text form cannot hold it",
			 output);
  if (profile->gcov != NULL)
    diagnostics_warning ("%s: some of gcc's counters omitted: text form cannot "
			 "be converted back to data files",
			 output);
  if (losses->binary_ids > 0)
    diagnostics_warning ("%s: %" PRIu64 " build IDs omitted: text form cannot "
			 "hold them",
			 output, losses->binary_ids);
  if (losses->unknown_targets > 0)
    diagnostics_warning ("%s: %" PRIu64 " values without a known name are "
			 "written as external symbols",
			 output, losses->unknown_targets);
  if (losses->unknown_steps > 0)
    diagnostics_warning ("%s: %" PRIu64 " trace steps without a known name "
			 "omitted",
			 output, losses->unknown_steps);
  if (losses->names > 0)
    diagnostics_warning ("%s: %" PRIu64 " functions omitted: their names "
			 "cannot be written as text",
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
			      "no counters to write as text");
  struct counter_profile *counters = profile_all_counters (profile, err);
  bool is_made
    = counters != NULL
      && pgo_text_serialize (counters, sparse, &data, &size, &losses, err);
  counter_profile_free (counters);
  err->path = output;
  if (!is_made)
    return false;
  bool is_done = output_file_write (output, data, size, err);
  free (data);
  if (is_done)
    warn_of_losses (output, profile, &losses);
  return is_done;
}

/* Write the samples of PROFILE to OUTPUT.  */
static bool
write_samples (const struct arguments *arguments, const struct profile *profile,
	       struct profile_error *err)
{
  const struct sample_output options
    = { .form = arguments->is_text ? SAMPLE_FORM_TEXT : SAMPLE_FORM_EXTENDED,
	.drop_vtables = arguments->drop_vtables };
  return (sample_output_check (arguments->output, profile, err)
	  && sample_output_write (&options, arguments->output, profile->samples,
				  err));
}

/* Write PROFILE in the form that ARGUMENTS ask for.  */
static bool
write_profile (const struct arguments *arguments, const struct profile *profile,
	       struct profile_error *err)
{
  if (profile->samples != NULL)
    return write_samples (arguments, profile, err);
  if (arguments->is_text)
    return write_text (arguments->output, profile, arguments->options.sparse,
		       err);
  return indexed_output_write (arguments->output, profile, &arguments->options,
			       err);
}

/* Print *ERR, the failure of this process or of another in GROUP, once.  */
static enum exit_status
fail (const struct process_group *group, const struct profile_error *err)
{
  if (process_group_is_first (group))
    diagnostics_error (err);
  return STATUS_FAILED;
}

static enum exit_status
merge (const struct arguments *arguments)
{
  const char *output = arguments->output;
  const struct process_group *group = arguments->inputs.group;
  bool is_writer = process_group_is_first (group);
  struct profile *profile = profile_inputs_read (&arguments->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  struct profile_error err;
  bool is_done = true;
  if (is_writer)
    is_done = write_profile (arguments, profile, &err);
  is_done = process_group_agree (group, is_done, &err);
  if (!is_done)
    fail (group, &err);
  else if (!is_writer)
    ;
  else if (profile->counters != NULL || profile->gcov != NULL)
    warn_of_counters (output, profile);
  profile_free (profile);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

/* Parse VALUE of OPTION, a version from LEAST to GREATEST, into *VERSION.  If
   it is invalid, print an error and return false.  */
static bool
take_version (const char *option, const char *value, unsigned int least,
	      unsigned int greatest, unsigned int *version)
{
  char *end;
  unsigned long number = strtoul (value, &end, 10);
  if (*value < '0' || *value > '9' || *end != '\0' || number < least
      || number > greatest)
    {
      diagnostics_usage ("merge", "invalid version --%s=%s (expected %u to %u)",
			 option, value, least, greatest);
      return false;
    }
  *version = (unsigned int) number;
  return true;
}

/* Parse VALUE of --num-threads into *THREADS.  If it is invalid, print an error
   and return false.  */
static bool
take_threads (const char *value, unsigned int *threads)
{
  char *end;
  unsigned long number = strtoul (value, &end, 10);
  if (*value >= '0' && *value <= '9' && *end == '\0' && number <= MOST_THREADS)
    {
      *threads = (unsigned int) number;
      return true;
    }
  diagnostics_usage ("merge", "invalid thread count '%s' (expected 0 to %d)",
		     value, MOST_THREADS);
  return false;
}

static bool
take_failure_mode (const char *value, enum failure_mode *mode)
{
  static const char *const names[]
    = { [FAILURE_ANY] = "any", [FAILURE_ALL] = "all", [FAILURE_WARN] = "warn" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (value, names[i]) == 0)
      {
	*mode = (enum failure_mode) i;
	return true;
      }
  diagnostics_usage ("merge",
		     "invalid failure mode '%s' (expected any, all or warn)",
		     value);
  return false;
}

static bool
take_weighted_input (struct arguments *arguments, const char *value)
{
  struct profile_error err;
  if (input_list_add_weighted (&arguments->list, value, &err))
    return true;
  diagnostics_usage ("merge", "%s%s%s", err.path != NULL ? err.path : "",
		     err.path != NULL ? ": " : "", err.cause);
  return false;
}

/* Handle option ID with VALUE.  If VALUE is invalid, print an error and return
   false.  */
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
    case OPTION_WEIGHTED_INPUT:
      return take_weighted_input (arguments, value);
    case 'f':
      arguments->list_files[arguments->list_file_count++] = value;
      return true;
    case 'j':
      return take_threads (value, &arguments->inputs.threads);
    case OPTION_FAILURE_MODE:
      return take_failure_mode (value, &arguments->inputs.failure_mode);
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
    case OPTION_LLVM_ONLY:
      options->llvm_only = true;
      return true;
    case OPTION_SPARSE:
      options->sparse = true;
      return true;
    case OPTION_TEXT:
      arguments->is_text = true;
      return true;
    case OPTION_NO_VTABLES:
      arguments->drop_vtables = true;
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

/* Return true if all processes of GROUP have the same LIST.  Each contributes a
   hash and its complement to a bitwise OR; a bit that is set in both results
   means that the lists differ.  */
static bool
is_list_common (const struct process_group *group,
		const struct input_list *list)
{
  uint64_t bits[2] = { list->count, 0 };
  for (size_t i = 0; i < list->count; i++)
    {
      const struct input_file *file = &list->files[i];
      size_t n = strlen (file->path);
      bits[0] = (bits[0] + file->weight) * UINT64_C (0x9e3779b97f4a7c15)
		^ function_guid (file->path, n);
    }
  bits[1] = ~bits[0];
  group->combine (bits, sizeof bits);
  return (bits[0] & bits[1]) == 0;
}

/* Return true if the processes of GROUP can share LIST.  Otherwise set *ERR. */
static bool
check_list (const struct process_group *group, const struct input_list *list,
	    struct profile_error *err)
{
  if (group == NULL)
    return true;
  if (!is_list_common (group, list))
    return profile_error_set (
      err, NULL, PROFILE_ERROR_NO_OFFSET,
      "the processes do not see the same list of files");
  for (size_t i = 0; i < list->count; i++)
    if (strcmp (list->files[i].path, INPUT_LIST_STDIN) == 0)
      return profile_error_set (err, "standard input", PROFILE_ERROR_NO_OFFSET,
				"cannot be shared by processes");
  return true;
}

/* Read the --input-files lists, then merge.  */
static enum exit_status
list_and_merge (struct arguments *arguments)
{
  struct profile_inputs *inputs = &arguments->inputs;
  struct input_list *list = &arguments->list;
  struct profile_error err;
  bool is_done
    = input_list_add_all (list, inputs->paths, inputs->path_count, &err);
  for (size_t i = 0; is_done && i < arguments->list_file_count; i++)
    is_done = input_list_add_lines (list, arguments->list_files[i], &err);
  if (!process_group_agree (inputs->group, is_done, &err)
      || !check_list (inputs->group, list, &err))
    return fail (inputs->group, &err);
  if (list->count == 0)
    return diagnostics_usage ("merge", "no profile given");
  inputs->list = list;
  return merge (arguments);
}

enum exit_status
command_merge_run (int argc, char **argv, const struct process_group *group)
{
  struct arguments arguments
    = { .inputs
	= { .group = group, .looks_again = true, .may_be_brief = true } };
  struct profile_inputs *inputs = &arguments.inputs;
  const char *value;
  int operands;
  int id;
  enum exit_status status = STATUS_USAGE;
  inputs->binaries = calloc ((size_t) argc, sizeof *inputs->binaries);
  arguments.list_files = calloc ((size_t) argc, sizeof *arguments.list_files);
  if (inputs->binaries == NULL || arguments.list_files == NULL)
    {
      status = diagnostics_memory ();
      goto out;
    }
  while ((id = command_options_next (&command_merge, argc, argv, &value,
				     &operands))
	 != -1)
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
  else
    status = list_and_merge (&arguments);

out:
  input_list_free (&arguments.list);
  free (arguments.list_files);
  free (inputs->binaries);
  return status;
}

static enum exit_status
run_merge (int argc, char **argv)
{
  return command_merge_run (argc, argv, NULL);
}

const struct command command_merge = {
  .name = "merge",
  .operands = "-o OUT [PROFILE]...",
  .summary = "combine profiles into one that compilers read",
  .description
  = "Symbolize raw profiles, add up equal calling contexts and the counters\n"
    "of functions in all PROFILEs (raw, indexed or text profiles, gcc's data\n"
    "files (.gcda) or directories of them), and write one indexed profile.",
  .options = merge_options,
  .run = run_merge
};
