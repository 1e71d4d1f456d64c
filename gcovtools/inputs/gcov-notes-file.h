/* Finding and reading the notes of gcc's data files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_NOTES_FILE_H
#define HEAPPROF_GCOV_NOTES_FILE_H

#include "gcov-notes.h"
#include "profile-error.h"

/* Return the path, malloced, of the notes of the data file PATH, called
   UNIT_PATH: next to PATH or, if NOTES_DIRECTORY is not NULL, in it under
   UNIT_PATH or its last component.  "" if there are none; NULL if memory is
   exhausted.  */
char *gcov_notes_file_find (const char *path, const char *unit_path,
			    const char *notes_directory);

/* Read the notes PATH.  Return NULL and set *ERR on failure.  */
struct gcov_notes *gcov_notes_file_read (const char *path,
					 struct profile_error *err);

#endif /* HEAPPROF_GCOV_NOTES_FILE_H */
