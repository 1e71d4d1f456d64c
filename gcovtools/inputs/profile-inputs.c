/* Reading the input files of a command into one profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   All files are inspected first, to find their kinds and files of the same run;
   then each is read in turn, so that only as many files as there are threads
   are in memory.  */

#include "profile-inputs.h"
#include "address-names.h"
#include "debug-server.h"
#include "gcov-inputs.h"
#include "heap-calibrate.h"
#include "input-reading.h"
#include "large-heap.h"
#include "terminal.h"
#include "symbolize-profile.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* An additional thread pays off for this many files.  */
#define FILES_PER_THREAD 4

/* How many inputs processes exchange at a time.  */
#define SAMPLES_AT_ONCE 256

/* Use more threads than this only on request: each has a profile in memory.  */
#define MOST_DEFAULT_THREADS 8

/* Whether a binary named by the user was used.  */
struct binary_use
{
  bool is_used;
  char why[PROFILE_ERROR_CAUSE_BYTES]; /* reason if not; may be empty */
};

/* Handle the invalid INPUT: if MODE tolerates it, print *ERR, skip INPUT and
   return true.  */
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

/* Set up INPUTS from the files of LIST, including their paths, and distribute
   the files to the processes of GROUP.  */
static void
deal_inputs (struct input *inputs, const struct input_list *list,
	     const struct process_group *group)
{
  for (size_t i = 0; i < list->count; i++)
    {
      inputs[i].file = &list->files[i];
      inputs[i].source.path = list->files[i].path;
      inputs[i].is_elsewhere = group != NULL && i % group->count != group->rank;
    }
}

/* Determine the kinds of the files of LIST.  Skip invalid files, or return
   false and set *ERR, depending on MODE.  */
static bool
identify_inputs (struct input *inputs, const struct input_list *list,
		 enum failure_mode mode, struct profile_error *err)
{
  for (size_t i = 0; i < list->count; i++)
    if (!inputs[i].is_elsewhere
	&& !input_identify (&inputs[i], &list->files[i], err)
	&& !leave_out (&inputs[i], mode, err))
      return false;
  return true;
}

/* Assign those of the COUNT INPUTS that are sample profiles to the first
   process of GROUP: no file format can hold all of a sample profile, so it
   cannot be sent.  Return false and set *ERR if it cannot read them and MODE
   does not tolerate that.  */
static bool
collect_samples (struct input *inputs, size_t count,
		 const struct process_group *group, enum failure_mode mode,
		 struct profile_error *err)
{
  bool are_samples[SAMPLES_AT_ONCE];
  bool is_done = true;
  for (size_t i = 0; i < count; i++)
    {
      size_t place = i % SAMPLES_AT_ONCE;
      if (place == 0)
	{
	  size_t n = count - i < SAMPLES_AT_ONCE ? count - i : SAMPLES_AT_ONCE;
	  for (size_t j = 0; j < n; j++)
	    are_samples[j]
	      = inputs[i + j].kind != NULL && inputs[i + j].kind->has_samples;
	  group->combine (are_samples, n * sizeof *are_samples);
	}
      if (!are_samples[place])
	continue;
      inputs[i].is_elsewhere = group->rank != 0;
      if (group->rank == 0 && inputs[i].kind == NULL && is_done)
	is_done = input_identify (&inputs[i], inputs[i].file, err)
		  || leave_out (&inputs[i], mode, err);
    }
  return is_done;
}

static bool
may_be_of_a_run (const struct input *input)
{
  return input_counts (input) && input->kind->has_runs;
}

/* Identify the runs of the COUNT INPUTS if two may belong to the same run.
   Skip invalid files, or return false and set *ERR.  */
static bool
identify_runs (struct input *inputs, size_t count,
	       const struct profile_inputs *options, struct profile_error *err)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += may_be_of_a_run (&inputs[i]);
  if (n < 2 && options->group == NULL)
    return true;
  for (size_t i = 0; i < count; i++)
    if (may_be_of_a_run (&inputs[i]) && !input_identify_run (&inputs[i], err)
	&& !leave_out (&inputs[i], options->failure_mode, err))
      return false;
  return true;
}

/* Find those of the COUNT INPUTS that are not the newest of their run.  Return
   false and set *ERR if memory is exhausted.  */
static bool
find_newest (struct input *inputs, size_t count,
	     const struct process_group *group, struct profile_error *err)
{
  if (group != NULL)
    input_runs_share (inputs, count, group);
  if (!input_runs_find_newest (inputs, count))
    return profile_error_set_memory (err, NULL);
  for (size_t i = 0; i < count && process_group_is_first (group); i++)
    if (inputs[i].newer != NULL)
      diagnostics_note ("%s: ignored: %s is a newer file of the same run",
			inputs[i].source.path, inputs[i].newer->source.path);
  return true;
}

/* Read the COUNT INPUTS one after another into a new profile.  Return NULL and
   set *ERR on failure.  */
