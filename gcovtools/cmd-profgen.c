/* heapprof-gcov profgen: make a sample profile from perf recordings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "context-builder.h"
#include "option-values.h"
#include "perf-recording.h"
#include "probe-builder.h"
#include "probe-listing.h"
#include "record-advice.h"
#include "sample-afdo.h"
#include "sample-builder.h"
#include "sample-output.h"
#include "sampled-code.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
  OPTION_BINARY = OPTION_HELP + 1,
  OPTION_FORMAT,
  OPTION_PERF_DATA,
  OPTION_PERF_SCRIPT,
  OPTION_DATA_ACCESS,
  OPTION_PID,
  OPTION_NAMES,
  OPTION_COMBINE,
  OPTION_TOTALS,
  OPTION_SHOW_PROBES,
  OPTION_USE_DWARF,
  OPTION_IGNORE_STACKS,
  OPTION_PREINLINE,
  OPTION_NEST,
  OPTION_MERGE_COLD,
  OPTION_COLD_FRAMES,
  OPTION_TRIM_COLD,
  OPTION_LIMIT,
  OPTION_REPEAT,
  OPTION_HOT_SIZE,
  OPTION_COLD_SIZE,
  OPTION_GROWTH,
  OPTION_LEAST_LIMIT,
  OPTION_MOST_LIMIT,
  OPTION_PREVIOUS,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option profgen_options[]
  = { { OPTION_BINARY, "binary", "FILE",
	"the program or shared object whose samples are\n"
	"counted; may be repeated" },
      { 'o', "output", "OUT", "write the profile to OUT (-: standard output)" },
      { OPTION_FORMAT, "format", "FORMAT",
	"sample or extbinary (default), sample-binary or\n"
	"binary, sample-text or text: LLVM's samples, for\n"
	"`clang -fprofile-sample-use';\n"
	"afdo: samples for `gcc -fauto-profile'" },
      { OPTION_PERF_DATA, "perfdata", "FILE", "same as the operand FILE" },
      { OPTION_PERF_SCRIPT, "perfscript", "FILE",
	"read the output of `perf script -F ip,brstack\n"
	"--show-mmap-events'; operands may be such files, too" },
      { OPTION_DATA_ACCESS, "data-access-perftrace", "FILE",
	"read only data accesses, from a recording or from the\n"
	"output of `perf report -D'" },
      { OPTION_PID, "pid", "N", "count only the samples of process N" },
      { SAMPLE_OPTION_AFDO_VERSION, "afdo-version", "N",
	"version of the format: 1, for gcc up to 11; 2\n"
	"(default), for gcc 12 to 15; or 3, for gcc 16 (afdo)" },
      { SAMPLE_OPTION_GCC_VERSION, "gcc-version", "N",
	"write the version of the format that gcc N reads\n"
	"(afdo)" },
      { OPTION_NAMES, "names", "KIND",
	"take function names from debug info (debug, the\n"
	"default for LLVM's formats, as in llvm-profgen) or\n"
	"from the symbol table (symbol, the default for afdo)" },
      { OPTION_COMBINE, "combine", "RULE",
	"the count of a location: max, the greatest count of\n"
	"its instructions (default with branch records); or\n"
	"sum, the total (default without)" },
      { OPTION_TOTALS, "totals", "UNIT",
	"the total of a function: bytes, executed bytes of code\n"
	"(default, as in llvm-profgen); or counts, the sum of\n"
	"counts" },
      { SAMPLE_OPTION_NO_VTABLES, "no-vtables", NULL,
	"omit virtual tables, for LLVM before 22; calls without\n"
	"known targets get the functions in the tables' slots\n"
	"(sample-binary and afdo: always)" },
      SAMPLE_SECTION_ROWS,
      { OPTION_IGNORE_STACKS, "ignore-stack-samples", NULL,
	"count without calling contexts even if samples have\n"
	"call stacks" },
      { OPTION_PREINLINE, "csspgo-preinliner", "[=0]",
	"decide which calls should be inlined, and count what\n"
	"is not inlined without calling context (contexts;\n"
	"default; =0: do not)" },
      { OPTION_NEST, "gen-cs-nested-profile", "[=0]",
	"write a function with a context as inlined into its\n"
	"caller (contexts; default; =0: write contexts)" },
      { OPTION_LIMIT, "csprof-max-context-depth", "N",
	"count only the N innermost callers (contexts;\n"
	"default -1: all)" },
      { OPTION_MERGE_COLD, "csprof-merge-cold-context", "[=0]",
	"combine contexts with few samples (contexts; default\n"
	"without --csspgo-preinliner)" },
      { OPTION_COLD_FRAMES, "csprof-max-cold-context-depth", "N",
	"combine them by their N innermost functions (default:\n"
	"1, the function itself)" },
      { OPTION_TRIM_COLD, "trim-cold-profile", "[=0]",
	"leave out what has few samples (contexts); what should\n"
	"be inlined stays" },
      { OPTION_REPEAT, "csspgo-replay-preinline", "[=0]",
	"inline what was inlined in the program, nothing else" },
      { OPTION_HOT_SIZE, "sample-profile-hot-inline-threshold", "N",
	"inline a call of the hottest kind if the callee has at\n"
	"most 100 times N bytes of code, and others at most\n"
	"that, times their heat from 0 to 1 (default: 1500)" },
      { OPTION_COLD_SIZE, "sample-profile-cold-inline-threshold", "N",
	"inline a cold call if the callee has at most N bytes\n"
	"(default: 0)" },
      { OPTION_PREVIOUS, "csspgo-preinliner-multiplier-for-previous-inlining",
	"N",
	"accept N times as many bytes if the call was inlined\n"
	"in the program (default: 100)" },
      { OPTION_GROWTH, "sample-profile-inline-growth-limit", "N",
	"let functions grow by the factor N (default: 12)" },
      { OPTION_LEAST_LIMIT, "sample-profile-inline-limit-min", "N",
	"but at least to N bytes (default: 100)" },
      { OPTION_MOST_LIMIT, "sample-profile-inline-limit-max", "N",
	"and at most to N bytes (default: 50000)" },
      { OPTION_USE_DWARF, "use-dwarf-correlation", NULL,
	"count lines even if all programs have pseudo probes" },
      { OPTION_SHOW_PROBES, "show-pseudo-probe", NULL,
	"print the pseudo probes of the programs, which clang\n"
	"-fpseudo-probe-for-profiling adds, and exit" },
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct input
{
  const char *path;
  enum perf_form form;
  enum sampled_kind kind;
};

struct profgen_request
{
  char **binaries; /* room for all arguments */
  size_t binary_count;
  struct input *inputs; /* room for all arguments */
  size_t input_count;
  const char *output;
  const char *debug_directories;
  int32_t pid;
  bool has_names;    /* --names was given */
  bool shows_probes; /* does not make a profile */
  bool uses_lines;   /* even if there are probes */
  bool ignores_stacks;
  bool has_merge_cold; /* --csprof-merge-cold-context was given */
  struct context_rules contexts;
  struct sample_output samples;
  struct sample_builder_options builder;
};

