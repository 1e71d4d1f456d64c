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

static const struct command_option overlap_options[] = {
  { PAIR_OPTION_FUNCTION, "function", "REGEX",
    "list the functions with counters whose demangled or\n"
    "linkage name matches the extended regular expression" },
  { OPTION_VALUE_CUTOFF, "value-cutoff", "N",
    "list the functions that have a counter of N or more in\n"
    "the second profile" },
  { OPTION_CONTEXT_SENSITIVE, "cs", NULL,
    "compare the counters of the second instrumentation,\n"
    "after inlining" },
  PAIR_OPTION_ROWS,
  { 0 }
};

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

/* Print that PAIR has no family of profiles in both.  */
static enum exit_status
fail_apart (const struct profile_pair *pair)
{
  struct profile_error err;
  profile_error_set (&err, pair->paths[OVERLAP_TEST], PROFILE_ERROR_NO_OFFSET,
		     "nothing to compare with %s: no kind of profile is in "
		     "both",
		     pair->paths[OVERLAP_BASE]);
  diagnostics_error (&err);
  return STATUS_FAILED;
}

static enum exit_status
compare (const struct profile_pair *pair, const struct pair_options *options,
	 const void *arguments)
{
  struct profile *base = pair->profiles[OVERLAP_BASE];
  struct profile *test = pair->profiles[OVERLAP_TEST];
  struct overlap_counter_options chosen
    = *(const struct overlap_counter_options *) arguments;
  chosen.function = options->function;
  struct overlap_counters counters = { 0 };
  struct overlap_heap heap;
  bool has_counters = base->counters != NULL && test->counters != NULL;
  bool has_heap = base->heap != NULL && test->heap != NULL;
  if (!has_counters && !has_heap)
    return fail_apart (pair);
  bool is_done = true;
  if (has_counters)
    is_done = overlap_counters_make (
      &counters, (struct counter_profile *[]){ base->counters, test->counters },
      &chosen);
  if (has_heap && is_done)
    is_done = overlap_heap_make (
      &heap, (struct heap_profile *[]){ base->heap, test->heap });
  is_done = is_done
	    && (options->is_json ? overlap_print_json : overlap_print_text) (
	      pair->paths, has_counters ? &counters : NULL,
	      has_heap ? &heap : NULL, options->demangle);
  overlap_counters_release (&counters);
  return is_done ? STATUS_DONE : diagnostics_memory ();
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
  = "Print how much the profiles BASE and TEST overlap: what share of their\n"
    "allocations, bytes and accesses is made in the same calling contexts, and\n"
    "of their counts at the same counters.  It is 100% if they differ in\n"
    "nothing but a factor.",
  .options = overlap_options,
  .run = run_overlap
};
