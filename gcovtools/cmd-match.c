/* heapprof-gcov match: fit a profile to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "fit-counters.h"
#include "fit-report.h"
#include "image-list.h"
#include "indexed-output.h"
#include "profile-inputs.h"
#include "sample-afdo.h"
#include "sample-builder.h"
#include "sample-output.h"
#include "stale-heap.h"
#include "stale-samples.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_BINARY = OPTION_HELP + 1,
  OPTION_TO,
  OPTION_NAMES,
  OPTION_DEBUG_DIRECTORY,
  OPTION_NEW_NOTES,
  OPTION_NOTES,
  OPTION_STRIP_PREFIX
};

static const struct command_option match_options[]
  = { { OPTION_BINARY, "binary", "FILE",
	"the changed program, or a shared object of it, with\n"
	"debug information; may be repeated" },
      { 'o', "output", "OUT",
	"write the profile to OUT (-: standard output), or\n"
	"gcc's data files below directory OUT" },
      { OPTION_TO, "to", "FORMAT",
	"sample (default), sample-binary, sample-text: LLVM's\n"
	"samples, for `clang -fprofile-sample-use';\n"
	"afdo: samples for `gcc -fauto-profile'" },
      { OPTION_NAMES, "names", "KIND",
	"take function names from debug info (debug, the\n"
	"default for LLVM's formats) or from the symbol table\n"
	"(symbol, the default for afdo), as the profile did" },
      { SAMPLE_OPTION_AFDO_VERSION, "afdo-version", "N",
	"version of the format: 1, for gcc up to 11; 2\n"
	"(default), for gcc 12 to 15; or 3, for gcc 16 (afdo)" },
      { SAMPLE_OPTION_GCC_VERSION, "gcc-version", "N",
	"write the version of the format that gcc N reads\n"
	"(afdo)" },
      { SAMPLE_OPTION_NO_VTABLES, "no-vtables", NULL,
	"omit virtual tables, for LLVM before 22" },
      SAMPLE_SECTION_ROWS,
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { OPTION_NEW_NOTES, "new-notes", "PATH",
	"for gcc's counters: notes (.gcno) of the changed\n"
	"program, or a directory with them; may be repeated" },
      { OPTION_NOTES, "notes", "DIR",
	"search DIR for the notes of the counters (default:\n"
	"next to each data file)" },
      { OPTION_STRIP_PREFIX, "strip-prefix", "DIR",
	"remove the leading DIR from names of data files" },
      { 0 } };

struct match_request
{
  char **binaries; /* room for all arguments */
  size_t binary_count;
  char **new_notes; /* room for all arguments */
  size_t new_notes_count;
  const char *format; /* NULL: the default */
  const char *output;
  const char *debug_directories;
  const char *prefix; /* stripped from names of data files; NULL: none */
  bool has_names;     /* --names was given */
  struct profile_inputs inputs;
  struct sample_output samples;
  struct sample_builder_options builder;
};

/* Fit SAMPLES to SHAPE, write them, and report what was matched.  */
static bool
fit (const struct match_request *request, const struct sample_profile *samples,
     struct sample_profile *shape, struct profile_error *err)
{
  struct stale_samples_report report;
  struct sample_profile *fitted
    = stale_samples_fit (samples, shape, &report, err);
  bool is_done = fitted != NULL;
  if (!is_done)
    err->path = request->inputs.paths[0];
  is_done
    = is_done
      && sample_output_write (&request->samples, request->output, fitted, err);
  if (is_done)
    fit_report_print (strcmp (request->output, "-") == 0 ? stderr : stdout,
		      &report);
  stale_samples_report_release (&report);
  sample_profile_free (fitted);
  return is_done;
}

