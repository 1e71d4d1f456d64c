/* The input files of a command, folded into one profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files are looked at first, to find their kinds and the files of one run;
   then each is read in turn, so that only as many as there are threads are in
   memory.  */

#include "profile-inputs.h"
#include "gcov-inputs.h"
#include "input-reading.h"
#include "terminal.h"
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>

/* A thread of its own pays from so many files on.  */
#define FILES_PER_THREAD 4

/* More threads than this are only made if the user says so: each has a profile
   in memory.  */
#define MOST_DEFAULT_THREADS 8

/* INPUT is invalid.  If MODE lets that be, print *ERR and leave INPUT out.  */
static bool
leave_out (struct input *input, enum failure_mode mode,
	   const struct profile_error *err)
{
  if (mode == FAILURE_ANY)
    return false;
  diagnostics_left_out (err);
  input->is_left_out = true;
  return true;
}

/* Find out what the files of LIST are.  Those that are invalid are left out, or
   make this fail with *ERR.  */
static bool
identify_inputs (struct input *inputs, const struct input_list *list,
		 enum failure_mode mode, struct profile_error *err)
{
  for (size_t i = 0; i < list->count; i++)
    if (!input_identify (&inputs[i], &list->files[i], err)
	&& !leave_out (&inputs[i], mode, err))
      return false;
  return true;
}

/* Find the COUNT INPUTS that are not the newest of their run, likewise.  */
static bool
identify_runs (struct input *inputs, size_t count, enum failure_mode mode,
	       struct profile_error *err)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += !inputs[i].is_left_out && inputs[i].kind->has_runs;
  if (n < 2)
    return true;
  for (size_t i = 0; i < count; i++)
    if (!inputs[i].is_left_out && inputs[i].kind->has_runs
	&& !input_identify_run (&inputs[i], err)
	&& !leave_out (&inputs[i], mode, err))
      return false;
  if (!input_runs_find_newest (inputs, count))
    return profile_error_set_memory (err, NULL);
  for (size_t i = 0; i < count; i++)
    if (inputs[i].newer != NULL)
      diagnostics_note ("%s: not counted: %s is a newer state of the same run",
			inputs[i].source.path, inputs[i].newer->source.path);
  return true;
}

/* Fold the COUNT INPUTS one after the other into a new profile.  NULL and
   *ERR if that fails.  */
static struct profile *
read_in_turn (struct input *inputs, size_t count,
	      const struct profile_inputs *options, struct profile_error *err)
{
  struct input_reading reading;
  bool is_done = input_reading_init (&reading, options, err);
  for (size_t i = 0; i < count && is_done; i++)
    {
      if (inputs[i].is_left_out || inputs[i].newer != NULL)
	continue;
      if (count > 1)
	terminal_progress ("files", i, count);
      is_done = input_reading_fold (&reading, &inputs[i],
				    options->failure_mode, err);
    }
  terminal_progress_end ();
  if (is_done)
    input_reading_warn_of_unused (options, &reading, 1);
  input_reading_release (&reading);
  if (is_done)
    return reading.profile;
  profile_free (reading.profile);
  return NULL;
}

/* How many threads are to read COUNT files.  */
static unsigned int
choose_threads (const struct profile_inputs *inputs, size_t count)
{
  cpu_set_t cpus;
  size_t threads = inputs->threads;
  if (threads == 0)
    {
      threads = sched_getaffinity (0, sizeof cpus, &cpus) == 0
		  ? (size_t) CPU_COUNT (&cpus) : 1;
      if (threads > MOST_DEFAULT_THREADS)
	threads = MOST_DEFAULT_THREADS;
      if (threads > count / FILES_PER_THREAD)
	threads = count / FILES_PER_THREAD;
    }
  return threads > count ? (unsigned int) count : (unsigned int) threads;
}

/* Fold the COUNT INPUTS, which have been identified.  What fails with several
   threads, for want of memory or because of some input, is done again with one:
   that needs less memory, and finds the same error whatever the threads did.  */
static struct profile *
read_inputs (struct input *inputs, size_t count,
	     const struct profile_inputs *options, struct profile_error *err)
{
  unsigned int threads = choose_threads (options, count);
  struct profile *profile = NULL;
  if (threads > 1)
    {
      profile = input_workers_read (inputs, count, options, threads);
      for (size_t i = 0; profile == NULL && i < count; i++)
	inputs[i].is_left_out = inputs[i].kind == NULL;
    }
  if (profile == NULL)
    profile = read_in_turn (inputs, count, options, err);
  return profile;
}

static bool
have_all_failed (const struct input *inputs, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!inputs[i].is_left_out)
      return false;
  return true;
}

/* Read the files of LIST into a new profile.  NULL and *ERR if that fails.  */
static struct profile *
read_list (const struct input_list *list,
	   const struct profile_inputs *options, struct profile_error *err)
{
  size_t count = list->count;
  struct profile *profile = NULL;
  struct input *inputs = calloc (count + 1, sizeof *inputs);
  if (inputs == NULL)
    profile_error_set_memory (err, NULL);
  else if (identify_inputs (inputs, list, options->failure_mode, err)
	   && identify_runs (inputs, count, options->failure_mode, err))
    profile = read_inputs (inputs, count, options, err);
  if (profile != NULL && options->failure_mode == FAILURE_ALL
      && have_all_failed (inputs, count))
    {
      profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			 "no profile is valid");
      profile_free (profile);
      profile = NULL;
    }
  for (size_t i = 0; inputs != NULL && i < count; i++)
    input_release (&inputs[i]);
  free (inputs);
  return profile;
}

struct profile *
profile_inputs_read (const struct profile_inputs *inputs)
{
  struct profile_error err;
  struct input_list own = { 0 };
  const struct input_list *list = inputs->list != NULL ? inputs->list : &own;
  struct profile *profile = NULL;
  if (inputs->list != NULL
      || input_list_add_all (&own, inputs->paths, inputs->path_count, &err))
    profile = read_list (list, inputs, &err);
  if (profile != NULL && !profile_name_functions (profile))
    {
      profile_error_set_memory (&err, NULL);
      profile_free (profile);
      profile = NULL;
    }
  if (profile != NULL)
    gcov_inputs_report (profile);
  else
    diagnostics_error (&err);
  input_list_free (&own);
  /* Debug information takes much memory, and writing wants it.  */
  malloc_trim (0);
  return profile;
}