static struct profile *
read_in_turn (struct input *inputs, size_t count,
	      const struct profile_inputs *options, struct address_names *names,
	      struct profile_error *err)
{
  struct input_reading reading;
  bool is_done = input_reading_init (&reading, options, names, err);
  for (size_t i = 0; i < count && is_done; i++)
    {
      if (!input_counts (&inputs[i]))
	continue;
      if (count > 1)
	terminal_progress ("files", i, count);
      is_done
	= input_reading_fold (&reading, &inputs[i], options->failure_mode, err);
    }
  terminal_progress_end ();
  input_reading_release (&reading);
  if (is_done)
    return reading.profile;
  profile_free (reading.profile);
  return NULL;
}

/* Return the maximum number of threads.  */
static unsigned int
most_threads (const struct profile_inputs *inputs)
{
  cpu_set_t cpus;
  if (inputs->threads > 0)
    return inputs->threads;
  if (inputs->group != NULL || sched_getaffinity (0, sizeof cpus, &cpus) != 0)
    return 1;
  unsigned int count = (unsigned int) CPU_COUNT (&cpus);
  return count < MOST_DEFAULT_THREADS ? count : MOST_DEFAULT_THREADS;
}

/* Return how many of MOST threads should read COUNT files.  */
static unsigned int
choose_readers (const struct profile_inputs *inputs, unsigned int most,
		size_t count)
{
  size_t readers = most;
  if (inputs->threads == 0 && inputs->group == NULL
      && readers > count / FILES_PER_THREAD)
    readers = count / FILES_PER_THREAD;
  if (readers > count)
    readers = count;
  return readers > 0 ? (unsigned int) readers : 1;
}

static void
show_fetched (size_t done, size_t total)
{
  if (total > 0)
    terminal_progress ("bytes of debug information", done, total);
}

/* Make a store of names that searches the binaries of INPUTS first.  Return
   NULL and set *ERR if one cannot be used or memory is exhausted.  */
static struct address_names *
make_names (const struct profile_inputs *inputs, struct profile_error *err)
{
  struct address_names *names = address_names_new (inputs->debug_directories);
  debug_server_set_progress (show_fetched);
  bool is_done = names != NULL || profile_error_set_memory (err, NULL);
  for (size_t i = 0; i < inputs->binary_count && is_done; i++)
    is_done = address_names_add_binary (names, inputs->binaries[i], err);
  if (is_done)
    return names;
  address_names_free (names);
  return NULL;
}

/* Set USES [i] for each binary of INPUTS that NAMES used.  */
static void
find_used (const struct profile_inputs *inputs,
	   const struct address_names *names, struct binary_use *uses)
{
  for (size_t i = 0; i < inputs->binary_count; i++)
    {
      const char *path;
      const char *why;
      uses[i].is_used = true;
      for (size_t j = 0; (path = address_names_unused (names, j, &why)) != NULL;
	   j++)
	if (path == inputs->binaries[i])
	  {
	    uses[i].is_used = false;
	    snprintf (uses[i].why, sizeof uses[i].why, "%s", why);
	  }
    }
}

/* Return true if unnamed addresses in profiles should be looked up again.  That
   takes time and makes output depend on the machine, so the user must ask for
   it.  */
static bool
looks_again (const struct profile_inputs *options)
{
  return options->looks_again || options->binary_count > 0
	 || options->debug_directories != NULL;
}

/* Read the COUNT INPUTS, which have been identified.  If reading with several
   threads fails, for lack of memory or because of an input, repeat it with one:
   that needs less memory and reports the same error regardless of timing.  */
static struct profile *
read_inputs (struct input *inputs, size_t count,
	     const struct profile_inputs *options, struct binary_use *uses,
	     struct profile_error *err)
{
  unsigned int most = most_threads (options);
  unsigned int readers = choose_readers (options, most, count);
  struct address_names *names = make_names (options, err);
  struct profile *profile = NULL;
  if (names == NULL)
    return NULL;
  if (readers > 1)
    {
      address_names_set_threads (names, readers, (most - 1) / readers + 1);
      profile = input_workers_read (inputs, count, options, names, readers);
      for (size_t i = 0; profile == NULL && i < count; i++)
	inputs[i].is_left_out = inputs[i].kind == NULL;
    }
  if (profile == NULL)
    {
      address_names_set_threads (names, 1, most);
      profile = read_in_turn (inputs, count, options, names, err);
    }
  if (profile != NULL && profile->heap != NULL && looks_again (options)
      && !symbolize_late (&profile->heap, names))
    {
      profile_error_set_memory (err, NULL);
      profile_free (profile);
      profile = NULL;
    }
  if (debug_server_problem () != NULL)
    diagnostics_warning ("%s", debug_server_problem ());
  find_used (options, names, uses);
  address_names_free (names);
  return profile;
}

/* Return true if any of the COUNT INPUTS is valid, here or in another process
   of GROUP.  */
static bool
is_any_valid (const struct input *inputs, size_t count,
	      const struct process_group *group)
{
  unsigned char is_any = 0;
  for (size_t i = 0; i < count; i++)
    is_any |= !inputs[i].is_elsewhere && !inputs[i].is_left_out;
  if (group != NULL)
    group->combine (&is_any, 1);
  return is_any != 0;
}

