/* Stopping the other threads for a moment, to copy the program's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A process that shares the program's memory stops all threads but the calling
   one with ptrace, notes their registers, creates the helper, and lets them
   continue.  The calling thread waits meanwhile, as in vfork.  */

#ifndef HEAPPROF_STOP_H
#define HEAPPROF_STOP_H

#include "roots.h"
#include <stdbool.h>
#include <sys/types.h>

/* The threads of a program.  */
struct rt_threads
{
  struct rt_stopped *of; /* NULL: only the calling one */
  unsigned count;
  unsigned room;
};

/* True if this process has other threads, or if that is unknown.  */
bool rt_stop_is_needed (void);

/* Create a helper (sys_fork_helper) while all other threads are stopped; add
   them to *THREADS, which has room for them.  Return 0 in the helper, its
   process ID or a negative errno in the program.  Signals are blocked.  */
pid_t rt_stop_and_fork (struct rt_threads *threads);

#endif /* HEAPPROF_STOP_H */
