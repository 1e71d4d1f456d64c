/* The raw profile that a running process is writing.
   SPDX-License-Identifier: GPL-3.0-or-later

   The process maps it, shared and writable: the list of its mappings has its
   folder and the number of its inode.  In another mount namespace, the path is
   below the process's root.  */

#include "running-file.h"
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

/* A shared, writable mapping of a file.  */
struct mapping
{
  const char *path;
  ino_t inode;
};

/* Parse LINE of a list of mappings.  Return false if it is about anything
   else.  */
static bool
parse_mapping (char *line, struct mapping *mapping)
{
  char access[8] = "";
  unsigned long long inode = 0;
  int at = 0;
  line[strcspn (line, "\n")] = '\0';
  if (sscanf (line, "%*s %7s %*s %*s %llu %n", access, &inode, &at) < 2
      || at == 0 || access[1] != 'w' || access[3] != 's' || line[at] != '/')
    return false;
  *mapping = (struct mapping){ line + at, (ino_t) inode };
  return true;
}

/* Store the path of MAPPING, below ROOT, in PATH of SIZE bytes.  The file had
   no name when it was mapped, so only its folder is right.  Return false if
   there is no profile.  */
static bool
find_below (const char *root, const struct mapping *mapping, char *path,
	    size_t size)
{
  const char *slash = strrchr (mapping->path, '/');
  int n = snprintf (path, size, "%s%.*s", root,
		    (int) (slash - mapping->path + 1), mapping->path);
  DIR *folder = n >= 0 && (size_t) n < size ? opendir (path) : NULL;
  bool is_found = false;
  if (folder == NULL)
    return false;
  for (struct dirent *entry; !is_found && (entry = readdir (folder)) != NULL;)
    {
      if (entry->d_ino != mapping->inode
	  || (size_t) n + strlen (entry->d_name) >= size)
	continue;
      strcpy (path + n, entry->d_name);
      is_found = is_profile (path);
    }
  closedir (folder);
  return is_found;
}

bool
running_file_find (pid_t pid, char *path, size_t size,
		   struct profile_error *err)
{
  char name[64];
  char *line = NULL;
  size_t room = 0;
  bool is_found = false;
  snprintf (name, sizeof name, "/proc/%ld/maps", (long) pid);
  FILE *maps = fopen (name, "r");
  if (maps == NULL)
    {
      profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET, "process %ld: %s",
			 (long) pid,
			 errno == ENOENT ? "no such process"
					 : strerror (errno));
      return false;
    }
  while (!is_found && getline (&line, &room, maps) > 0)
    {
      struct mapping mapping;
      if (!parse_mapping (line, &mapping))
	continue;
      snprintf (name, sizeof name, "/proc/%ld/root", (long) pid);
      is_found = find_below ("", &mapping, path, size)
		 || find_below (name, &mapping, path, size);
    }
  free (line);
  fclose (maps);
  if (!is_found)
    profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
		       "process %ld is writing no raw profile: it was not built"
		       " with heapprof, or has allocated nothing",
		       (long) pid);
  return is_found;
}
