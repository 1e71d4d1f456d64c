/* heapprof-gcov overlap: how much two profiles have in common.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "option-values.h"
#include "overlap.h"
#include "profile-pair.h"
#include <inttypes.h>
#include <stdlib.h>

enum
{
  OPTION_VALUE_CUTOFF = PAIR_OPTION_END,
  OPTION_CONTEXT_SENSITIVE
};

static const struct command_option overlap_options[]
  = { { FILTER_OPTION_FUNCTION, "function", "REGEX",
	"compare only contexts that contain a function whose\n"
	"demangled or linkage name matches the extended regular\n"
	"expression, and list functions with counters or\n"
	"samples that match; @FILE: any of the expressions in\n"
	"FILE" },
      FILTER_OPTION_ROWS,
      { OPTION_VALUE_CUTOFF, "value-cutoff", "N",
	"list functions with a counter, or a location with\n"
	"samples, of at least N in the second profile" },
      { OPTION_CONTEXT_SENSITIVE, "cs", NULL,
	"compare counters of the second (context-sensitive)\n"
	"instrumentation, after inlining" },
      PAIR_OPTION_ROWS,
      { 0 } };

static bool
take_option (void *arguments, int id, const char *value)
{
  struct overlap_counter_options *options = arguments;
  size_t cutoff;
  switch (id)
    {
    case OPTION_VALUE_CUTOFF:
      if (!option_take_size ("overlap", value, &cutoff))
	return false;
      options->value_cutoff = cutoff;
      return true;
    case OPTION_CONTEXT_SENSITIVE:
      options->context_sensitive = true;
      return true;
    default:
      return false;
    }
}

/* Print that the profiles of PAIR have no kind of data in common.  */
static enum exit_status
fail_apart (const struct profile_pair *pair)
{
  struct profile_error err;
  profile_error_set (&err, pair->paths[OVERLAP_TEST], PROFILE_ERROR_NO_OFFSET,
		     "nothing to compare with %s: the files have no kind of "
		     "profile in common",
		     pair->paths[OVERLAP_BASE]);
  diagnostics_error (&err);
  return STATUS_FAILED;
}

/* Results for each kind of data that the profiles of a pair have in common.  */
struct overlaps
{
  struct overlap_heap heap;
  struct overlap_counters counters;
  struct overlap_samples samples;
};

/* Compare the samples of PAIR.  */
static bool
compare_samples (struct overlap_samples *overlap,
		 const struct profile_pair *pair,
		 const struct overlap_sample_options *options,
		 struct profile_error *err)
{
  struct sample_match match;
  bool is_done = profile_pair_match_samples (pair, &match, err);
  if (is_done && !overlap_samples_make (overlap, &match, options))
    is_done = profile_error_set_memory (err, NULL);
  sample_match_release (&match);
  return is_done;
}

/* Compute the overlap of each kind of data in both profiles of PAIR.  Store the
   results in *OVERLAPS and point REPORT to them.  */
static bool
compare_families (struct overlaps *overlaps, struct overlap_report *report,
		  const struct profile_pair *pair,
		  const struct pair_options *options,
		  const struct overlap_counter_options *chosen,
		  struct profile_error *err)
{
  struct profile *base = pair->profiles[OVERLAP_BASE];
  struct profile *test = pair->profiles[OVERLAP_TEST];
  if (base->heap != NULL && test->heap != NULL)
    report->heap = &overlaps->heap;
  if (base->counters != NULL && test->counters != NULL)
    report->counters = &overlaps->counters;
  if (base->samples != NULL && test->samples != NULL)
    report->samples = &overlaps->samples;
  if ((report->heap != NULL
       && !overlap_heap_make (&overlaps->heap,
			      (struct heap_profile *[]){ base->heap,
							 test->heap },
			      &options->filter))
      || (report->counters != NULL
	  && !overlap_counters_make (&overlaps->counters,
				     (struct counter_profile *[]){
				       base->counters, test->counters },
				     chosen)))
    return profile_error_set_memory (err, NULL);
  const struct overlap_sample_options sampled
    = { report->demangle, chosen->value_cutoff, chosen->function };
  return (report->samples == NULL
	  || compare_samples (&overlaps->samples, pair, &sampled, err));
}

static enum exit_status
compare (const struct profile_pair *pair, const struct pair_options *options,
	 const void *arguments)
{
  struct overlap_counter_options chosen
    = *(const struct overlap_counter_options *) arguments;
  chosen.function = options->function;
  struct overlaps overlaps = { 0 };
  struct overlap_report report
    = { .paths = pair->paths, .demangle = options->demangle };
  struct profile_error err;
  bool is_done
    = compare_families (&overlaps, &report, pair, options, &chosen, &err);
  enum exit_status status = STATUS_DONE;
  if (!is_done)
    {
      diagnostics_error (&err);
      status = STATUS_FAILED;
    }
  else if (report.heap == NULL && report.counters == NULL
	   && report.samples == NULL)
    status = fail_apart (pair);
  else if (!(options->is_json ? overlap_print_json
			      : overlap_print_text) (&report))
    status = diagnostics_memory ();
  overlap_counters_release (&overlaps.counters);
  overlap_samples_release (&overlaps.samples);
  return status;
}

static enum exit_status
run_overlap (int argc, char **argv)
{
  static const struct pair_command command
    = { &command_overlap, take_option, compare };
  struct overlap_counter_options arguments = { .value_cutoff = UINT64_MAX };
  return pair_command_run (&command, &arguments, argc, argv);
}

const struct command command_overlap = {
  .name = "overlap",
  .operands = "BASE TEST",
  .summary = "print how much two profiles have in common",
  .description
  = "Print how much the profiles BASE and TEST overlap: the share of\n"
    "allocations, bytes and accesses in the same calling contexts, of counts\n"
    "in the same counters, and of samples at the same locations.  Profiles\n"
    "that differ only by a factor overlap by 100%.",
  .options = overlap_options,
  .run = run_overlap
};
