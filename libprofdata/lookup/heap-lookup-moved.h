/* Whether a source file is that of a heap profile, in another folder.
   SPDX-License-Identifier: GPL-3.0-or-later

   A folder may have got another name since the profile was made, such as that
   of a version.  But a program may also have two files with the same name,
   whose functions have the same names, too, such as two copies of a library. */

#ifndef HEAPPROF_HEAP_LOOKUP_MOVED_H
#define HEAPPROF_HEAP_LOOKUP_MOVED_H

#include "heapprof-places.h"
#include <stdbool.h>

/* The last answer; all zeros is empty.  */
struct heap_lookup_moved
{
  char *there; /* malloced */
  char *path;  /* malloced */
  bool is_same;
};

/* Free what LAST owns, and make it empty.  */
void heap_lookup_moved_release (struct heap_lookup_moved *last);

/* Return true if the source file PATH may be the file THERE of BLOCK, which has
   the same name in a folder with another name: PATH's folder has at least half
   of the files that the profile has in that of THERE.  Also true if this
   machine does not have PATH.  */
bool heap_lookup_is_moved (struct heap_lookup_moved *last,
			   const struct heapprof_places_block *block,
			   const char *there, const char *path);

/* Return true if THERE exists, and is not PATH.  */
bool heap_lookup_is_another (const char *there, const char *path);

#endif /* HEAPPROF_HEAP_LOOKUP_MOVED_H */
