/* Threads of other processes that stop when nothing waits for them any more.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SETTLE_THREADS_H
#define HEAPPROF_SETTLE_THREADS_H

#include <stdbool.h>
#include <sys/ptrace.h>

/* True if a thread has stopped with STATUS because that was asked for, not for
   a signal.  */
static inline bool
remote_stop_is_event (int status)
{
  return status >> 16 == PTRACE_EVENT_STOP;
}

/* Let threads run on that stopped too late to be waited for.  */
void remote_threads_settle (void);

#endif /* HEAPPROF_SETTLE_THREADS_H */
