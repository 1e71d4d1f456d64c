/* heapprof-gcov prove: run variants of a program and compare them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "commands.h"
#include "option-values.h"
#include "pager.h"
#include "prove.h"
#include "variants.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Enough that the interval does not depend on a single outlier.  */
#define DEFAULT_ROUNDS 12

enum
{
  OPTION_VARIANT = OPTION_HELP + 1,
  OPTION_ALLOCATOR,
  OPTION_WARM_UP,
  OPTION_SEED,
  OPTION_INPUT,
  OPTION_EXIT_STATUS,
  OPTION_TIMEOUT,
  OPTION_NO_COMPARE_OUTPUT,
  OPTION_NO_PAGES,
  OPTION_PHASE_BEGIN,
  OPTION_PHASE_END,
  OPTION_CACHEGRIND,
  OPTION_D1,
  OPTION_LL,
  OPTION_FAIL_IF,
  OPTION_JUNIT,
  OPTION_JSON
};

static const struct command_option prove_options[]
  = { { OPTION_VARIANT, "variant", "NAME=COMMAND",
	"a variant: COMMAND, for the shell if it has special\n"
	"characters; or its first words, such as settings of\n"
	"the environment, if there are operands; may be\n"
	"repeated; others are compared with the first one" },
      { OPTION_ALLOCATOR, "allocator", "NAME",
	"run each variant with this allocator preloaded: own\n"
	"(none), jemalloc, mimalloc, tcmalloc, or the path of a\n"
	"library; may be repeated; variants are compared with\n"
	"the first one with the same allocator" },
      { 'r', "rounds", "N",
	"run each variant N times (default: 12; at least 6 for\n"
	"intervals)" },
      { OPTION_WARM_UP, "warm-up", "N",
	"run each variant N more times before (default: 1)" },
      { OPTION_CACHEGRIND, "cachegrind", NULL,
	"also count instructions and cache misses, simulated by\n"
	"valgrind's cachegrind in one more run of each variant,\n"
	"with HEAPHINT=force" },
      { OPTION_D1, "d1", "BYTES,WAYS,LINE",
	"the simulated data cache (default: 32768,8,64)" },
      { OPTION_LL, "ll", "BYTES,WAYS,LINE",
	"the simulated last-level cache (default:\n"
	"8388608,16,64)" },
      { OPTION_NO_PAGES, "no-pages", NULL,
	"do not count touched pages, in up to 12 more runs of\n"
	"each variant" },
      { OPTION_PHASE_BEGIN, "phase-begin", "TEXT",
	"count pages from the moment when TEXT is on standard\n"
	"output or error, instead of from the middle on, until\n"
	"three quarters of the remaining CPU time are over" },
      { OPTION_PHASE_END, "phase-end", "TEXT",
	"count pages until TEXT is there, after --phase-begin's" },
      { OPTION_INPUT, "input", "FILE",
	"standard input of each run (default: /dev/null)" },
      { OPTION_EXIT_STATUS, "exit-status", "N",
	"the exit status that each run must have (default: 0)" },
      { OPTION_NO_COMPARE_OUTPUT, "no-compare-output", NULL,
	"do not check that all runs print the same" },
      { OPTION_TIMEOUT, "timeout", "SECONDS",
	"fail if a run that is not simulated takes longer" },
      { OPTION_SEED, "seed", "N",
	"choose the order of runs by the number N (default: at\n"
	"random)" },
      { OPTION_FAIL_IF, "fail-if", "KEY+N%",
	"exit with status 1 if KEY (see below) of a variant is\n"
	"certainly more than N percent larger than that of the\n"
	"variant it is compared with; KEY-N%: unless it is\n"
	"certainly at least N percent smaller; may be repeated" },
      { OPTION_JUNIT, "junit", "FILE",
	"also write what became of each limit, for each\n"
	"variant, to FILE, as JUnit's XML" },
      { OPTION_JSON, "json", NULL, "print all data as JSON" },
      { 0 } };

struct arguments
{
  struct prove prove;
  struct variant_texts variants;
  struct prove_limits limits;
  const char *junit; /* NULL: not given */
  bool is_json;
};

/* Parse VALUE, from LEAST to MOST, into *NUMBER.  */
static bool
take_number (const char *value, size_t least, size_t most, size_t *number)
{
  if (!option_take_size ("prove", value, number))
    return false;
  if (*number >= least && *number <= most)
    return true;
  diagnostics_usage ("prove", "invalid number '%s' (expected %zu to %zu)",
		     value, least, most);
  return false;
}

/* Store VALUE of the option NAME in *TEXT.  */
static bool
take_text (const char *name, const char *value, const char **text)
{
  *text = value;
  if (*value != '\0')
    return true;
  diagnostics_usage ("prove", "--%s: the text is empty", name);
  return false;
}

static bool
is_power_of_two (unsigned long number)
{
  return number != 0 && (number & (number - 1)) == 0;
}

/* Return true if TEXT is a cache that cachegrind can simulate.  */
static bool
is_cache (const char *text)
{
  unsigned long bytes;
  unsigned long ways;
  unsigned long line;
  int end = 0;
  if (strspn (text, "0123456789,") != strlen (text) || strlen (text) > 40
      || sscanf (text, "%lu,%lu,%lu%n", &bytes, &ways, &line, &end) != 3
      || text[end] != '\0')
    return false;
  return line >= 16 && is_power_of_two (line) && ways > 0 && bytes % line == 0
	 && bytes / line % ways == 0 && is_power_of_two (bytes / line / ways);
}