/* Add the recording of INPUT to CODE.  Return false and set *ERR on
   failure.  */
static bool
add_input (const struct profgen_request *request, const struct input *input,
	   struct image_list *images, struct sampled_code *code,
	   struct profile_error *err)
{
  bool has_images = false;
  struct perf_recording *recording
    = perf_recording_open (input->path, input->form, err);
  if (recording == NULL)
    return false;
  enum perf_form form = perf_recording_form (recording);
  bool is_done = sampled_code_add (code, images, recording, input->kind,
				   request->pid, &has_images, err);
  perf_recording_close (recording);
  if (!is_done || has_images)
    return is_done;
  if (form == PERF_FORM_SCRIPT && images->count == 1)
    {
      diagnostics_warning ("%s: no mapping of %s in the recording: assuming "
			   "that its addresses are those in the file",
			   input->path, images->images[0].path);
      return true;
    }
  if (images->differing_count > 0)
    return profile_error_set (err, input->path, PROFILE_ERROR_NO_OFFSET,
			      "build ID of the recorded %s differs from the "
			      "given file's",
			      images->differing[0]);
  return profile_error_set (err, input->path, PROFILE_ERROR_NO_OFFSET,
			    "no mapping of %s%s in the recording",
			    images->images[0].path,
			    images->count > 1 ? " or the others" : "");
}

