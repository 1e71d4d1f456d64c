/* The modules and stacks of a running process.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only the files that the process has mapped are read, no separate debug
   information.  */

#ifndef HEAPPROF_PROCESS_VIEW_H
#define HEAPPROF_PROCESS_VIEW_H

#include "profile-error.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_view;

/* Return the view of process PID as it is now.  NULL, and set *ERR, if it
   cannot be made.  */
struct process_view *process_view_open (pid_t pid, struct profile_error *err);
void process_view_close (struct process_view *view);

/* A frame of a stack.  Texts are valid during the call.  */
struct process_frame
{
  const char *module; /* name of its file, without folders; NULL: in none */
  /* The function with the address, if symbols say so; NULL otherwise.  */
  const char *function;
  bool allocates;      /* its module defines malloc */
  bool is_interrupted; /* innermost, or interrupted by a signal handler */
};

/* Call VISIT with DATA for the frames of THREAD, which this process traces and
   has stopped, innermost first, until it returns false.  Return true if all
   frames were visited.  */
bool process_view_walk (struct process_view *view, pid_t thread,
			bool (*visit) (const struct process_frame *frame,
				       void *data),
			void *data);

/* Return the address of the function NAME in the first module whose file name
   starts with MODULE; 0 if there is none.  */
uint64_t process_view_find (struct process_view *view, const char *module,
			    const char *name);

#endif /* HEAPPROF_PROCESS_VIEW_H */
