/* Finds the file on this machine that is a module of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A module is known by its build ID.  In this order: the files the user named,
   the path at which the program had it, the folders for separate debug files,
   and the servers of DEBUGINFOD_URLS.  A file with another build ID is another
   program, and its lines would be wrong, so it is never taken.  */

#ifndef HEAPPROF_OBJECT_FINDER_H
#define HEAPPROF_OBJECT_FINDER_H

#include "object-file.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_finder;

/* Make a finder.  DEBUG_DIRECTORIES is a colon-separated list of folders, NULL
   for /usr/lib/debug; it must outlive the finder.  NULL if memory is
   exhausted.  */
struct object_finder *object_finder_new (const char *debug_directories);
void object_finder_free (struct object_finder *finder);

/* Add the file PATH that the user named.  False and *ERR if it cannot be
   used.  PATH must outlive the finder.  */
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
   PATH.  With SIZE 0, the module has none, and the name decides.  NULL and
   *ERR, whose cause says what is at PATH instead, if it is not found; then
   *ABSENCE, too, unless ABSENCE is NULL.  */
struct object_file *object_finder_find (struct object_finder *finder,
					const char *path,
					const uint8_t *build_id, size_t size,
					enum object_absence *absence,
					struct profile_error *err);

/* The same for a module without a build ID that recorded PATH, among the files
   that the user named alone.  */
struct object_file *object_finder_find_named (struct object_finder *finder,
					      const char *path,
					      struct profile_error *err);

/* The NUMBERth added file that was never found by its build ID or name; NULL
   if there are fewer.  *WHY says more, or is empty: a module of its name was
   looked for that has another build ID.  */
const char *object_finder_unused (const struct object_finder *finder,
				  size_t number, const char **why);

/* Write SIZE bytes at BUILD_ID in hexadecimal to TEXT of TEXT_BYTES, cut to
   fit, and return TEXT; "none" if SIZE is 0.  */
const char *build_id_text (char *text, size_t text_bytes,
			   const uint8_t *build_id, size_t size);

#endif /* HEAPPROF_OBJECT_FINDER_H */
