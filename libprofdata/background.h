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

/* Begin WORK on DATA.  Without a thread, because it is not WORTH_A_THREAD, there
   is one processor only, or none can be had, it is done when it is waited for.
   WORK must not change what others read meanwhile.  */
void background_begin (struct background *background, background_work *work,
		       void *data, bool worth_a_thread);

/* Wait until it is done; once for each begin.  */
void background_end (struct background *background);

#endif /* HEAPPROF_BACKGROUND_H */
