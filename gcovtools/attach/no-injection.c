/* Loading the library into a running process: not on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "injection.h"
#include <stddef.h>

bool
injection_check_machine (struct profile_error *err)
{
  return profile_error_set (
    err, NULL, PROFILE_ERROR_NO_OFFSET,
    "running processes cannot be profiled on " HOST_MACHINE_NAME
    ", only on x86-64; start the "
    "program with `heapprof-gcov run'");
}

enum injection_end
injection_attach (struct injection *injection, pid_t pid, const char *library,
		  const char *options, double seconds,
		  struct profile_error *err)
{
  (void) injection;
  (void) pid;
  (void) library;
  (void) options;
  (void) seconds;
  injection_check_machine (err);
  return INJECTION_FAILED;
}

enum injection_end
injection_detach (const struct injection *injection, double seconds,
		  struct profile_error *err)
{
  (void) injection;
  (void) seconds;
  injection_check_machine (err);
  return INJECTION_FAILED;
}
