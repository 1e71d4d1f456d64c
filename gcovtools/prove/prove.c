/* Variants of a program, run in turns and compared.
   SPDX-License-Identifier: GPL-3.0-or-later

   First all rounds in which time and memory are measured; then, apart from
   these, so that it does not disturb them, rounds in which pages are counted,
   and one of simulation.  */

#include "prove.h"
#include "diagnostics.h"
#include "output-check.h"
#include "process-run.h"
#include "run-order.h"
#include "terminal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[PROVE_MEASURES]
  = { [PROVE_TIME] = "time",
      [PROVE_WALL] = "wall",
      [PROVE_RSS] = "rss",
      [PROVE_PAGES] = "pages",
      [PROVE_MINOR_FAULTS] = "minor_faults",
      [PROVE_MAJOR_FAULTS] = "major_faults",
      [PROVE_INSTRUCTIONS] = "instructions",
      [PROVE_D1_MISSES] = "d1_misses",
      [PROVE_LL_MISSES] = "ll_misses" };

/* The runs of one call.  */
struct session
{
  struct prove *prove;
  struct output_check *output;
  const struct prove_variant *first; /* whose output the others must have */
  size_t *order;
  uint64_t random;
  size_t done; /* runs */
  size_t total;
  int interruption; /* signal; 0: none */
};

const char *
prove_measure_name (enum prove_measure measure)
{
  return names[measure];
}

bool
prove_measure_find (const char *name, enum prove_measure *measure)
{
  for (int i = 0; i < PROVE_MEASURES; i++)
    if (strcmp (name, names[i]) == 0)
      {
	*measure = i;
	return true;
      }
  return false;
}

/* Return the command of VARIANT.  */
static struct process_command
make_command (const struct session *session,
	      const struct prove_variant *variant)
{
  const struct prove *prove = session->prove;
  return (struct process_command){ .name = variant->name,
				   .settings = variant->settings,
				   .words = variant->command,
				   .input = prove->input,
				   .timeout_s = prove->timeout_s,
				   .expected_status = prove->exit_status,
				   .output
				   = output_check_file (session->output) };
}

/* Compare the output of the run of VARIANT that has just ended with that of
   the first run.  If it differs, find out whether that variant's varies.  */
static bool
check_output (struct session *session, const struct prove_variant *variant,
	      struct profile_error *err)
{
  if (session->first == NULL)
    session->first = variant;
  const struct prove_variant *first = session->first;
  if (output_check_compare (session->output, variant->name, first->name, err))
    return true;
  if (variant != first)
    {
      struct process_command command = make_command (session, first);
      struct profile_error differs = *err;
      struct process_usage usage;
      if (!process_run (&command, &usage, &session->interruption, err))
	return false;
      if (output_check_compare (session->output, first->name, first->name, err))
	{
	  *err = differs;
	  return false;
	}
    }
  output_check_stop (session->output);
  return true;
}

/* Run COMMAND of VARIANT.  */
static bool
run_once (struct session *session, const struct prove_variant *variant,
	  const struct process_command *command, struct process_usage *usage,
	  struct profile_error *err)
{
  terminal_progress ("runs", session->done++, session->total);
  return process_run (command, usage, &session->interruption, err)
	 && check_output (session, variant, err);
}

static void
add_value (struct prove_variant *variant, enum prove_measure measure,
	   double value)
{
  struct prove_result *result = &variant->results[measure];
  result->values[result->count++] = value;
}

/* Run VARIANT; unless this is a warm-up, keep what it uses.  */
static bool
run_timed (struct session *session, struct prove_variant *variant,
	   bool is_warm_up, struct profile_error *err)
{
  const struct process_command command = make_command (session, variant);
  struct process_usage usage;
  if (!run_once (session, variant, &command, &usage, err))
    return false;
  if (is_warm_up)
    return true;
  add_value (variant, PROVE_TIME, usage.cpu_ns);
  add_value (variant, PROVE_WALL, usage.wall_ns);
  add_value (variant, PROVE_RSS, usage.peak_bytes);
  add_value (variant, PROVE_MINOR_FAULTS, usage.minor_faults);
  add_value (variant, PROVE_MAJOR_FAULTS, usage.major_faults);
  return true;
}

