/* Finding and reading the notes of gcc's data files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-notes-file.h"
#include "file-content.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return the path of the notes of data file DATA_PATH, in DIRECTORY, or next to
   it if that is NULL; malloced.  NULL if memory is exhausted.  */
static char *
make_notes_path (const char *directory, const char *data_path)
{
  const char *slash = strrchr (data_path, '/');
  const char *dot = strrchr (data_path, '.');
  size_t stem = strlen (data_path);
  if (dot != NULL && (slash == NULL || dot > slash))
    stem = (size_t) (dot - data_path);
  char *path;
  int n = asprintf (&path, "%s%s%.*s.gcno", directory != NULL ? directory : "",
		    directory != NULL ? "/" : "", (int) stem, data_path);
  return n < 0 ? NULL : path;
}

char *
gcov_notes_file_find (const char *path, const char *unit_path,
		      const char *notes_directory)
{
  const char *slash = strrchr (unit_path, '/');
  const char *names[] = { unit_path, slash != NULL ? slash + 1 : unit_path };
  if (notes_directory == NULL)
    names[0] = names[1] = path;
  for (size_t i = 0; i < 2; i++)
    {
      char *notes_path = make_notes_path (notes_directory, names[i]);
      if (notes_path == NULL || access (notes_path, F_OK) == 0)
	return notes_path;
      free (notes_path);
    }
  return strdup ("");
}

struct gcov_notes *
gcov_notes_file_read (const char *path, struct profile_error *err)
{
  void *data;
  size_t size;
  if (!file_content_read (path, &data, &size, err))
    return NULL;
  struct gcov_notes *notes = gcov_notes_parse (path, data, size, err);
  free (data);
  return notes;
}
