/* Stopping the other threads for a moment, to copy the program's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "stop.h"
#include "sys-process.h"
#include "sys.h"
#include <errno.h>

/* The tracer gives up if the threads have not stopped after this time.  */
#define PATIENCE_NS UINT64_C (2000000000)

/* A thread that was seized, and the signal to give it when it continues.  */
struct traced
{
  pid_t thread;
  int signal;
};

#define TRACED_MAX 4096u

static struct
{
  struct rt_threads *threads;
  struct traced *of;
  unsigned count;
  pid_t process, requester;
  uint64_t end_ns;
  pid_t helper; /* the result */
} tracer;

static bool
is_traced (pid_t thread)
{
  for (unsigned i = 0; i < tracer.count; i++)
    if (tracer.of[i].thread == thread)
      return true;
  return false;
}

/* Wait until THREAD, which was interrupted, has stopped.  Return 0, 1 if it has
   ended, or a negative errno.  */

static int
wait_for_stop (struct traced *traced)
{
  int status;
  for (;;)
    {
      const int found = sys_trace_wait (traced->thread, &status);
      if (found < 0)
	return found == -ECHILD ? 1 : found;
      if (found > 0)
	break;
      if (sys_steady_ns () >= tracer.end_ns)
	return -ETIMEDOUT;
      sys_sleep_us (20);
    }
  if ((status & 0xff) != 0x7f)
    return 1;
  /* Either the stop that was asked for, or one before the delivery of a
     signal.  */
  traced->signal = status >> 16 != 0 ? 0 : status >> 8 & 0xff;
  return 0;
}

/* Stop THREAD and note its registers.  Return 1, 0 if it has ended, or a
   negative errno.  */

static int
stop (pid_t thread)
{
  struct rt_threads *const threads = tracer.threads;
  if (tracer.count == TRACED_MAX || threads->count == threads->room)
    return -E2BIG;
  int error = sys_trace_seize (thread);
  if (error != 0)
    return error == -ESRCH ? 0 : error;
  struct traced *const traced = &tracer.of[tracer.count++];
  *traced = (struct traced){ .thread = thread };
  error = wait_for_stop (traced);
  if (error == 0)
    error = rt_roots_read_thread (thread, &threads->of[threads->count]);
  if (error == 0)
    threads->count++;
  return error >= 0 || error == -ESRCH ? 1 : error;
}

/* Stop THREAD, unless it is the requester or has been stopped.  DATA
   counts new ones, or has a negative errno.  */

static void
look_at (pid_t thread, void *data)
{
  int *const result = data;
  if (*result < 0 || thread == tracer.requester || is_traced (thread))
    return;
  const int stopped = stop (thread);
  *result = stopped < 0 ? stopped : *result + stopped;
}

/* Stop all threads: until there are no new ones.  */

static int
stop_all (void)
{
  int result;
  do
    {
      result = 0;
      const int error = sys_visit_threads (tracer.process, look_at, &result);
      if (error != 0)
	return error;
    }
  while (result > 0);
  return result;
}

static void
trace (void *data)
{
  (void) data;
  const int error = stop_all ();
  tracer.helper = error < 0 ? error : sys_fork_helper_beside ();
  if (tracer.helper == 0)
    return;
  for (unsigned i = 0; i < tracer.count; i++)
    sys_trace_end (tracer.of[i].thread, tracer.of[i].signal);
}

pid_t
rt_stop_and_fork (struct rt_threads *threads)
{
  tracer.threads = threads;
  tracer.of = sys_map (TRACED_MAX * sizeof *tracer.of);
  if (tracer.of == NULL)
    return -ENOMEM;
  tracer.count = 0;
  tracer.process = sys_pid ();
  tracer.requester = sys_thread_id ();
  tracer.end_ns = sys_steady_ns () + PATIENCE_NS;
  tracer.helper = -ECHILD;
  const bool was_allowed = sys_allow_tracing (true);
  const pid_t process = sys_share_and_wait (trace, NULL);
  if (process != 0 && was_allowed)
    sys_allow_tracing (false);
  if (process == 0)
    return 0;
  const pid_t helper = process < 0 ? process : tracer.helper;
  if (process > 0)
    sys_wait_for_helper (process);
  sys_unmap (tracer.of, TRACED_MAX * sizeof *tracer.of);
  return helper;
}

static void
count_thread (pid_t thread, void *data)
{
  (void) thread;
  ++*(unsigned *) data;
}

bool
rt_stop_is_needed (void)
{
  unsigned count = 0;
  return sys_visit_threads (sys_pid (), count_thread, &count) != 0
	 || count != 1;
}
