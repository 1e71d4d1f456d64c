/* Finding the file on this machine that is a module of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A module is identified by its build ID.  It is searched for in this order:
   among the files the user named, at the path recorded by the program, in the
   folders for separate debug files, and on the servers in DEBUGINFOD_URLS.  A
   file with another build ID is a different program, and its lines would be
   wrong, so it is never used.  */

#ifndef HEAPPROF_OBJECT_FINDER_H
#define HEAPPROF_OBJECT_FINDER_H

#include "object-file.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_finder;

/* Create a finder.  DEBUG_DIRECTORIES is a colon-separated list of folders,
   NULL for /usr/lib/debug; it must outlive the finder.  NULL if memory is
   exhausted.  */
struct object_finder *object_finder_new (const char *debug_directories);
void object_finder_free (struct object_finder *finder);

/* Add the file PATH that the user named.  Return false and set *ERR if it
   cannot be used.  PATH must outlive the finder.  */
bool object_finder_add (struct object_finder *finder, const char *path,
			struct profile_error *err);

/* Why a module was not found.  */
enum object_absence
{
  OBJECT_NOT_THERE,   /* there is no file */
  OBJECT_OTHER_BUILD, /* the file has another build ID */
  OBJECT_UNREADABLE   /* it cannot be read */
};

/* Open the module with the build ID of SIZE bytes at BUILD_ID, recorded at
   PATH.  If SIZE is 0, the module has no build ID, and the name decides.  If it
   is not found, return NULL and set *ERR, whose cause describes the file at
   PATH, and *ABSENCE, unless ABSENCE is NULL.  */
struct object_file *object_finder_find (struct object_finder *finder,
					const char *path,
					const uint8_t *build_id, size_t size,
					enum object_absence *absence,
					struct profile_error *err);

/* The same for a module without a build ID that recorded PATH, only among the
   files that the user named.  */
struct object_file *object_finder_find_named (struct object_finder *finder,
					      const char *path,
					      struct profile_error *err);

/* Return added file number NUMBER of those that no build ID or name matched;
   NULL if there are fewer.  *WHY is a reason, or empty: a module of its name
   with another build ID was requested.  */
const char *object_finder_unused (const struct object_finder *finder,
				  size_t number, const char **why);

/* Write SIZE bytes at BUILD_ID in hexadecimal to TEXT of TEXT_BYTES, truncated
   to fit, and return TEXT; "none" if SIZE is 0.  */
const char *build_id_text (char *text, size_t text_bytes,
			   const uint8_t *build_id, size_t size);

#endif /* HEAPPROF_OBJECT_FINDER_H */