/* Warn of binaries that no process of the group used; USES has this
   process's.  */
static void
warn_of_unused (const struct profile_inputs *options, struct binary_use *uses)
{
  for (size_t i = 0; i < options->binary_count; i++)
    {
      if (options->group != NULL)
	options->group->combine (&uses[i].is_used, sizeof uses[i].is_used);
      if (!uses[i].is_used && process_group_is_first (options->group))
	diagnostics_warning ("%s: %s", options->binaries[i],
			     *uses[i].why != '\0'
			       ? uses[i].why
			       : "no calling context uses this file");
    }
}

/* Read the COUNT INPUTS, made from LIST, into *PROFILE, initially NULL, and
   merge the profiles of other processes of the group into it.  Set USES for the
   binaries.  Return false and set *ERR if any process fails.  */
static bool
read_dealt (struct input *inputs, const struct input_list *list,
	    const struct profile_inputs *options, struct binary_use *uses,
	    struct profile **profile, struct profile_error *err)
{
  const struct process_group *group = options->group;
  enum failure_mode mode = options->failure_mode;
  size_t count = list->count;
  bool is_done = inputs != NULL && uses != NULL;
  if (is_done)
    {
      deal_inputs (inputs, list, group);
      is_done = identify_inputs (inputs, list, mode, err)
		&& identify_runs (inputs, count, options, err);
    }
  else
    profile_error_set_memory (err, NULL);
  if (!process_group_agree (group, is_done, err))
    return false;
  if (group != NULL)
    is_done = collect_samples (inputs, count, group, mode, err);
  if (find_newest (inputs, count, group, err) && is_done)
    *profile = read_inputs (inputs, count, options, uses, err);
  if (!process_group_agree (group, *profile != NULL, err))
    return false;
  warn_of_unused (options, uses);
  if (mode == FAILURE_ALL && !is_any_valid (inputs, count, group))
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "no valid profile");
  is_done = group == NULL || group->reduce (*profile, err);
  if ((*profile)->heap != NULL)
    heap_profile_drop_index ((*profile)->heap);
  if (is_done && process_group_is_first (group)
      && !profile_name_functions (*profile))
    is_done = profile_error_set_memory (err, NULL);
  return process_group_agree (group, is_done, err);
}

/* Count those of the COUNT INPUTS that were skipped, if OPTIONS ask for it.  */
static void
count_left_out (const struct input *inputs, size_t count,
		const struct profile_inputs *options)
{
  for (size_t i = 0; i < count && options->left_out != NULL; i++)
    *options->left_out += inputs[i].is_left_out;
}

/* Read the files of LIST into a new profile.  Return NULL and set *ERR if any
   process fails.  */
static struct profile *
read_list (const struct input_list *list, const struct profile_inputs *options,
	   struct profile_error *err)
{
  struct profile *profile = NULL;
  struct input *inputs = calloc (list->count + 1, sizeof *inputs);
  struct binary_use *uses = calloc (options->binary_count + 1, sizeof *uses);
  if (!read_dealt (inputs, list, options, uses, &profile, err))
    {
      profile_free (profile);
      profile = NULL;
    }
  else
    count_left_out (inputs, list->count, options);
  for (size_t i = 0; inputs != NULL && i < list->count; i++)
    input_release (&inputs[i]);
  free (inputs);
  free (uses);
  return profile;
}

struct profile *
profile_inputs_read (const struct profile_inputs *inputs)
{
  struct profile_error err;
  struct profile_inputs options = *inputs;
  struct input_list own = { .left_out = inputs->left_out };
  const struct input_list *list = inputs->list != NULL ? inputs->list : &own;
  bool is_first = process_group_is_first (inputs->group);
  struct profile *profile = NULL;
  large_heap_prepare (inputs->paths, inputs->path_count);
  if (inputs->list != NULL
      || input_list_add_all (&own, inputs->paths, inputs->path_count, &err))
    {
      if (inputs->left_out != NULL && list->count == 1)
	options.failure_mode = FAILURE_ANY;
      profile = read_list (list, &options, &err);
    }
  if (profile != NULL && is_first)
    gcov_inputs_report (profile);
  else if (profile == NULL && is_first)
    diagnostics_error (&err);
  input_list_free (&own);
  return profile;
}

struct profile *
profile_inputs_read_to_show (const struct profile_inputs *inputs)
{
  struct profile_error err;
  struct profile *profile = profile_inputs_read (inputs);
  if (profile != NULL && profile->heap != NULL)
    heap_calibrate (profile->heap);
  if (profile == NULL || profile->gcov == NULL)
    return profile;
  struct counter_profile *counters = profile_all_counters (profile, &err);
  if (counters == NULL)
    {
      diagnostics_error (&err);
      profile_free (profile);
      return NULL;
    }
  counter_profile_free (profile->counters);
  profile->counters = counters;
  return profile;
}
