/* heapprof-gcov convert: write a profile in another tool's format.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "gcov-to-samples.h"
#include "gcov-tree.h"
#include "profile-inputs.h"
#include "sample-output.h"
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_TO = OPTION_HELP + 1,
  OPTION_STRIP_PREFIX,
  OPTION_NOTES
};

static const struct command_option convert_options[]
  = { { OPTION_TO, "to", "FORMAT",
	"gcda: gcc's data files, one for each object, for\n"
	"`gcc -fprofile-use';\n"
	"sample, sample-binary, sample-text: LLVM's samples\n"
	"(extended binary, raw binary, text), for\n"
	"`clang -fprofile-sample-use';\n"
	"afdo: samples for `gcc -fauto-profile'.\n"
	"Samples may be made from gcc's counters" },
      { 'o', "output", "OUT",
	"write samples to OUT (-: standard output), or gcc's\n"
	"data files below directory OUT, under the paths they\n"
	"were read from" },
      { OPTION_STRIP_PREFIX, "strip-prefix", "DIR",
	"remove the leading DIR from these names" },
      { OPTION_NOTES, "notes", "DIR",
	"search DIR for the notes (.gcno) of data files\n"
	"(default: next to each data file)" },
      { SAMPLE_OPTION_AFDO_VERSION, "afdo-version", "N",
	"version of the format: 1, for gcc up to 11; 2\n"
	"(default), for gcc 12 to 15; or 3, for gcc 16" },
      { SAMPLE_OPTION_GCC_VERSION, "gcc-version", "N",
	"write the version of the format that gcc N reads" },
      { SAMPLE_OPTION_NO_VTABLES, "no-vtables", NULL,
	"omit virtual tables from samples, for LLVM before 22" },
      SAMPLE_SECTION_ROWS,
      { 0 } };

struct convert_request
{
  struct profile_inputs inputs;
  const char *format;
  const char *output;
  struct gcov_tree tree;
  struct sample_output samples;
};

/* Write the samples in PROFILE, or samples made from its counters.  */
static bool
write_samples (const struct convert_request *request, struct profile *profile)
{
  struct profile_error err;
  bool is_counted = profile->samples == NULL
		    && (profile->gcov != NULL || profile->counters != NULL);
  enum gcov_samples_reader reader = request->samples.form == SAMPLE_FORM_AFDO
				      ? GCOV_SAMPLES_GCC
				      : GCOV_SAMPLES_LLVM;
  if (is_counted && !gcov_to_samples (profile, &request->inputs, reader))
    return false;
  bool is_done
    = (is_counted || sample_output_check (request->output, profile, &err))
      && sample_output_write (&request->samples, request->output,
			      profile->samples, &err);
  if (!is_done)
    diagnostics_error (&err);
  return is_done;
}

static enum exit_status
convert (const struct convert_request *request, bool is_gcda)
{
  struct profile *profile = profile_inputs_read (&request->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  bool is_done = is_gcda ? gcov_tree_write (&request->tree, profile,
					    request->inputs.paths[0])
			 : write_samples (request, profile);
  profile_free (profile);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
check_and_convert (struct convert_request *request)
{
  if (request->format == NULL)
    return diagnostics_usage ("convert", "no format given: use --to=FORMAT");
  bool is_gcda = strcmp (request->format, "gcda") == 0;
  if (!is_gcda
      && !sample_output_find_form (request->format, &request->samples.form))
    return diagnostics_usage ("convert", "unknown format '%s'",
			      request->format);
  if (request->output == NULL)
    return diagnostics_usage ("convert", "no output given: use -o %s",
			      is_gcda ? "DIR" : "FILE");
  if (request->inputs.path_count == 0)
    return diagnostics_usage ("convert", "no profile given");
  request->tree.directory = request->output;
  return convert (request, is_gcda);
}

/* Handle option ID with VALUE.  If VALUE is invalid, print an error and return
   false.  */
static bool
take_option (struct convert_request *request, int id, const char *value)
{
  switch (id)
    {
    case OPTION_TO:
      request->format = value;
      return true;
    case 'o':
      request->output = value;
      return true;
    case OPTION_STRIP_PREFIX:
      request->tree.prefix = value;
      return true;
    case OPTION_NOTES:
      request->inputs.notes_directory = value;
      return true;
    default:
      return sample_output_take_option ("convert", &request->samples, id,
					value);
    }
}

static enum exit_status
run_convert (int argc, char **argv)
{
  struct convert_request request
    = { .samples.afdo_version = SAMPLE_OUTPUT_AFDO_VERSION };
  const char *value;
  int operands;
  int id;
  while ((id = command_options_next (&command_convert, argc, argv, &value,
				     &operands))
	 != -1)
    {
      if (id == OPTION_HELP)
	return diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
      if (!take_option (&request, id, value))
	return STATUS_USAGE;
    }
  request.inputs.paths = argv + operands;
  request.inputs.path_count = (size_t) (argc - operands);
  return check_and_convert (&request);
}

const struct command command_convert
  = { .name = "convert",
      .operands = "--to=FORMAT -o OUT PROFILE...",
      .summary = "write profiles in the formats of compilers",
      .description
      = "Combine the PROFILEs as `merge' does and write them in FORMAT.",
      .options = convert_options,
      .run = run_convert };
