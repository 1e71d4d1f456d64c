/* Work beside other work.
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
