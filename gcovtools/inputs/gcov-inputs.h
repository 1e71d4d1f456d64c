/* gcc's data files as inputs, with the names from notes beside them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_INPUTS_H
#define HEAPPROF_GCOV_INPUTS_H

#include "profile.h"
#include <stdbool.h>
#include <stddef.h>

/* Fold the SIZE bytes at DATA, a data file of gcc or a stream of them read from
   PATH, into PROFILE.  The unit is called UNIT_PATH.  Its notes, which have the
   names of its functions, are looked for beside PATH, or in NOTES_DIRECTORY if
   that is not NULL: under UNIT_PATH, then under its last part.  False and *ERR
   if a file is refused.  */
bool gcov_inputs_add (struct profile *profile, const char *path,
		      const char *unit_path, const char *notes_directory,
		      const void *data, size_t size, struct profile_error *err);

/* Say what a user should know about gcc's counters in PROFILE.  */
void gcov_inputs_report (const struct profile *profile);

#endif /* HEAPPROF_GCOV_INPUTS_H */
