/* What is wrong with a profile, as an error of the compiler.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_MESSAGE_H
#define HEAPPROF_PROFILE_MESSAGE_H

#include "profile-error.h"

/* Report *ERR of the profile PATH.  Return false.  */
static inline bool
report_profile_error (const char *path, const profile_error *err)
{
  if (err->offset == PROFILE_ERROR_NO_OFFSET)
    error ("%s: %s", path, err->cause);
  else
    error ("%s: offset 0x%lx: %s", path, (unsigned long) err->offset,
	   err->cause);
  return false;
}

#endif /* HEAPPROF_PROFILE_MESSAGE_H */