static bool
run_timed_rounds (struct session *session, struct profile_error *err)
{
  struct prove *prove = session->prove;
  for (size_t round = 0; round < prove->warm_up + prove->rounds; round++)
    {
      bool is_warm_up = round < prove->warm_up;
      run_order_next (session->order, prove->variant_count,
		      is_warm_up ? round : round - prove->warm_up,
		      &session->random);
      for (size_t i = 0; i < prove->variant_count; i++)
	if (!run_timed (session, &prove->variants[session->order[i]],
			is_warm_up, err))
	  return false;
    }
  return true;
}

/* ---- Pages.  */

/* A run may use less CPU time than the median and end too early; this many more
   are made.  */
#define PAGES_MORE_TRIES 2

/* Run VARIANT and count the pages it touches, from a moment that SHIFT selects;
   NAN if that failed.  */
static bool
run_for_pages (struct session *session, struct prove_variant *variant,
	       double shift, double *pages, struct profile_error *err)
{
  *pages = NAN;
  for (int try = 0; try <= PAGES_MORE_TRIES && isnan (*pages); try++)
    {
      struct page_watch watch;
      struct process_usage usage;
      struct process_command command = make_command (session, variant);
      page_watch_start (&watch, &session->prove->phase,
			variant->results[PROVE_TIME].median, shift);
      page_watch_set_outputs (&watch, command.output, process_run_messages ());
      /* A huge page would count as five hundred, if one byte is touched.  */
      command.small_pages = true;
      command.watch = page_watch_look;
      command.watch_data = &watch;
      command.watch_ns = watch.period_ns;
      session->done -= try > 0;
      if (!run_once (session, variant, &command, &usage, err))
	return false;
      *pages = page_watch_pages (&watch);
    }
  return true;
}

/* Return the first variant whose time is too short; NULL if there is none.  */
static const struct prove_variant *
find_short (const struct prove *prove)
{
  for (size_t i = 0; i < prove->variant_count; i++)
    if (prove->variants[i].results[PROVE_TIME].median < PROVE_PAGES_LEAST_NS)
      return &prove->variants[i];
  return NULL;
}

/* Say that pages are not counted.  */
static bool
leave_out_pages (struct prove *prove, const struct prove_variant *variant,
		 const char *why)
{
  diagnostics_note ("%s: pages are not counted: %s", variant->name, why);
  for (size_t i = 0; i < prove->variant_count; i++)
    prove->variants[i].results[PROVE_PAGES].count = 0;
  return true;
}

static const char *
reason_without_pages (const struct page_phase *phase)
{
  if (phase->end != NULL)
    return "it did not print both texts in time, or the kernel does not tell";
  if (phase->begin != NULL)
    return "it did not print the text in time, or the kernel does not tell";
  return "it ends too early, or the kernel does not tell";
}

static size_t
count_page_rounds (const struct prove *prove)
{
  if (!prove->has_pages)
    return 0;
  return prove->rounds < PROVE_PAGES_ROUNDS ? prove->rounds
					    : PROVE_PAGES_ROUNDS;
}

static bool
run_page_rounds (struct session *session, struct profile_error *err)
{
  struct prove *prove = session->prove;
  const struct prove_variant *variant = find_short (prove);
  if (prove->has_pages && variant != NULL)
    return leave_out_pages (prove, variant,
			    "it uses less than 50 ms of CPU time");
  for (size_t round = 0; round < count_page_rounds (prove); round++)
    {
      run_order_next (session->order, prove->variant_count, round,
		      &session->random);
      const double shift = run_order_random (&session->random);
      for (size_t i = 0; i < prove->variant_count; i++)
	{
	  double pages;
	  struct prove_variant *next = &prove->variants[session->order[i]];
	  if (!run_for_pages (session, next, shift, &pages, err))
	    return false;
	  if (isnan (pages))
	    return leave_out_pages (prove, next,
				    reason_without_pages (&prove->phase));
	  add_value (next, PROVE_PAGES, pages);
	}
    }
  return true;
}

/* ---- Simulation.  */

static bool
run_simulation (struct session *session, struct profile_error *err)
{
  struct prove *prove = session->prove;
  for (size_t i = 0; i < prove->variant_count && prove->has_simulation; i++)
    {
      struct prove_variant *variant = &prove->variants[i];
      const struct process_command command = make_command (session, variant);
      struct cache_counts counts;
      terminal_progress ("runs", session->done++, session->total);
      if (!cache_simulation_run (&command, &prove->caches, &counts,
				 &session->interruption, err)
	  || !check_output (session, variant, err))
	return false;
      add_value (variant, PROVE_INSTRUCTIONS, counts.instructions);
      add_value (variant, PROVE_D1_MISSES, counts.d1_misses);
      add_value (variant, PROVE_LL_MISSES, counts.ll_misses);
    }
  return true;
}

