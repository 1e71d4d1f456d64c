/* Finding and reading the notes of gcc's data files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_NOTES_FILE_H
#define HEAPPROF_GCOV_NOTES_FILE_H

#include "gcov-notes.h"
#include "profile-error.h"

/* The path, malloced, of the notes of the data file PATH, called UNIT_PATH:
   they are beside PATH; or, if NOTES_DIRECTORY is not NULL, in that, under
   UNIT_PATH or its last part.  "" if there are none; NULL if memory cannot be
   had.  */
char *gcov_notes_file_find (const char *path, const char *unit_path,
			    const char *notes_directory);

/* Read the notes PATH.  NULL and *ERR if that fails.  */
struct gcov_notes *gcov_notes_file_read (const char *path,
					 struct profile_error *err);

#endif /* HEAPPROF_GCOV_NOTES_FILE_H */
