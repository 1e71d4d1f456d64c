/* Filling in errors of the format library.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-error.h"
#include "plain-text.h"
#include <stdio.h>
#include <string.h>

bool
profile_error_set_list (struct profile_error *err, const char *path,
			uint64_t offset, const char *cause, va_list arguments)
{
  err->path = path;
  err->offset = offset;
  int n = vsnprintf (err->cause, sizeof err->cause, cause, arguments);
  plain_text_fit (err->cause, sizeof err->cause, n >= (int) sizeof err->cause);
  return false;
}

bool
profile_error_set (struct profile_error *err, const char *path, uint64_t offset,
		   const char *cause, ...)
{
  va_list arguments;
  va_start (arguments, cause);
  profile_error_set_list (err, path, offset, cause, arguments);
  va_end (arguments);
  return false;
}

bool
profile_error_set_errno (struct profile_error *err, const char *path,
			 const char *what, int errno_value)
{
  char text[100];
  /* The GNU version returns the text, which need not be stored in TEXT.  */
  const char *reason = strerror_r (errno_value, text, sizeof text);
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s: %s", what,
			    reason);
}

bool
profile_error_set_memory (struct profile_error *err, const char *path)
{
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			    "out of memory");
}
