/* Which source file of a profile a path means.
   SPDX-License-Identifier: GPL-3.0-or-later

   Profiles have paths as the compiler had them, often of another machine.  A
   path that the user gives is, in this order: the same file, from the current
   folder; or one whose path in the profile ends with it.  If there are several
   of these, and the file given exists, it is the one that has most of its
   folders in common.  */

#ifndef HEAPPROF_SOURCE_PATH_H
#define HEAPPROF_SOURCE_PATH_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

struct source_path
{
  uint32_t file;  /* string id, 0: none */
  uint32_t other; /* string id of another file that PATH may mean
		     as well, 0: none */
};

/* Find in PROFILE what PATH means.  IS_WANTED, by string id and false at first,
   is set for all that name the same file, by whatever spelling.  False if
   memory is exhausted.  */
bool source_path_find (struct source_path *found,
		       const struct heap_profile *profile, const char *path,
		       bool *is_wanted);

/* PATH without `.', double slashes, and folders that `..' leaves again;
   malloced, NULL if memory is exhausted.  */
char *source_path_normalize (const char *path);

#endif /* HEAPPROF_SOURCE_PATH_H */
