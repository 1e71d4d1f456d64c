/* Waiting while a process is being profiled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TARGET_WAIT_H
#define HEAPPROF_TARGET_WAIT_H

#include "profile-error.h"
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct target_wait
{
  int process; /* refers to the process, also after its ID is reused */
  int signals;
  sigset_t mask; /* before */
};

enum target_state
{
  TARGET_RUNS,
  TARGET_ENDED
};

/* From now on, signals that are to end this command only end the wait for
   process PID.  Return false and set *ERR on failure.  */
bool target_wait_start (struct target_wait *wait, pid_t pid,
			struct profile_error *err);

/* Wait until the process has ended, a signal arrives, or SECONDS have passed;
   0: no limit.  */
enum target_state target_wait (struct target_wait *wait, double seconds);

/* Let signals end this command again.  */
void target_wait_end (struct target_wait *wait);

#endif /* HEAPPROF_TARGET_WAIT_H */
