/* Whether a source file is that of a heap profile, in another folder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-lookup-moved.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
heap_lookup_moved_release (struct heap_lookup_moved *last)
{
  free (last->there);
  free (last->path);
  *last = (struct heap_lookup_moved){ 0 };
}

/* Return the length of PATH's folder, with its slash.  */
static size_t
folder_length (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash == NULL ? 0 : (size_t) (slash - path) + 1;
}

/* Return true if the folder of PATH has a file with the name of OTHER, which
   includes a folder.  */
static bool
has_file (const char *path, const char *other)
{
  char *name = NULL;
  const int folder = (int) folder_length (path);
  const bool has
    = asprintf (&name, "%.*s%s", folder, path, other + folder_length (other))
	>= 0
      && access (name, F_OK) == 0;
  free (name);
  return has;
}

static bool
has_most (const struct heapprof_places_block *block, const char *there,
	  const char *path)
{
  const size_t folder = folder_length (there);
  struct heapprof_places_block rest = *block;
  struct heapprof_places_file file;
  size_t all = 0;
  size_t found = 0;
  while (heapprof_places_next_file (&rest, &file))
    if (folder_length (file.path) == folder
	&& memcmp (file.path, there, folder) == 0
	&& strcmp (file.path, there) != 0)
      {
	all++;
	found += has_file (path, file.path);
      }
  return 2 * found >= all;
}

bool
heap_lookup_is_moved (struct heap_lookup_moved *last,
		      const struct heapprof_places_block *block,
		      const char *there, const char *path)
{
  if (last->there != NULL && last->path != NULL
      && strcmp (last->there, there) == 0 && strcmp (last->path, path) == 0)
    return last->is_same;
  heap_lookup_moved_release (last);
  last->there = strdup (there);
  last->path = strdup (path);
  last->is_same = access (path, F_OK) != 0 || has_most (block, there, path);
  return last->is_same;
}

bool
heap_lookup_is_another (const char *there, const char *path)
{
  struct stat old, now;
  return stat (there, &old) == 0 && stat (path, &now) == 0
	 && (old.st_dev != now.st_dev || old.st_ino != now.st_ino);
}
