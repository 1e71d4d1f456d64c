/* Whether a running process can be profiled from now on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TARGET_CHECK_H
#define HEAPPROF_TARGET_CHECK_H

#include "profile-error.h"
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct target
{
  pid_t pid;
  uid_t user;
  gid_t group;
  char program[PATH_MAX]; /* its file's path */
};

/* Describe process PID in *TARGET.  Return false and set *ERR if it cannot be
   profiled.  LIBRARY is the library that it would have to load;
   IGNORES_SECCOMP: even if a filter of system calls might end it.  */
bool target_check (struct target *target, pid_t pid, const char *library,
		   bool ignores_seccomp, struct profile_error *err);

/* Return true if TARGET sees the file PATH under that name.  */
bool target_sees (const struct target *target, const char *path);

/* Return true if process PID has mapped a file whose name, without folders,
   starts with NAME, at ADDRESS; anywhere if that is 0.  */
bool target_maps (pid_t pid, const char *name, uint64_t address);

/* Set *ERR to why PID may not be traced.  Return false.  */
bool target_set_refused (pid_t pid, struct profile_error *err);

#endif /* HEAPPROF_TARGET_CHECK_H */
