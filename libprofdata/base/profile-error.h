/* Errors of the format library: file, offset and cause.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function that can fail takes a struct profile_error, fills it once where
   the cause is known, and returns false or NULL; its callers pass the error up.
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

  /* Fill *ERR with PATH, OFFSET and the formatted CAUSE, as plain text
     (plain-text.h) truncated to fit.  Return false, so that callers can return
     the result.  */
  bool profile_error_set (struct profile_error *err, const char *path,
			  uint64_t offset, const char *cause, ...)
    __attribute__ ((format (printf, 4, 5)));

  /* The same with a va_list of ARGUMENTS for CAUSE.  */
  bool profile_error_set_list (struct profile_error *err, const char *path,
			       uint64_t offset, const char *cause,
			       va_list arguments)
    __attribute__ ((format (printf, 4, 0)));

  /* The same for a failed system call: the cause is WHAT and the message for
     ERRNO_VALUE.  */
  bool profile_error_set_errno (struct profile_error *err, const char *path,
				const char *what, int errno_value);

  /* The same for exhausted memory.  */
  bool profile_error_set_memory (struct profile_error *err, const char *path);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PROFILE_ERROR_H */
