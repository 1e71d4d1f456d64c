/* Waiting while a process is being profiled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "target-wait.h"
#include "monotonic-time.h"
#include "settle-threads.h"
#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Threads that stopped too late are released at least this often.  */
#define STEP_MS 100

static const int ending_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

bool
target_wait_start (struct target_wait *wait, pid_t pid,
		   struct profile_error *err)
{
  sigset_t signals;
  sigemptyset (&signals);
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
    sigaddset (&signals, ending_signals[i]);
  *wait = (struct target_wait){
    .process = (int) syscall (SYS_pidfd_open, pid, 0),
    .signals = signalfd (-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK),
  };
  if (wait->process < 0 || wait->signals < 0)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "process %ld: %s", (long) pid,
			      errno == ESRCH ? "no such process"
					     : "cannot wait for it");
  sigprocmask (SIG_BLOCK, &signals, &wait->mask);
  return true;
}

enum target_state
target_wait (struct target_wait *wait, double seconds)
{
  const double end_s = monotonic_time_s () + seconds;
  struct pollfd polled[] = { { .fd = wait->process, .events = POLLIN },
			     { .fd = wait->signals, .events = POLLIN } };
  for (;;)
    {
      int step_ms = STEP_MS;
      const double left_s = end_s - monotonic_time_s ();
      if (seconds > 0 && left_s * 1000 < step_ms)
	step_ms = left_s > 0 ? (int) (left_s * 1000) + 1 : 0;
      poll (polled, 2, step_ms);
      remote_threads_settle ();
      if ((polled[0].revents & POLLIN) != 0)
	return TARGET_ENDED;
      if ((polled[1].revents & POLLIN) != 0
	  || (seconds > 0 && monotonic_time_s () >= end_s))
	return TARGET_RUNS;
    }
}

void
target_wait_end (struct target_wait *wait)
{
  struct signalfd_siginfo taken;
  while (read (wait->signals, &taken, sizeof taken) > 0)
    continue;
  close (wait->signals);
  close (wait->process);
  sigprocmask (SIG_SETMASK, &wait->mask, NULL);
}
