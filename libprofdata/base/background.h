/* Work in background threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_BACKGROUND_H
#define HEAPPROF_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

typedef void background_work (void *data);

struct background
{
  background_work *work;
  void *data;
  pthread_t thread;
  bool has_thread;
};

/* Start WORK on DATA in a thread.  If it is not WORTH_A_THREAD, if there is
   only one processor, or if no thread can be created, background_end does the
   work.  WORK must not modify data that others read meanwhile.  */
void background_begin (struct background *background, background_work *work,
		       void *data, bool worth_a_thread);

/* Wait until the work is done.  Call once for each background_begin.  */
void background_end (struct background *background);

/* Work shared by any number of threads: each does parts of it until all parts
   are claimed.  */
struct background_shared
{
  pthread_mutex_t lock; /* guards the members below */
  pthread_cond_t change;
  background_work *work; /* NULL: no work at the moment */
  void *data;
  unsigned int helpers; /* threads working besides the owner */
  bool is_over;		/* no more work will come */
};

void background_shared_init (struct background_shared *shared);
void background_shared_destroy (struct background_shared *shared);

/* Do WORK on DATA together with all helpers.  On return all of it is done.  */
void background_shared_do (struct background_shared *shared,
			   background_work *work, void *data);

/* Announce that no more work will come.  */
void background_shared_end (struct background_shared *shared);

/* Wait for work and help with it, until background_shared_end.  */
void background_shared_help (struct background_shared *shared);

#endif /* HEAPPROF_BACKGROUND_H */
