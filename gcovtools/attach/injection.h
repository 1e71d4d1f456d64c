/* Loading the library into a running process, and calling it.
   SPDX-License-Identifier: GPL-3.0-or-later

   One thread of the process does the work, at a moment when it can (see
   safe-point.h).  It gets a stack for that.  */

#ifndef HEAPPROF_INJECTION_H
#define HEAPPROF_INJECTION_H

#include "profile-error.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct injection
{
  pid_t pid;
  uint64_t detach; /* address of the function that detaches */
};

enum injection_end
{
  INJECTION_DONE,
  INJECTION_FAILED, /* *ERR says why */
  INJECTION_GONE    /* the process has ended */
};

/* Return false and set *ERR if that is not written for this machine.  */
bool injection_check_machine (struct profile_error *err);

/* Load LIBRARY into process PID and let it start a profile with OPTIONS.  Try
   for SECONDS to find a thread that can do that.  */
enum injection_end injection_attach (struct injection *injection, pid_t pid,
				     const char *library, const char *options,
				     double seconds, struct profile_error *err);

/* Let the library complete the profile, and the process run as before.  Try for
   SECONDS.  */
enum injection_end injection_detach (const struct injection *injection,
				     double seconds, struct profile_error *err);

#endif /* HEAPPROF_INJECTION_H */