/* Make *SHAPE, the shape of the binaries.  */
static bool
make_shape (const struct match_request *request, struct sample_profile *shape,
	    struct profile_error *err)
{
  struct image_list images;
  bool is_done
    = image_list_open (&images, request->binaries, request->binary_count,
		       request->debug_directories, err);
  for (size_t i = 0; i < images.count && is_done; i++)
    if (!symbolizer_has_debug_info (images.images[i].symbolizer))
      {
	const char *problem
	  = symbolizer_problem (images.images[i].symbolizer, 0);
	is_done = profile_error_set (err, images.images[i].path,
				     PROFILE_ERROR_NO_OFFSET, "%s",
				     problem != NULL ? problem
						     : "no debug information");
      }
  is_done = is_done
	    && (sample_builder_add_shape (shape, &images, &request->builder)
		|| profile_error_set_memory (err, NULL));
  image_list_close (&images);
  return is_done;
}

/* ---- Heap profiles.  */

/* Replace the heap profile in PROFILE by one that fits the binaries, write it,
   and report what was matched.  */
static bool
match_heap (const struct match_request *request, struct profile *profile,
	    struct profile_error *err)
{
  const struct indexed_profile_options options = { 0 };
  struct function_sources sources = { 0 };
  struct stale_samples_report report = { 0 };
  struct match_request heap_request = *request;
  struct sample_profile *shape = sample_profile_new ();
  heap_request.builder
    = (struct sample_builder_options){ .has_symbol_names = true,
				       .drops_local_marks = true,
				       .has_files = true,
				       .has_columns = true,
				       .sources = &sources };
  bool is_done = (shape != NULL || profile_error_set_memory (err, NULL))
		 && make_shape (&heap_request, shape, err);
  struct heap_profile *fitted
    = is_done ? stale_heap_fit (profile->heap, shape, sources.sources,
				sources.count, &report, err)
	      : NULL;
  is_done = fitted != NULL;
  if (is_done)
    {
      heap_profile_free (profile->heap);
      profile->heap = fitted;
      is_done = indexed_output_write (request->output, profile, &options, err);
    }
  if (is_done)
    fit_report_print (strcmp (request->output, "-") == 0 ? stderr : stdout,
		      &report);
  stale_samples_report_release (&report);
  function_sources_release (&sources);
  sample_profile_free (shape);
  return is_done;
}

/* Check that the kind of PROFILE is possible for REQUEST.  */
static bool
check_kind (const struct match_request *request, const struct profile *profile,
	    bool is_heap, struct profile_error *err)
{
  const char *input = request->inputs.paths[0];
  if (profile->counters != NULL || profile->gcov != NULL)
    return profile_error_set (err, input, PROFILE_ERROR_NO_OFFSET, "%s",
			      profile->gcov != NULL
				? "has gcc's counters: use --new-notes instead "
				  "of --binary"
				: "has clang's counters, which cannot be "
				  "matched: they have no notes");
  if (is_heap && request->format != NULL)
    return profile_error_set (err, input, PROFILE_ERROR_NO_OFFSET,
			      "is a heap profile: --to is for samples");
  return true;
}

static bool
match_samples (const struct match_request *request, struct profile *profile,
	       struct profile_error *err)
{
  struct sample_profile *shape = sample_profile_new ();
  bool is_done = sample_output_check (request->inputs.paths[0], profile, err)
		 && (shape != NULL || profile_error_set_memory (err, NULL))
		 && make_shape (request, shape, err)
		 && fit (request, profile->samples, shape, err);
  sample_profile_free (shape);
  return is_done;
}

static enum exit_status
match (const struct match_request *request)
{
  struct profile_error err;
  struct profile *profile = profile_inputs_read (&request->inputs);
  if (profile == NULL)
    return STATUS_FAILED;
  bool is_heap = profile->heap != NULL && profile->samples == NULL;
  bool is_done = check_kind (request, profile, is_heap, &err)
		 && (is_heap ? match_heap (request, profile, &err)
			     : match_samples (request, profile, &err));
  if (!is_done)
    diagnostics_error (&err);
  profile_free (profile);
  return is_done && diagnostics_close_stdout () ? STATUS_DONE : STATUS_FAILED;
}

static bool
take_names (struct match_request *request, const char *value)
{
  bool is_symbol = strcmp (value, "symbol") == 0;
  request->has_names = true;
  request->builder.has_symbol_names = is_symbol;
  if (is_symbol || strcmp (value, "debug") == 0)
    return true;
  diagnostics_usage ("match",
		     "invalid value --names=%s (expected debug or symbol)",
		     value);
  return false;
}

