/* Work beside other work, in a thread of its own.
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

/* Begin WORK on DATA.  Without a thread, because it is not WORTH_A_THREAD,
   there is one processor only, or none can be had, it is done when it is waited
   for. WORK must not change what others read meanwhile.  */
void background_begin (struct background *background, background_work *work,
		       void *data, bool worth_a_thread);

/* Wait until it is done; once for each begin.  */
void background_end (struct background *background);

/* Work that any number of threads can share: each does parts until none is left
   that nobody has begun.  */
struct background_shared
{
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t change;
  background_work *work; /* NULL: there is none now */
  void *data;
  unsigned int helpers; /* threads that do it beside the one that has
			   it */
  bool is_over;		/* there will be no more */
};

void background_shared_init (struct background_shared *shared);
void background_shared_destroy (struct background_shared *shared);

/* Do WORK on DATA, with all who help.  When this returns all of it is done.  */
void background_shared_do (struct background_shared *shared,
			   background_work *work, void *data);

/* There will be no more work to share.  */
void background_shared_end (struct background_shared *shared);

/* Wait for work and help with it, until there will be no more.  */
void background_shared_help (struct background_shared *shared);

#endif /* HEAPPROF_BACKGROUND_H */
