/* Work in background threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "background.h"
#include <stddef.h>
#include <unistd.h>

static void *
run (void *data)
{
  const struct background *background = data;
  background->work (background->data);
  return NULL;
}

void
background_begin (struct background *background, background_work *work,
		  void *data, bool worth_a_thread)
{
  background->work = work;
  background->data = data;
  background->has_thread
    = (worth_a_thread && sysconf (_SC_NPROCESSORS_ONLN) > 1
       && pthread_create (&background->thread, NULL, run, background) == 0);
}

void
background_end (struct background *background)
{
  if (background->has_thread)
    pthread_join (background->thread, NULL);
  else
    background->work (background->data);
}

/* ---- Shared work.  */

void
background_shared_init (struct background_shared *shared)
{
  *shared = (struct background_shared){ .helpers = 0 };
  pthread_mutex_init (&shared->lock, NULL);
  pthread_cond_init (&shared->change, NULL);
}

void
background_shared_destroy (struct background_shared *shared)
{
  pthread_cond_destroy (&shared->change);
  pthread_mutex_destroy (&shared->lock);
}

/* Announce WORK on DATA; if WORK is NULL, announce that there is no work and
   wait for the helpers of the previous work to finish.  */
static void
set_work (struct background_shared *shared, background_work *work, void *data)
{
  pthread_mutex_lock (&shared->lock);
  shared->work = work;
  shared->data = data;
  pthread_cond_broadcast (&shared->change);
  while (!work && shared->helpers > 0)
    pthread_cond_wait (&shared->change, &shared->lock);
  pthread_mutex_unlock (&shared->lock);
}

void
background_shared_do (struct background_shared *shared, background_work *work,
		      void *data)
{
  set_work (shared, work, data);
  work (data);
  set_work (shared, NULL, NULL);
}

void
background_shared_end (struct background_shared *shared)
{
  pthread_mutex_lock (&shared->lock);
  shared->is_over = true;
  pthread_cond_broadcast (&shared->change);
  pthread_mutex_unlock (&shared->lock);
}

void
background_shared_help (struct background_shared *shared)
{
  void *last = NULL;
  pthread_mutex_lock (&shared->lock);
  while (!shared->is_over)
    {
      background_work *work = shared->work;
      void *data = shared->data;
      if (!work || data == last)
	{
	  last = work ? last : NULL;
	  pthread_cond_wait (&shared->change, &shared->lock);
	  continue;
	}
      shared->helpers++;
      pthread_mutex_unlock (&shared->lock);
      work (data);
      pthread_mutex_lock (&shared->lock);
      last = data;
      shared->helpers--;
      pthread_cond_broadcast (&shared->change);
    }
  pthread_mutex_unlock (&shared->lock);
}
