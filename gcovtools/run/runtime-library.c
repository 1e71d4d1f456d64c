/* Finding the run-time libraries that `run' preloads and `attach' loads.
   SPDX-License-Identifier: GPL-3.0-or-later

   PROGRAM_FOLDER and LIBRARY_FOLDER are where programs and libraries were meant
   to be installed.  */

#include "runtime-library.h"
#include "heapprof/attach.h"
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY_NAME "libheapprof.so.1"

/* Characters that separate libraries in LD_PRELOAD.  */
#define SEPARATORS ": "

/* Return the number of bytes of PROGRAM_FOLDER up to where LIBRARY_FOLDER
   differs, a slash included.  */
static size_t
common_bytes (void)
{
  const char *a = PROGRAM_FOLDER "/";
  const char *b = LIBRARY_FOLDER "/";
  size_t common = 0;
  for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
    if (a[i] == '/')
      common = i + 1;
  return common;
}

/* Store in TEXT how to get from the folder of programs to that of libraries,
   such as ../lib.  */
static void
relate_folders (char *text, size_t bytes)
{
  size_t common = common_bytes ();
  const char *deeper = PROGRAM_FOLDER "/";
  const char *rest = LIBRARY_FOLDER "/";
  size_t used = 0;
  text[0] = '\0';
  for (deeper += common; (deeper = strchr (deeper, '/')) != NULL; deeper++)
    if (used + 4 < bytes)
      used += (size_t) sprintf (text + used, "../");
  snprintf (text + used, bytes - used, "%s", rest + common);
}

/* Store the absolute path of LIBRARY in FOLDER/BELOW in PATH.  Return false if
   it is not there.  */
static bool
take_folder (const char *folder, const char *below, const char *library,
	     char path[PATH_MAX])
{
  char name[3 * PATH_MAX];
  snprintf (name, sizeof name, "%s/%s/%s", folder, below, library);
  return realpath (name, path) != NULL && access (path, R_OK) == 0;
}

/* Store the path of LIBRARY in PATH.  Return false, and set *ERR, if there is
   none.  */
static bool
find (const char *library, char path[PATH_MAX], struct profile_error *err)
{
  char self[PATH_MAX];
  char between[PATH_MAX];
  ssize_t bytes = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (bytes > 0)
    {
      self[bytes] = '\0';
      const char *folder = dirname (self);
      relate_folders (between, sizeof between);
      if (take_folder (folder, ".libs", library, path)
	  || take_folder (folder, ".", library, path)
	  || take_folder (folder, between, library, path))
	return true;
    }
  return take_folder (LIBRARY_FOLDER, ".", library, path)
	 || profile_error_set (err, library, PROFILE_ERROR_NO_OFFSET,
			       "not found next to this program or in %s; "
			       "install the run-time library of heapprof",
			       LIBRARY_FOLDER);
}

bool
runtime_library_find (char path[PATH_MAX], struct profile_error *err)
{
  if (!find (LIBRARY_NAME, path, err))
    return false;
  if (strpbrk (path, SEPARATORS) != NULL)
    return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "cannot be preloaded, because its path has a "
			      "colon or a blank");
  return true;
}

bool
runtime_library_find_attached (char path[PATH_MAX], struct profile_error *err)
{
  return find (HEAPPROF_ATTACH_LIBRARY, path, err);
}
