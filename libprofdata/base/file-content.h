/* A whole file in memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   Files are read, not mapped: a profile may be truncated or still be written
   to while it is looked at, and the reader must not fault then.  */

#ifndef HEAPPROF_FILE_CONTENT_H
#define HEAPPROF_FILE_CONTENT_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Read PATH to its end: *DATA is malloced, *SIZE its bytes.  False and *ERR
     if that fails.  */
  bool file_content_read (const char *path, void **data, size_t *size,
			  struct profile_error *err);

  /* The same from standard input, which errors call PATH.  */
  bool file_content_read_stdin (const char *path, void **data, size_t *size,
				struct profile_error *err);

  /* The same for at most N bytes from its beginning.  */
  bool file_content_read_start (const char *path, size_t n, void **data,
				size_t *size, struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_FILE_CONTENT_H */