/* Return true if any of IMAGES has debug information.  Warn of those
   without.  */
static bool
check_images (struct image_list *images, struct profile_error *err)
{
  size_t described = 0;
  for (size_t i = 0; i < images->count; i++)
    {
      struct symbolizer *symbolizer = images->images[i].symbolizer;
      bool is_described = symbolizer_has_debug_info (symbolizer);
      const char *problem = symbolizer_problem (symbolizer, 0);
      described += is_described;
      if (!is_described || problem != NULL)
	diagnostics_warning ("%s: %s", images->images[i].path,
			     problem != NULL ? problem
					     : "no debug information");
    }
  return described > 0
	 || profile_error_set (err, images->images[0].path,
			       PROFILE_ERROR_NO_OFFSET,
			       "cannot count lines without debug information");
}

/* Report samples that were lost.  Return false and set *ERR if none are
   left.  */
static bool
report (const struct profgen_request *request, const struct image_list *images,
	const struct sampled_code *code, const struct sample_profile *profile,
	struct profile_error *err)
{
  for (size_t i = 0; i < images->differing_count; i++)
    diagnostics_warning ("%s: recorded with a different build ID than that of "
			 "the given file; its samples are skipped",
			 images->differing[i]);
  for (size_t i = 0; i < images->count; i++)
    {
      const char *problem
	= symbolizer_problem (images->images[i].symbolizer, 0);
      if (problem != NULL)
	diagnostics_warning ("%s: %s", images->images[i].path, problem);
    }
  const struct joined_names *joined = request->builder.joined;
  if (joined->joined_count > 0)
    diagnostics_note (
      "functions of the same name are joined, such as %s and %s "
      "(%" PRIu32 " in all); --names=symbol keeps them apart",
      joined->examples[0], joined->examples[1], joined->joined_count);
  if (code->invalid_ranges > 0)
    diagnostics_note ("%" PRIu64 " ranges between branches are skipped: code "
		      "cannot run through them",
		      code->invalid_ranges);
  if (sample_profile_function_count (profile) > 0)
    return true;
  return profile_error_set (err, request->inputs[0].path,
			    PROFILE_ERROR_NO_OFFSET,
			    code->branch_samples + code->address_samples
				  + code->load_samples
				== 0
			      ? "no samples of the program"
			      : "no sample is in a function with debug "
				"information");
}

/* Set what the format of REQUEST can hold, and what its readers expect.  */
static void
choose_rules (struct profgen_request *request, struct sampled_code *code)
{
  bool is_afdo = request->samples.form == SAMPLE_FORM_AFDO;
  bool has_files
    = is_afdo && request->samples.afdo_version >= SAMPLE_AFDO_FILES_VERSION;
  if (!request->has_names)
    request->builder.has_symbol_names = is_afdo;
  request->builder.has_files = has_files;
  request->builder.counts_are_exact = is_afdo;
  code->wants_times = has_files;
  if (!request->has_merge_cold)
    request->contexts.merges_cold = !request->contexts.preinlines;
  /* Readers of formats without virtual tables get the functions in their slots
     as call targets instead.  */
  request->samples.drop_vtables
    |= is_afdo || request->samples.form == SAMPLE_FORM_RAW;
  request->builder.slots_are_targets = request->samples.drop_vtables;
}

/* Return true if the profile is to have the probes of IMAGES, not lines.  Note
   why not.  */
static bool
uses_probes (const struct profgen_request *request,
	     const struct image_list *images, const struct sampled_code *code)
{
  size_t count = 0;
  const char *reason = NULL;
  for (size_t i = 0; i < images->count; i++)
    count += images->images[i].probes.probe_count > 0;
  if (request->uses_lines || count == 0)
    return false;
  if (count < images->count)
    reason = "not all programs have pseudo probes";
  else if (code->branch_samples == 0)
    reason = "there are no branch records";
  else if (request->samples.form == SAMPLE_FORM_AFDO
	   || request->samples.form == SAMPLE_FORM_RAW)
    reason = "the format has no pseudo probes";
  if (reason != NULL)
    diagnostics_note ("lines are counted: %s", reason);
  else if (code->loads.count > 0)
    diagnostics_note ("virtual tables are left out: they belong to lines, and "
		      "pseudo probes are counted");
  return reason == NULL;
}

