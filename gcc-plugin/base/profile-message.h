/* Errors in profiles, reported as diagnostics of the compiler.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROFILE_MESSAGE_H
#define HEAPPROF_PROFILE_MESSAGE_H

#include "profile-error.h"

/* Report *ERR, about the profile PATH.  Return false.  */
bool report_profile_error (const char *path, const profile_error *err);

/* Make stale profiles a warning even with -Werror, unless the user gave
   -Werror=coverage-mismatch.  */
void profile_soften_mismatch (void);

#endif /* HEAPPROF_PROFILE_MESSAGE_H */
