/* The files that operands stand for.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "input-list.h"
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DATA_FILE_SUFFIX ".gcda"

/* Append PATH, of which the first PREFIX bytes do not name the unit.  */
static bool
add_file (struct input_list *list, const char *path, size_t prefix)
{
  if (list->count == list->capacity)
    {
      size_t capacity = list->capacity + list->capacity / 2 + 16;
      struct input_file *files
	= realloc (list->files, capacity * sizeof *files);
      if (files == NULL)
	return false;
      list->files = files;
      list->capacity = capacity;
    }
  struct input_file *file = &list->files[list->count];
  file->path = strdup (path);
  if (file->path == NULL)
    return false;
  file->unit_path = file->path + prefix;
  list->count++;
  return true;
}

static bool
has_suffix (const FTSENT *entry)
{
  size_t n = strlen (DATA_FILE_SUFFIX);
  return entry->fts_namelen > n
	 && strcmp (entry->fts_name + entry->fts_namelen - n,
		    DATA_FILE_SUFFIX) == 0;
}

static int
compare_entries (const FTSENT **a, const FTSENT **b)
{
  return strcmp ((*a)->fts_name, (*b)->fts_name);
}

/* Append the data files that WALK comes to, below a directory of PREFIX
   bytes.  */
static bool
walk_directory (struct input_list *list, FTS *walk, const char *directory,
		size_t prefix, struct profile_error *err)
{
  FTSENT *entry;
  while (errno = 0, (entry = fts_read (walk)) != NULL)
    switch (entry->fts_info)
      {
      case FTS_F:
      case FTS_SL:
	if (has_suffix (entry) && !add_file (list, entry->fts_path, prefix))
	  return profile_error_set_memory (err, directory);
	break;
      case FTS_DNR:
      case FTS_ERR:
      case FTS_NS:
	return profile_error_set (err, directory, PROFILE_ERROR_NO_OFFSET,
				  "cannot read %s: %s", entry->fts_path,
				  strerror (entry->fts_errno));
      default:
	break;
      }
  return errno == 0
	 || profile_error_set_errno (err, directory, "cannot read", errno);
}

static bool
add_directory (struct input_list *list, const char *directory,
	       struct profile_error *err)
{
  size_t before = list->count;
  size_t n = strlen (directory);
  while (n > 0 && directory[n - 1] == '/')
    n--;
  char *root = strndup (directory, n > 0 ? n : 1);
  char *roots[] = { root, NULL };
  FTS *walk = NULL;
  if (root != NULL)
    walk = fts_open (roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
  bool is_done = walk != NULL
		 || profile_error_set_errno (err, directory, "cannot read",
					     errno);
  is_done = is_done && walk_directory (list, walk, directory, n + 1, err);
  if (walk != NULL)
    fts_close (walk);
  free (root);
  if (is_done && list->count == before)
    return profile_error_set (err, directory, PROFILE_ERROR_NO_OFFSET,
			      "no data file of gcc (%s) is below this "
			      "directory", DATA_FILE_SUFFIX);
  return is_done;
}

bool
input_list_make (struct input_list *list, char *const *paths, size_t n,
		 struct profile_error *err)
{
  for (size_t i = 0; i < n; i++)
    {
      struct stat status;
      if (stat (paths[i], &status) == 0 && S_ISDIR (status.st_mode))
	{
	  if (!add_directory (list, paths[i], err))
	    return false;
	}
      else if (!add_file (list, paths[i], 0))
	return profile_error_set_memory (err, paths[i]);
    }
  return true;
}

void
input_list_free (struct input_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    free (list->files[i].path);
  free (list->files);
  *list = (struct input_list){ 0 };
}
