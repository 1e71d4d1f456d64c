/* Errors of the format library: which file, where in it, and why.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that can fail takes a struct profile_error, fills it once at the
   place that knows most, and returns false or NULL; its callers pass that up.
   The library never prints and never exits.  */

#ifndef HEAPPROF_PROFILE_ERROR_H
#define HEAPPROF_PROFILE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define PROFILE_ERROR_NO_OFFSET UINT64_MAX
#define PROFILE_ERROR_CAUSE_BYTES 200

  struct profile_error
  {
    const char *path; /* the caller's string, not owned */
    uint64_t offset;  /* in bytes, or PROFILE_ERROR_NO_OFFSET */
    char cause[PROFILE_ERROR_CAUSE_BYTES];
  };

  /* Fill *ERR with PATH, OFFSET and the formatted CAUSE, plain text
     (plain-text.h), truncated to fit. Return false, so that a caller can return
     the call.  */
  bool profile_error_set (struct profile_error *err, const char *path,
			  uint64_t offset, const char *cause, ...)
    __attribute__ ((format (printf, 4, 5)));

  /* The same with ARGUMENTS of CAUSE.  */
  bool profile_error_set_list (struct profile_error *err, const char *path,
			       uint64_t offset, const char *cause,
			       va_list arguments)
    __attribute__ ((format (printf, 4, 0)));

  /* The same for a failed system call: the cause is WHAT and the text of
     ERRNO_VALUE.  */
  bool profile_error_set_errno (struct profile_error *err, const char *path,
				const char *what, int errno_value);

  /* The same for memory that cannot be had.  */
  bool profile_error_set_memory (struct profile_error *err, const char *path);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PROFILE_ERROR_H */