/* ---- All.  */

/* Set the median of RESULT without changing the order of its values.  */
static bool
set_median (struct prove_result *result)
{
  double *sorted = malloc (result->count * sizeof *sorted + 1);
  if (sorted == NULL)
    return false;
  memcpy (sorted, result->values, result->count * sizeof *sorted);
  if (result->count > 0)
    result->median = ratio_sort_median (sorted, result->count);
  free (sorted);
  return true;
}

static bool
set_medians (struct prove *prove, struct profile_error *err)
{
  for (size_t i = 0; i < prove->variant_count; i++)
    for (int measure = 0; measure < PROVE_MEASURES; measure++)
      if (!set_median (&prove->variants[i].results[measure]))
	return profile_error_set_memory (err, NULL);
  return true;
}

static bool
set_ratios (struct prove *prove, struct profile_error *err)
{
  for (size_t i = 0; i < prove->variant_count; i++)
    for (int measure = 0; measure < PROVE_MEASURES; measure++)
      {
	struct prove_variant *variant = &prove->variants[i];
	struct prove_result *result = &variant->results[measure];
	const struct prove_result *base
	  = &prove->variants[variant->base].results[measure];
	if (!ratio_interval_make (&result->ratio, result->values, base->values,
				  result->count))
	  return profile_error_set_memory (err, NULL);
      }
  return true;
}

static bool
allocate_values (struct session *session, struct profile_error *err)
{
  struct prove *prove = session->prove;
  session->order = calloc (prove->variant_count, sizeof *session->order);
  bool is_done = session->order != NULL;
  for (size_t i = 0; i < prove->variant_count; i++)
    for (int measure = 0; measure < PROVE_MEASURES && is_done; measure++)
      {
	struct prove_result *result = &prove->variants[i].results[measure];
	result->values = calloc (prove->rounds, sizeof *result->values);
	is_done = result->values != NULL;
      }
  return is_done || profile_error_set_memory (err, NULL);
}

static void
store_surroundings (struct prove *prove)
{
  prove->load = NAN;
  getloadavg (&prove->load, 1);
  prove->processors = sysconf (_SC_NPROCESSORS_ONLN);
}

/* Make all runs of SESSION.  */
static bool
run_all (struct session *session, struct profile_error *err)
{
  struct prove *prove = session->prove;
  store_surroundings (prove);
  session->total = prove->variant_count
		   * (prove->warm_up + prove->rounds + count_page_rounds (prove)
		      + prove->has_simulation);
  return allocate_values (session, err) && process_run_start (err)
	 && output_check_start (session->output,
				prove->output != PROVE_OUTPUT_NOT_COMPARED,
				prove->phase.begin != NULL, err)
	 && (!prove->has_simulation
	     || cache_simulation_check (&prove->caches, &session->interruption,
					err))
	 && run_timed_rounds (session, err) && set_medians (prove, err)
	 && run_page_rounds (session, err) && run_simulation (session, err)
	 && set_medians (prove, err) && set_ratios (prove, err);
}

bool
prove_run (struct prove *prove)
{
  struct output_check output = { 0 };
  struct session session
    = { .prove = prove, .output = &output, .random = prove->seed };
  struct profile_error err;
  bool is_done = run_all (&session, &err);
  terminal_progress_end ();
  output_check_end (&output, prove);
  free (session.order);
  if (session.interruption != 0)
    {
      diagnostics_note ("ended by signal %d (%s) in run %zu of %zu",
			session.interruption, strsignal (session.interruption),
			session.done, session.total);
      prove_release (prove);
      process_run_end_by (session.interruption);
    }
  if (!is_done)
    diagnostics_error (&err);
  process_run_stop ();
  return is_done;
}

void
prove_release (struct prove *prove)
{
  for (size_t i = 0; i < prove->variant_count; i++)
    {
      struct prove_variant *variant = &prove->variants[i];
      for (int measure = 0; measure < PROVE_MEASURES; measure++)
	free (variant->results[measure].values);
      free (variant->words);
      free (variant->text);
      free (variant->name);
    }
  free (prove->variants);
  prove->variants = NULL;
  prove->variant_count = 0;
}
