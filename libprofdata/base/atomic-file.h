/* Output files that appear complete or not at all.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ATOMIC_FILE_H
#define HEAPPROF_ATOMIC_FILE_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Write the SIZE bytes at DATA to the file PATH.  They go to PATH.tmp.PID
     first, are made durable, and are renamed to PATH, which stays untouched
     until then.  If PATH is a symbolic link, the file it points to is replaced.
     If PATH exists and is not a regular file (/dev/stdout, a pipe), it is
     written directly.  Return false and set *ERR on failure; the temporary file
     is removed.  */
  bool atomic_file_write (const char *path, const void *data, size_t size,
			  struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_ATOMIC_FILE_H */
