/* Find the source file of a profile that a path refers to.
   SPDX-License-Identifier: GPL-3.0-or-later

   Paths in profiles are those the compiler saw, often on another machine.  A
   path given by the user refers to the same file, relative to the current
   folder, or else to a file whose path in the profile ends with it.  If there
   are several and the given file exists, it refers to the one with most
   trailing folders in common.  */

#ifndef HEAPPROF_SOURCE_PATH_H
#define HEAPPROF_SOURCE_PATH_H

#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

struct source_path
{
  uint32_t file; /* string ID, 0: none */
  uint32_t
    other; /* string ID of another file that PATH may refer to, 0: none */
};

/* Find the file of PROFILE that PATH refers to.  Set IS_WANTED, indexed by
   string ID and initially false, for all spellings of that file.  Return false
   if memory is exhausted.  */
bool source_path_find (struct source_path *found,
		       const struct heap_profile *profile, const char *path,
		       bool *is_wanted);

/* Return PATH without `.', double slashes and resolvable `..'; malloced, NULL
   if memory is exhausted.  */
char *source_path_normalize (const char *path);

/* Return the absolute path of PATH, normalized; malloced, NULL if memory is
   exhausted.  */
char *source_path_absolute (const char *path);

#endif /* HEAPPROF_SOURCE_PATH_H */