static bool
take_cache (const char *value, const char **cache)
{
  *cache = value;
  if (is_cache (value))
    return true;
  diagnostics_usage ("prove",
		     "invalid cache '%s' (expected BYTES,WAYS,LINE with a "
		     "power of two as LINE, and as the number of sets)",
		     value);
  return false;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  struct prove *prove = &arguments->prove;
  size_t number;
  switch (id)
    {
    case OPTION_VARIANT:
      return variant_texts_add (&arguments->variants, value);
    case OPTION_ALLOCATOR:
      return variant_texts_add_allocator (&arguments->variants, value);
    case 'r':
      return take_number (value, 1, RATIO_MOST_PAIRS, &prove->rounds);
    case OPTION_WARM_UP:
      return take_number (value, 0, RATIO_MOST_PAIRS, &prove->warm_up);
    case OPTION_SEED:
      if (!take_number (value, 0, SIZE_MAX, &number))
	return false;
      prove->seed = number;
      return true;
    case OPTION_INPUT:
      prove->input = value;
      return true;
    case OPTION_EXIT_STATUS:
      if (!take_number (value, 0, 255, &number))
	return false;
      prove->exit_status = (int) number;
      return true;
    case OPTION_TIMEOUT:
      return option_take_seconds ("prove", value, &prove->timeout_s);
    case OPTION_NO_COMPARE_OUTPUT:
      prove->output = PROVE_OUTPUT_NOT_COMPARED;
      return true;
    case OPTION_NO_PAGES:
      prove->has_pages = false;
      return true;
    case OPTION_PHASE_BEGIN:
      return take_text ("phase-begin", value, &prove->phase.begin);
    case OPTION_PHASE_END:
      return take_text ("phase-end", value, &prove->phase.end);
    case OPTION_CACHEGRIND:
      prove->has_simulation = true;
      return true;
    case OPTION_D1:
      return take_cache (value, &prove->caches.d1);
    case OPTION_LL:
      return take_cache (value, &prove->caches.ll);
    case OPTION_FAIL_IF:
      return prove_limits_add (&arguments->limits, value);
    case OPTION_JUNIT:
      arguments->junit = value;
      return true;
    case OPTION_JSON:
      arguments->is_json = true;
      return true;
    default:
      return false;
    }
}

/* Return true if PROVE's phase is complete.  */
static bool
check_phase (const struct prove *prove)
{
  if (prove->phase.end == NULL || prove->phase.begin != NULL)
    return true;
  diagnostics_usage ("prove", "--phase-end needs --phase-begin");
  return false;
}

static uint64_t
random_seed (void)
{
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  return ((uint64_t) now.tv_nsec ^ (uint64_t) getpid ()) % 1000000;
}

/* Report what became of the limits.  Return true if all are kept.  */
static bool
check_limits (const struct arguments *arguments)
{
  struct limit_cases cases = { 0 };
  bool is_done
    = prove_limits_check (&arguments->limits, &arguments->prove, &cases)
      && (arguments->junit == NULL
	  || limit_cases_write (&cases, "heapprof-gcov prove",
				arguments->junit))
      && limit_cases_report (&cases);
  limit_cases_release (&cases);
  return is_done;
}

/* Run the variants, print the results and check the limits.  */
static enum exit_status
run_and_print (struct arguments *arguments)
{
  struct prove *prove = &arguments->prove;
  if (!prove_run (prove))
    return STATUS_FAILED;
  pager_start ();
  if (!(arguments->is_json ? prove_print_json : prove_print_text) (prove))
    return diagnostics_memory ();
  if (!diagnostics_close_stdout ())
    return STATUS_FAILED;
  return check_limits (arguments) ? STATUS_DONE : STATUS_FAILED;
}

static enum exit_status
run_prove (int argc, char **argv)
{
  struct arguments arguments = { .prove = { .rounds = DEFAULT_ROUNDS,
					    .warm_up = 1,
					    .seed = random_seed (),
					    .input = "/dev/null",
					    .has_pages = true,
					    .caches = CACHE_SIZES_DEFAULT,
					    .output = PROVE_OUTPUT_SAME } };
  int operands;
  enum exit_status status;
  if (!command_options_take (&command_prove, argc, argv, take_option,
			     &arguments, &operands, &status))
    return status;
  if (!check_phase (&arguments.prove))
    return STATUS_USAGE;
  if (arguments.junit != NULL && arguments.limits.count == 0)
    return diagnostics_usage ("prove", "--junit needs --fail-if");
  if (!prove_limits_are_measured (&arguments.limits, &arguments.prove))
    return STATUS_USAGE;
  if (variant_texts_expand (&arguments.variants, argv + operands,
			    &arguments.prove, &status))
    status = run_and_print (&arguments);
  prove_release (&arguments.prove);
  return status;
}

static void
print_keys (void)
{
  puts ("\n"
	"Keys:\n"
	"  time          CPU time, user and system\n"
	"  wall          elapsed time\n"
	"  rss           peak of resident memory of the largest process\n"
	"  pages         pages of memory without a file (heap, stacks)\n"
	"                touched in a quarter of the CPU time, from the\n"
	"                middle of the run on, or in the phase given\n"
	"  minor_faults  page faults without input\n"
	"  major_faults  page faults that read from a device\n"
	"  instructions, d1_misses, ll_misses\n"
	"                simulated, with --cachegrind");
}

const struct command command_prove = {
  .name = "prove",
  .operands = "[-- COMMAND [ARG]...]",
  .summary = "run variants of a program and compare them",
  .description
  = "Run variants of a program, such as one built with a profile and one built\n"
    "without, in turns, check that they print the same, and compare their time\n"
    "and memory.  Without --variant, compare COMMAND with itself without hints\n"
    "(HEAPHINT=off).",
  .options = prove_options,
  .print_more = print_keys,
  .run = run_prove
};