/* Choose whether the profile may have calling contexts, of lines or probes.  */
static void
choose_contexts (const struct profgen_request *request,
		 const struct image_list *images, struct sampled_code *code)
{
  code->wants_stacks = !request->ignores_stacks
		       && request->samples.form != SAMPLE_FORM_AFDO
		       && request->samples.form != SAMPLE_FORM_RAW;
  code->wants_paths = request->uses_lines;
  for (size_t i = 0; i < images->count; i++)
    code->wants_paths |= images->images[i].probes.probe_count == 0;
  code->has_limit = request->contexts.has_limit;
  code->limit = request->contexts.limit;
}

/* Return a profile of the samples in CODE of IMAGES.  NULL and *ERR on
   failure.  */
static struct sample_profile *
build_profile (struct profgen_request *request, struct image_list *images,
	       struct sampled_code *code, struct profile_error *err)
{
  bool has_probes = uses_probes (request, images, code);
  if (code->stack_samples > 0)
    {
      if (!has_probes && code->loads.count > 0)
	diagnostics_note ("virtual tables are left out: they have no calling "
			  "contexts; use --ignore-stack-samples");
      if (code->branch_samples > code->stack_samples)
	diagnostics_note ("%" PRIu64 " samples without a call stack are left "
			  "out",
			  code->branch_samples - code->stack_samples);
      if (code->cut_stacks > 0)
	diagnostics_note ("%" PRIu64 " of %" PRIu64
			  " call stacks are cut short: their outermost callers "
			  "are missing; raise kernel.perf_event_max_stack and "
			  "perf's --max-stack",
			  code->cut_stacks, code->stack_samples);
      return context_builder_make (images, code, &request->contexts,
				   &request->builder, err);
    }
  struct sample_profile *profile = sample_profile_new ();
  bool is_done
    = (profile != NULL || profile_error_set_memory (err, request->output))
      && (has_probes
	    ? probe_builder_add (profile, images, code, &request->builder, err)
	    : sample_builder_add (profile, images, code, &request->builder)
		|| profile_error_set_memory (err, request->output));
  if (is_done)
    return profile;
  sample_profile_free (profile);
  return NULL;
}

static bool
write_profile (struct profgen_request *request, struct image_list *images,
	       struct sampled_code *code, struct profile_error *err)
{
  struct sample_profile *profile = build_profile (request, images, code, err);
  bool is_done
    = profile != NULL && report (request, images, code, profile, err)
      && sample_output_write (&request->samples, request->output, profile, err);
  sample_profile_free (profile);
  return is_done;
}

