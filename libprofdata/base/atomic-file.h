/* Output files that are there whole or not at all.
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

  /* Make PATH a file of the SIZE bytes at DATA: they are written to
     PATH.tmp.PID and made durable before that is renamed to PATH, which is
     untouched until then.  If PATH is a symbolic link, what it points at is
     replaced; if it is there and no regular file (/dev/stdout, a pipe), it is
     written to directly. False and *ERR if that fails; the temporary file is
     then gone.  */
  bool atomic_file_write (const char *path, const void *data, size_t size,
			  struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_ATOMIC_FILE_H */
