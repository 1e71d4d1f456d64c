/* Finding raw profiles, and putting what is new in them into the queue.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PUSH_PROFILES_H
#define HEAPPROF_PUSH_PROFILES_H

#include "profile-inputs.h"
#include "push-queue.h"
#include "push-settings.h"
#include <stdbool.h>
#include <stddef.h>

struct push_profiles
{
  const struct push_settings *settings;
  struct profile_inputs inputs; /* except the paths */
  char **patterns;		/* of file names */
  size_t pattern_count;
  const char *since;  /* what was sent before; NULL: what QUEUE knows */
  bool follows;	      /* files may appear, and vanish at any time */
  bool skips_running; /* those of running processes: one that was queued could
			 not be told from its next state */
  bool deletes;	      /* files that were queued, except of running processes */
  size_t invalid;     /* files that could not be sent, so far */
  struct seen_file *seen; /* malloced: files that are done with */
  size_t seen_count;
};

/* Add all files that are new to QUEUE, those of each run in their order.  Print
   an error for each that is invalid, once.  Return false, after an error, if
   nothing can be added any more.  */
bool push_profiles_scan (struct push_profiles *profiles,
			 struct push_queue *queue);
void push_profiles_release (struct push_profiles *profiles);

#endif /* HEAPPROF_PUSH_PROFILES_H */
