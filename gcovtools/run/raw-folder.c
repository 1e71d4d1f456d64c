/* The folder in which the processes of a run write their raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "raw-folder.h"
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_END ".hpraw"
#define NAME_PATTERN "/%n.%p" NAME_END

/* Make a new folder next to OUTPUT and store its path in NAME.  */
static bool
make_own (const char *output, char name[PATH_MAX], struct profile_error *err)
{
  char copy[PATH_MAX];
  if (snprintf (copy, sizeof copy, "%s", output) >= PATH_MAX
      || snprintf (name, PATH_MAX, "%s/heapprof-run-XXXXXX", dirname (copy))
	   >= PATH_MAX)
    return profile_error_set (err, output, PROFILE_ERROR_NO_OFFSET,
			      "path too long");
  return mkdtemp (name) != NULL
	 || profile_error_set_errno (err, output,
				     "cannot create a folder next to it",
				     errno);
}

/* Return the number of entries of the folder DIR up to 1; -1 on failure.  */
static int
count_entries (const char *dir)
{
  int count = 0;
  DIR *stream = opendir (dir);
  if (stream == NULL)
    return -1;
  const struct dirent *entry;
  while (count == 0 && (entry = readdir (stream)) != NULL)
    count = strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..");
  closedir (stream);
  return count;
}

static bool
take_given (const char *dir, struct profile_error *err)
{
  if (mkdir (dir, 0777) != 0 && errno != EEXIST)
    return profile_error_set_errno (err, dir, "cannot create", errno);
  int count = count_entries (dir);
  if (count < 0)
    return profile_error_set_errno (err, dir, "cannot read", errno);
  return count == 0
	 || profile_error_set (err, dir, PROFILE_ERROR_NO_OFFSET,
			       "is not empty; raw profiles need a folder of "
			       "their own");
}

bool
raw_folder_make (struct raw_folder *folder, const char *dir, const char *output,
		 struct profile_error *err)
{
  char own[PATH_MAX];
  *folder = (struct raw_folder){ 0 };
  if (dir != NULL ? !take_given (dir, err) : !make_own (output, own, err))
    return false;
  folder->is_own = dir == NULL;
  const char *name = dir != NULL ? dir : own;
  bool is_done
    = (realpath (name, folder->path) != NULL
       || profile_error_set_errno (err, name, "cannot be used", errno))
      && (strchr (folder->path, ':') == NULL
	  || profile_error_set (err, dir != NULL ? dir : output,
				PROFILE_ERROR_NO_OFFSET,
				"a folder with a colon in its path cannot hold "
				"raw profiles; give another one by --raw"));
  if (!is_done && dir == NULL)
    rmdir (own);
  return is_done;
}

bool
raw_folder_option (const struct raw_folder *folder, char *text, size_t bytes)
{
  const char start[] = "file=";
  size_t used = sizeof start - 1;
  memcpy (text, start, used);
  for (const char *c = folder->path; *c != '\0'; c++)
    {
      if (used + 2 + sizeof NAME_PATTERN > bytes)
	return false;
      if (*c == '%')
	text[used++] = '%';
      text[used++] = *c;
    }
  memcpy (text + used, NAME_PATTERN, sizeof NAME_PATTERN);
  return true;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Append the path of the file NAME in FOLDER.  Return false if memory is
   exhausted.  */
static bool
add_file (struct raw_folder *folder, const char *name)
{
  char **files
    = realloc (folder->files, (folder->count + 1) * sizeof *folder->files);
  if (files == NULL)
    return false;
  folder->files = files;
  if (asprintf (&files[folder->count], "%s/%s", folder->path, name) < 0)
    return false;
  folder->count++;
  return true;
}

bool
raw_folder_list (struct raw_folder *folder, struct profile_error *err)
{
  bool is_done = true;
  DIR *stream = opendir (folder->path);
  if (stream == NULL)
    return profile_error_set_errno (err, folder->path, "cannot read", errno);
  const struct dirent *entry;
  while (is_done && (entry = readdir (stream)) != NULL)
    {
      const char *end = strstr (entry->d_name, NAME_END);
      if (entry->d_name[0] != '.' && end != NULL
	  && strspn (end + strlen (NAME_END), ".0123456789")
	       == strlen (end + strlen (NAME_END)))
	is_done = add_file (folder, entry->d_name)
		  || profile_error_set_memory (err, folder->path);
    }
  closedir (stream);
  if (folder->count > 0)
    qsort (folder->files, folder->count, sizeof *folder->files, compare_names);
  return is_done;
}

void
raw_folder_remove (struct raw_folder *folder)
{
  if (!folder->is_own)
    return;
  for (size_t i = 0; i < folder->count; i++)
    unlink (folder->files[i]);
  rmdir (folder->path);
}

void
raw_folder_release (struct raw_folder *folder)
{
  for (size_t i = 0; i < folder->count; i++)
    free (folder->files[i]);
  free (folder->files);
  folder->files = NULL;
  folder->count = 0;
}
