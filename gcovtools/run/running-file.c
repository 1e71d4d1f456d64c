/* The raw profile that a running process is writing.
   SPDX-License-Identifier: GPL-3.0-or-later

   The process maps it, shared and writable: the list of its mappings has its
   folder and the number of its inode.  In another mount namespace, the path is
   below the process's root.  */

#include "running-file.h"
#include "process-maps.h"
#include "raw-profile.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return true if the file PATH starts like a raw profile.  */
static bool
is_profile (const char *path)
{
  char magic[HEAPPROF_RAW_MAGIC_BYTES];
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return false;
  size_t n = fread (magic, 1, sizeof magic, file);
  fclose (file);
  return raw_profile_has_magic (magic, n);
}

/* Store the path of MAP's file, below ROOT, in PATH of SIZE bytes.  The file
   had no name when it was mapped, so only its folder is right.  Return false if
   there is no profile.  */
static bool
find_below (const char *root, const struct process_map *map, char *path,
	    size_t size)
{
  const char *slash = strrchr (map->path, '/');
  int n = snprintf (path, size, "%s%.*s", root, (int) (slash - map->path + 1),
		    map->path);
  DIR *folder = n >= 0 && (size_t) n < size ? opendir (path) : NULL;
  bool is_found = false;
  if (folder == NULL)
    return false;
  for (struct dirent *entry; !is_found && (entry = readdir (folder)) != NULL;)
    {
      if (entry->d_ino != map->inode
	  || (size_t) n + strlen (entry->d_name) >= size)
	continue;
      strcpy (path + n, entry->d_name);
      is_found = is_profile (path);
    }
  closedir (folder);
  return is_found;
}

/* What is looked for, and where its path goes.  */
struct search
{
  pid_t pid;
  char *path;
  size_t size;
  bool is_found;
};

/* The file is mapped shared and writable.  */
static bool
look_at_map (const struct process_map *map, void *data)
{
  struct search *search = data;
  char root[64];
  if (map->path == NULL || map->access[1] != 'w' || map->access[3] != 's')
    return true;
  snprintf (root, sizeof root, "/proc/%ld/root", (long) search->pid);
  search->is_found = find_below ("", map, search->path, search->size)
		     || find_below (root, map, search->path, search->size);
  return !search->is_found;
}

bool
running_file_find (pid_t pid, char *path, size_t size,
		   struct profile_error *err)
{
  struct search search = { .pid = pid, .path = path, .size = size };
  if (!process_maps_visit ((uint64_t) pid, look_at_map, &search))
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "process %ld: %s", (long) pid,
			      errno == ENOENT ? "no such process"
					      : strerror (errno));
  if (!search.is_found)
    profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
		       "process %ld is writing no raw profile: it was not built"
		       " with heapprof, or has allocated nothing",
		       (long) pid);
  return search.is_found;
}
