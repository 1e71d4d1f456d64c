/* Parallel reading of inputs into a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each worker has its own profile and takes one input after another.  When none
   are left, it merges its profile with that of another finished worker, and so
   on, so that merging is parallel, too; the last remaining profile is the
   result.  Merging is associative and commutative, so the result does not
   depend on which worker took what.  */

#include "input-reading.h"
#include "terminal.h"
#include <pthread.h>
#include <stdlib.h>

struct worker
{
  struct input_workers *all;
  struct input_reading reading;
  pthread_t thread;
  bool has_thread;
};

struct input_workers
{
  pthread_mutex_t lock; /* guards the members below, except OPTIONS */
  struct input *inputs;
  size_t count;
  size_t next;		   /* next input to take */
  struct profile *waiting; /* profile of a finished worker, or NULL */
  bool has_failed;
  const struct profile_inputs *options;
};

/* Return the next input; NULL if there is none, or after a failure.  */
static struct input *
take_input (struct input_workers *all)
{
  struct input *taken = NULL;
  pthread_mutex_lock (&all->lock);
  while (taken == NULL && all->next < all->count && !all->has_failed)
    {
      struct input *input = &all->inputs[all->next++];
      if (input_counts (input))
	taken = input;
    }
  pthread_mutex_unlock (&all->lock);
  return taken;
}

static void
fail (struct input_workers *all)
{
  pthread_mutex_lock (&all->lock);
  all->has_failed = true;
  pthread_mutex_unlock (&all->lock);
}

/* Leave PROFILE for another worker and return NULL; or, if one is waiting,
   return that.  */
static struct profile *
leave_or_take (struct input_workers *all, struct profile *profile)
{
  pthread_mutex_lock (&all->lock);
  struct profile *other = all->waiting;
  all->waiting = other == NULL ? profile : NULL;
  pthread_mutex_unlock (&all->lock);
  return other;
}

static void
reduce (struct worker *worker)
{
  struct profile_error ignored;
  struct profile *profile = worker->reading.profile;
  struct profile *other;
  worker->reading.profile = NULL;
  while ((other = leave_or_take (worker->all, profile)) != NULL)
    {
      if (!profile_merge (profile, other, &ignored))
	fail (worker->all);
      profile_free (other);
    }
}

static void *
work (void *data)
{
  struct worker *worker = data;
  struct input_workers *all = worker->all;
  struct profile_error ignored;
  struct input *input;
  while ((input = take_input (all)) != NULL)
    {
      struct diagnostics_lines *outer = diagnostics_hold (&input->lines);
      if (!input_reading_fold (&worker->reading, input,
			       all->options->failure_mode, &ignored))
	fail (all);
      diagnostics_hold (outer);
      if (!worker->has_thread)
	terminal_progress ("files", (size_t) (input - all->inputs), all->count);
    }
  /* Otherwise the profile would be freed before its symbolizer.  */
  profile_symbolizer_free (worker->reading.symbolizer);
  worker->reading.symbolizer = NULL;
  reduce (worker);
  return NULL;
}

/* Run the COUNT WORKERS, the first in this thread, until all are done.  */
static void
run_workers (struct worker *workers, size_t count)
{
  for (size_t i = 1; i < count; i++)
    {
      workers[i].has_thread = true;
      if (pthread_create (&workers[i].thread, NULL, work, &workers[i]) != 0)
	workers[i].has_thread = false;
    }
  work (&workers[0]);
  for (size_t i = 1; i < count; i++)
    if (workers[i].has_thread)
      pthread_join (workers[i].thread, NULL);
  terminal_progress_end ();
}

/* Release the COUNT WORKERS and profiles that were not taken.  */
static void
release_workers (struct worker *workers, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      profile_free (workers[i].reading.profile);
      input_reading_release (&workers[i].reading);
    }
}

static void
print_lines (struct input *inputs, size_t count)
{
  for (size_t i = 0; i < count; i++)
    diagnostics_print_lines (&inputs[i].lines);
}

struct profile *
input_workers_read (struct input *inputs, size_t count,
		    const struct profile_inputs *options,
		    struct address_names *names, unsigned int threads)
{
  struct input_workers all
    = { .inputs = inputs, .count = count, .options = options };
  struct worker *workers = calloc (threads, sizeof *workers);
  struct profile_error ignored;
  if (workers == NULL)
    return NULL;
  pthread_mutex_init (&all.lock, NULL);
  for (size_t i = 0; i < threads; i++)
    {
      workers[i].all = &all;
      if (!input_reading_init (&workers[i].reading, options, names, &ignored))
	all.has_failed = true;
    }
  if (!all.has_failed)
    run_workers (workers, threads);
  if (all.has_failed)
    {
      profile_free (all.waiting);
      all.waiting = NULL;
    }
  else
    print_lines (inputs, count);
  release_workers (workers, threads);
  pthread_mutex_destroy (&all.lock);
  free (workers);
  return all.waiting;
}
