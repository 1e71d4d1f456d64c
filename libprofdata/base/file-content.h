/* A complete file in memory.
   SPDX-License-Identifier: GPL-3.0-or-later

   Files are read, not mapped: a profile may be truncated or still being written
   while it is read, and the reader must not fault.  */

#ifndef HEAPPROF_FILE_CONTENT_H
#define HEAPPROF_FILE_CONTENT_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* Read all of PATH into *DATA, which is malloced; set *SIZE to its size in
     bytes.  Return false and set *ERR on failure.  */
  bool file_content_read (const char *path, void **data, size_t *size,
			  struct profile_error *err);

  /* The same for standard input, named PATH in errors.  */
  bool file_content_read_stdin (const char *path, void **data, size_t *size,
				struct profile_error *err);

  /* The same for at most the first N bytes of PATH.  */
  bool file_content_read_start (const char *path, size_t n, void **data,
				size_t *size, struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_FILE_CONTENT_H */
