/* What a profile has and an earlier one of its run has not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_SINCE_H
#define HEAPPROF_PROFILE_SINCE_H

#include "profile-inputs.h"

/* Return true if the raw profile EARLIER is a part of the raw profile PATH.
   Otherwise print an error.  */
bool profile_since_check (const char *earlier, const char *path);

/* Leave in PROFILE, which was read from INPUTS, what the heap profile EARLIER,
   of the same run, does not have (heap-since.h).  On failure print an error and
   return false.  */
bool profile_since (const struct profile_inputs *inputs, const char *earlier,
		    struct profile *profile);

#endif /* HEAPPROF_PROFILE_SINCE_H */
