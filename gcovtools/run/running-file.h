/* The raw profile that a running process is writing.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RUNNING_FILE_H
#define HEAPPROF_RUNNING_FILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Store the path of the raw profile that process PID has mapped in PATH, of
   SIZE bytes.  Return false and set *ERR if it has none.  */
bool running_file_find (pid_t pid, char *path, size_t size,
			struct profile_error *err);

#endif /* HEAPPROF_RUNNING_FILE_H */
