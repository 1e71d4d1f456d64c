/* Whether a stopped thread may load a library now.
   SPDX-License-Identifier: GPL-3.0-or-later

   The dynamic linker allocates memory and takes locks.  A thread that is inside
   an allocator or the dynamic linker, or is about to fork, may hold these
   itself.  So every frame of its stack must be known not to be there.  Much of
   the C library allocates, so of that only functions that wait for something
   are accepted, and those that have called the program.  */

#ifndef HEAPPROF_SAFE_POINT_H
#define HEAPPROF_SAFE_POINT_H

#include "process-view.h"
#include <stdbool.h>
#include <sys/types.h>

/* What the thread is to do.  */
enum thread_task
{
  TASK_LOAD,  /* load the library and call it */
  TASK_DETACH /* call the library, which allocates nothing */
};

/* Return true if THREAD, which this process has stopped, can do TASK.  */
bool safe_point_reached (struct process_view *view, pid_t thread,
			 enum thread_task task);

#endif /* HEAPPROF_SAFE_POINT_H */
