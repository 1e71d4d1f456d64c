/* gcc's data files as inputs, with names from their notes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_INPUTS_H
#define HEAPPROF_GCOV_INPUTS_H

#include "profile.h"
#include <stdbool.h>
#include <stddef.h>

/* Add the SIZE bytes at DATA, a gcc data file or a stream of them read from
   PATH, to PROFILE.  The unit is called UNIT_PATH.  Its notes, with the names
   of its functions, are searched next to PATH, or in NOTES_DIRECTORY if not
   NULL: under UNIT_PATH, then under its last component.  Return false and
   set *ERR if a file is invalid.  */
bool gcov_inputs_add (struct profile *profile, const char *path,
		      const char *unit_path, const char *notes_directory,
		      const void *data, size_t size, struct profile_error *err);

/* Print notes and warnings about gcc's counters in PROFILE.  */
void gcov_inputs_report (const struct profile *profile);

#endif /* HEAPPROF_GCOV_INPUTS_H */