static bool
take_option (void *arguments, int id, const char *value)
{
  struct match_request *request = arguments;
  switch (id)
    {
    case OPTION_BINARY:
      request->binaries[request->binary_count++] = (char *) value;
      return true;
    case 'o':
      request->output = value;
      return true;
    case OPTION_TO:
      request->format = value;
      return true;
    case OPTION_NAMES:
      return take_names (request, value);
    case OPTION_DEBUG_DIRECTORY:
      request->debug_directories = value;
      return true;
    case OPTION_NEW_NOTES:
      request->new_notes[request->new_notes_count++] = (char *) value;
      return true;
    case OPTION_NOTES:
      request->inputs.notes_directory = value;
      return true;
    case OPTION_STRIP_PREFIX:
      request->prefix = value;
      return true;
    default:
      return sample_output_take_option ("match", &request->samples, id, value);
    }
}

static enum exit_status
match_counters (const struct match_request *request)
{
  const struct counters_fitting fitting
    = { .inputs = &request->inputs,
	.new_notes = request->new_notes,
	.new_notes_count = request->new_notes_count,
	.tree = { .directory = request->output, .prefix = request->prefix } };
  return counters_fit (&fitting) && diagnostics_close_stdout () ? STATUS_DONE
								: STATUS_FAILED;
}

static enum exit_status
check_and_match (struct match_request *request)
{
  if (request->format != NULL
      && !sample_output_find_form (request->format, &request->samples.form))
    return diagnostics_usage ("match", "unknown format '%s'", request->format);
  if (request->binary_count == 0 && request->new_notes_count == 0)
    return diagnostics_usage ("match",
			      "no program given: use --binary=FILE, "
			      "or --new-notes=PATH for gcc's counters");
  if (request->binary_count > 0 && request->new_notes_count > 0)
    return diagnostics_usage ("match", "--binary and --new-notes cannot be "
				       "used together");
  if (request->output == NULL)
    return diagnostics_usage ("match", "no output given: use -o FILE");
  if (request->inputs.path_count == 0)
    return diagnostics_usage ("match", "no profile given");
  if (request->new_notes_count > 0)
    return match_counters (request);
  if (!request->has_names)
    request->builder.has_symbol_names
      = request->samples.form == SAMPLE_FORM_AFDO;
  request->builder.has_files
    = request->samples.form == SAMPLE_FORM_AFDO
      && request->samples.afdo_version >= SAMPLE_AFDO_FILES_VERSION;
  return match (request);
}

static enum exit_status
run_match (int argc, char **argv)
{
  struct match_request request
    = { .samples.afdo_version = SAMPLE_OUTPUT_AFDO_VERSION };
  int operands;
  enum exit_status status;
  request.binaries = calloc ((size_t) argc, sizeof *request.binaries);
  request.new_notes = calloc ((size_t) argc, sizeof *request.new_notes);
  if (request.binaries == NULL || request.new_notes == NULL)
    status = diagnostics_memory ();
  else if (command_options_take (&command_match, argc, argv, take_option,
				 &request, &operands, &status))
    {
      request.inputs.paths = argv + operands;
      request.inputs.path_count = (size_t) (argc - operands);
      status = check_and_match (&request);
    }
  free (request.binaries);
  free (request.new_notes);
  return status;
}

const struct command command_match = {
  .name = "match",
  .operands = "--binary=FILE... -o OUT PROFILE...",
  .summary = "fit a profile to a changed program",
  .description
  = "Combine the sample PROFILEs, or the heap PROFILEs, of an older version "
    "of a\nprogram, move their counts or calling contexts to where the code "
    "is in the newer\nversion FILE, and print how much was matched.\n\n"
    "With --new-notes=PATH instead of --binary, do this for gcc's data files "
    "(.gcda):\ntheir counts become those of the functions in PATH, written "
    "by `gcc\n-fprofile-generate -ftest-coverage', and `gcc -fprofile-use' "
    "takes the result.",
  .options = match_options,
  .run = run_match
};
