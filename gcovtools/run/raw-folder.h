/* The folder in which the processes of a run write their raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RAW_FOLDER_H
#define HEAPPROF_RAW_FOLDER_H

#include "profile-error.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct raw_folder
{
  char path[PATH_MAX]; /* absolute */
  bool is_own;	       /* made for the run, so that it may be removed */
  char **files;	       /* malloced paths of raw profiles */
  size_t count;
};

/* Set up *FOLDER: DIR, which is new or empty; if that is NULL, a new folder
   next to the file OUTPUT.  Return false and set *ERR if it cannot be used.  */
bool raw_folder_make (struct raw_folder *folder, const char *dir,
		      const char *output, struct profile_error *err);

/* Write the value of HEAPPROF_OPTIONS that makes processes use FOLDER to TEXT
   of BYTES.  Return false if it does not fit.  */
bool raw_folder_option (const struct raw_folder *folder, char *text,
			size_t bytes);

/* List the raw profiles in FOLDER.  Return false and set *ERR on failure.  */
bool raw_folder_list (struct raw_folder *folder, struct profile_error *err);

/* Remove FOLDER and the listed files if it is the run's own.  */
void raw_folder_remove (struct raw_folder *folder);

void raw_folder_release (struct raw_folder *folder);

#endif /* HEAPPROF_RAW_FOLDER_H */