static enum exit_status
make_profile (struct profgen_request *request)
{
  struct image_list images;
  struct sampled_code code = { 0 };
  struct profile_error err;
  struct joined_names joined = { 0 };
  choose_rules (request, &code);
  request->builder.joined = &joined;
  bool is_done
    = image_list_open (&images, request->binaries, request->binary_count,
		       request->debug_directories, &err)
      && check_images (&images, &err);
  if (is_done)
    choose_contexts (request, &images, &code);
  for (size_t i = 0; i < request->input_count && is_done; i++)
    is_done = add_input (request, &request->inputs[i], &images, &code, &err);
  is_done = is_done && write_profile (request, &images, &code, &err);
  if (!is_done)
    diagnostics_error (&err);
  sampled_code_release (&code);
  joined_names_release (&joined);
  image_list_close (&images);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

/* Print the pseudo probes of all programs.  */
static enum exit_status
show_probes (struct profgen_request *request)
{
  struct image_list images;
  struct profile_error err;
  bool is_done
    = image_list_open (&images, request->binaries, request->binary_count,
		       request->debug_directories, &err);
  for (size_t i = 0; i < images.count && is_done; i++)
    {
      const struct pseudo_probes *probes = &images.images[i].probes;
      is_done
	= probes->function_count > 0
	  || profile_error_set (&err, images.images[i].path,
				PROFILE_ERROR_NO_OFFSET, "no pseudo probes");
      if (is_done)
	probe_listing_print (probes, stdout);
    }
  if (!is_done)
    diagnostics_error (&err);
  image_list_close (&images);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

static void
add_path (struct profgen_request *request, const char *path,
	  enum perf_form form, enum sampled_kind kind)
{
  request->inputs[request->input_count++] = (struct input){ path, form, kind };
}

/* Set *CHOICE to false if VALUE of --OPTION is FIRST, to true if it is SECOND.
   Otherwise print an error and return false.  */
static bool
take_choice (const char *option, const char *value, const char *first,
	     const char *second, bool *choice)
{
  *choice = strcmp (value, second) == 0;
  if (*choice || strcmp (value, first) == 0)
    return true;
  diagnostics_usage ("profgen", "invalid value --%s=%s (expected %s or %s)",
		     option, value, first, second);
  return false;
}

static bool
take_format (const char *value, enum sample_form *form)
{
  if (sample_output_find_form (value, form))
    return true;
  diagnostics_usage ("profgen", "unknown format '%s'", value);
  return false;
}

static bool
take_pid (const char *value, int32_t *pid)
{
  size_t number;
  if (!option_take_size ("profgen", value, &number))
    return false;
  if (number <= INT32_MAX)
    {
      *pid = (int32_t) number;
      return true;
    }
  diagnostics_usage ("profgen", "invalid process ID '%s'", value);
  return false;
}

/* Set *FLAG to VALUE of --OPTION, by default true.  If it is invalid, print an
   error and return false.  */
static bool
take_flag (const char *option, const char *value, bool *flag)
{
  *flag = value == NULL || strcmp (value, "1") == 0
	  || strcasecmp (value, "true") == 0;
  if (*flag || strcmp (value, "0") == 0 || strcasecmp (value, "false") == 0)
    return true;
  diagnostics_usage ("profgen", "invalid value --%s=%s (expected 0 or 1)",
		     option, value);
  return false;
}

/* Set *NUMBER to VALUE of --OPTION, at least LEAST.  If it is invalid, print an
   error and return false.  */
static bool
take_number (const char *option, const char *value, uint32_t least,
	     uint32_t *number)
{
  size_t size;
  if (!option_take_size ("profgen", value, &size))
    return false;
  *number = (uint32_t) size;
  if (size >= least && size <= INT32_MAX)
    return true;
  diagnostics_usage ("profgen",
		     "invalid value --%s=%s (expected %" PRIu32 " to %d)",
		     option, value, least, INT32_MAX);
  return false;
}

/* Handle the options that control calling contexts.  */
static bool
take_context_rule (struct profgen_request *request, int id, const char *value)
{
  struct context_rules *contexts = &request->contexts;
  struct preinline_rules *inlining = &contexts->inlining;
  const char *name = "";
  for (size_t i = 0; profgen_options[i].id != 0; i++)
    if (profgen_options[i].id == id)
      name = profgen_options[i].name;
  switch (id)
    {
    case OPTION_PREINLINE:
      return take_flag (name, value, &contexts->preinlines);
    case OPTION_NEST:
      return take_flag (name, value, &contexts->nests);
    case OPTION_MERGE_COLD:
      request->has_merge_cold = true;
      return take_flag (name, value, &contexts->merges_cold);
    case OPTION_TRIM_COLD:
      return take_flag (name, value, &contexts->trims_cold);
    case OPTION_REPEAT:
      return take_flag (name, value, &inlining->repeats);
    case OPTION_LIMIT:
      contexts->has_limit = strcmp (value, "-1") != 0;
      return !contexts->has_limit
	     || take_number (name, value, 0, &contexts->limit);
    case OPTION_COLD_FRAMES:
      return take_number (name, value, 1, &contexts->cold_frames);
    case OPTION_HOT_SIZE:
      return take_number (name, value, 0, &inlining->hot_size);
    case OPTION_COLD_SIZE:
      return take_number (name, value, 0, &inlining->cold_size);
    case OPTION_PREVIOUS:
      return take_number (name, value, 0, &inlining->previous);
    case OPTION_GROWTH:
      return take_number (name, value, 0, &inlining->growth);
    case OPTION_LEAST_LIMIT:
      return take_number (name, value, 0, &inlining->least_limit);
    default:
      return take_number (name, value, 0, &inlining->most_limit);
    }
}

/* Handle the options that control counting, naming and output versions.  */
static bool
take_rule (struct profgen_request *request, int id, const char *value)
{
  bool is_sum;
  switch (id)
    {
    case OPTION_NAMES:
      request->has_names = true;
      return take_choice ("names", value, "debug", "symbol",
			  &request->builder.has_symbol_names);
    case OPTION_COMBINE:
      if (!take_choice ("combine", value, "max", "sum", &is_sum))
	return false;
      request->builder.rule = is_sum ? SAMPLE_RULE_SUM : SAMPLE_RULE_MAX;
      return true;
    case OPTION_TOTALS:
      return take_choice ("totals", value, "bytes", "counts",
			  &request->builder.totals_are_counts);
    case OPTION_PREINLINE ... OPTION_PREVIOUS:
      return take_context_rule (request, id, value);
    default:
      return sample_output_take_option ("profgen", &request->samples, id,
					value);
    }
}

static bool
take_option (void *arguments, int id, const char *value)
{
  struct profgen_request *request = arguments;
  switch (id)
    {
    case OPTION_BINARY:
      request->binaries[request->binary_count++] = (char *) value;
      return true;
    case 'o':
      request->output = value;
      return true;
    case OPTION_FORMAT:
      return take_format (value, &request->samples.form);
    case OPTION_PERF_DATA:
      add_path (request, value, PERF_FORM_DATA, SAMPLED_ALL);
      return true;
    case OPTION_PERF_SCRIPT:
      add_path (request, value, PERF_FORM_SCRIPT, SAMPLED_ALL);
      return true;
    case OPTION_DATA_ACCESS:
      add_path (request, value, PERF_FORM_ANY, SAMPLED_LOADS);
      return true;
    case OPTION_PID:
      return take_pid (value, &request->pid);
    case OPTION_IGNORE_STACKS:
      request->ignores_stacks = true;
      return true;
    case OPTION_USE_DWARF:
      request->uses_lines = true;
      return true;
    case OPTION_SHOW_PROBES:
      request->shows_probes = true;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      request->debug_directories = value;
      return true;
    default:
      return take_rule (request, id, value);
    }
}

static enum exit_status
check_and_make (struct profgen_request *request)
{
  if (request->binary_count == 0)
    return diagnostics_usage ("profgen", "no program given: use "
					 "--binary=FILE");
  if (request->binary_count >= SAMPLED_MOST_IMAGES)
    return diagnostics_usage ("profgen", "too many binaries");
  if (request->shows_probes)
    return show_probes (request);
  if (request->output == NULL)
    return diagnostics_usage ("profgen", "no output given: use -o FILE");
  if (request->input_count == 0)
    return diagnostics_usage ("profgen", "no recording given");
  return make_profile (request);
}

static enum exit_status
run_profgen (int argc, char **argv)
{
  struct profgen_request request
    = { .pid = PERF_NO_PID,
	.contexts = { .preinlines = true,
		      .nests = true,
		      .cold_frames = 1,
		      .inlining = PREINLINE_DEFAULT_RULES },
	.samples.afdo_version = SAMPLE_OUTPUT_AFDO_VERSION };
  int operands;
  enum exit_status status;
  request.binaries = calloc ((size_t) argc, sizeof *request.binaries);
  request.inputs = calloc ((size_t) argc, sizeof *request.inputs);
  if (request.binaries == NULL || request.inputs == NULL)
    status = diagnostics_memory ();
  else if (command_options_take (&command_profgen, argc, argv, take_option,
				 &request, &operands, &status))
    {
      for (int i = operands; i < argc; i++)
	add_path (&request, argv[i], PERF_FORM_ANY, SAMPLED_ALL);
      status = check_and_make (&request);
    }
  free (request.binaries);
  free (request.inputs);
  return status;
}

const struct command command_profgen
  = { .name = "profgen",
      .operands = "--binary=FILE... -o OUT RECORDING...",
      .summary = "make a sample profile from perf recordings",
      .description
      = "Count from the RECORDINGs (perf.data) how often the lines of the "
	"program\nFILE ran, which functions they called, and which virtual "
	"tables they loaded\nfrom, and write the counts as a profile for a "
	"compiler.",
      .options = profgen_options,
      .print_more = record_advice_print,
      .run = run_profgen };
