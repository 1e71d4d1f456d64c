/* URIs of files, relative to a base folder where possible.
   SPDX-License-Identifier: GPL-3.0-or-later

   Bytes other than letters, digits and `-._~/' become %HH, so a URI is plain
   text whatever the name of the file.  All results are malloced, and NULL if
   memory is exhausted.  */

#ifndef HEAPPROF_FILE_URI_H
#define HEAPPROF_FILE_URI_H

#include <stdbool.h>

/* Return the absolute path of FOLDER, NULL: the current folder.  */
char *file_uri_folder (const char *folder);

/* Return PATH relative to BASE if it is below BASE, or relative, which means
   below BASE, too; else the absolute path.  */
char *file_path_below (const char *path, const char *base);

/* Return the URI of PATH.  If it is below BASE, or relative, which means below
   BASE, too, set *IS_RELATIVE and return a URI relative to that of BASE.  */
char *file_uri_make (const char *path, const char *base, bool *is_relative);

/* Return the URI of the folder BASE, which ends with a slash.  */
char *file_uri_of_folder (const char *base);

#endif /* HEAPPROF_FILE_URI_H */
