/* heapprof-gcov match: fit a profile to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "function-name.h"
#include "image-list.h"
#include "indexed-output.h"
#include "profile-inputs.h"
#include "sample-afdo.h"
#include "sample-builder.h"
#include "sample-output.h"
#include "stale-heap.h"
#include "stale-samples.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OPTION_BINARY = OPTION_HELP + 1,
  OPTION_TO,
  OPTION_NAMES,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option match_options[]
  = { { OPTION_BINARY, "binary", "FILE",
	"the changed program, or a shared object of it, with\n"
	"debug information; may be repeated" },
      { 'o', "output", "OUT", "write the profile to OUT (-: standard output)" },
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
      { 0 } };

struct match_request
{
  char **binaries; /* room for all arguments */
  size_t binary_count;
  const char *format; /* NULL: the default */
  const char *output;
  const char *debug_directories;
  bool has_names; /* --names was given */
  struct profile_inputs inputs;
  struct sample_output samples;
  struct sample_builder_options builder;
};

/* Print the share of PART in WHOLE with one digit after the point.  100 % is
   only printed if it is all.  */
static void
print_share (FILE *to, const char *title, uint64_t part, uint64_t whole)
{
  double share = whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
  if (part < whole && share > 99.9)
    share = 99.9;
  fprintf (to, "%-10s %5.1f %%  %" PRIu64 " of %" PRIu64 "\n", title, share,
	   part, whole);
}

/* Print that code moved as MOVE says.  */
static void
print_move (FILE *to, const struct stale_rename *move)
{
  char *before = function_name_demangle (move->before, true);
  char *after = function_name_demangle (move->after, true);
  fprintf (to, "  %s%s -> %s%s\n", move->kind == STALE_SPLIT ? "part of " : "",
	   before != NULL ? before : move->before,
	   move->kind == STALE_MERGED ? "part of " : "",
	   after != NULL ? after : move->after);
  free (before);
  free (after);
}

static void
print_report (FILE *to, const struct stale_samples_report *report)
{
  print_share (to, "as it was", report->same, report->counts);
  print_share (to, "matched", report->matched, report->counts);
  fprintf (to,
	   "%" PRIu32 " functions: %" PRIu32 " changed, %" PRIu32
	   " renamed, %" PRIu32 " split, %" PRIu32 " merged, %" PRIu32
	   " gone\n",
	   report->functions, report->changed, report->renamed, report->split,
	   report->merged, report->gone);
  for (size_t i = 0; i < report->rename_count; i++)
    print_move (to, &report->renames[i]);
}

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
    print_report (strcmp (request->output, "-") == 0 ? stderr : stdout,
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

/* Check that REQUEST can be applied to the heap profile in PROFILE.  */
static bool
check_heap (const struct match_request *request, const struct profile *profile,
	    struct profile_error *err)
{
  const char *input = request->inputs.paths[0];
  if (profile->counters != NULL || profile->gcov != NULL)
    return profile_error_set (err, input, PROFILE_ERROR_NO_OFFSET,
			      "has counters, which cannot be matched: they "
			      "belong to the control flow of functions as they "
			      "were compiled");
  if (request->format != NULL)
    return profile_error_set (err, input, PROFILE_ERROR_NO_OFFSET,
			      "is a heap profile: --to is for samples");
  return true;
}

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
  bool is_done = check_heap (request, profile, err)
		 && (shape != NULL || profile_error_set_memory (err, NULL))
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
    print_report (strcmp (request->output, "-") == 0 ? stderr : stdout,
		  &report);
  stale_samples_report_release (&report);
  function_sources_release (&sources);
  sample_profile_free (shape);
  return is_done;
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
  bool is_done = is_heap ? match_heap (request, profile, &err)
			 : match_samples (request, profile, &err);
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
    default:
      return sample_output_take_option ("match", &request->samples, id, value);
    }
}

static enum exit_status
check_and_match (struct match_request *request)
{
  if (request->format != NULL
      && !sample_output_find_form (request->format, &request->samples.form))
    return diagnostics_usage ("match", "unknown format '%s'", request->format);
  if (request->binary_count == 0)
    return diagnostics_usage ("match", "no program given: use --binary=FILE");
  if (request->output == NULL)
    return diagnostics_usage ("match", "no output given: use -o FILE");
  if (request->inputs.path_count == 0)
    return diagnostics_usage ("match", "no profile given");
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
  if (request.binaries == NULL)
    status = diagnostics_memory ();
  else if (command_options_take (&command_match, argc, argv, take_option,
				 &request, &operands, &status))
    {
      request.inputs.paths = argv + operands;
      request.inputs.path_count = (size_t) (argc - operands);
      status = check_and_match (&request);
    }
  free (request.binaries);
  return status;
}

const struct command command_match = {
  .name = "match",
  .operands = "--binary=FILE... -o OUT PROFILE...",
  .summary = "fit a sample or heap profile to a changed program",
  .description
  = "Combine the sample PROFILEs, or the heap PROFILEs, of an older version "
    "of a\nprogram, move their counts or calling contexts to where the code "
    "is in the newer\nversion FILE, and print how much was matched.",
  .options = match_options,
  .run = run_match
};
