/* The list of input files that operands refer to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "input-list.h"
#include "diagnostics.h"
#include "file-content.h"
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DATA_FILE_SUFFIX ".gcda"
#define RAW_FILE_SUFFIX ".hpraw"
#define NOTES_SUFFIX ".gcno"

/* Append PATH, whose first PREFIX bytes are not part of the unit's name.  */
static bool
add_file (struct input_list *list, const char *path, size_t prefix,
	  uint64_t weight)
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
  file->weight = weight;
  list->count++;
  return true;
}

static bool
has_suffix (const FTSENT *entry, const char *suffix)
{
  size_t n = strlen (suffix);
  return entry->fts_namelen > n
	 && strcmp (entry->fts_name + entry->fts_namelen - n, suffix) == 0;
}

static int
compare_entries (const FTSENT **a, const FTSENT **b)
{
  return strcmp ((*a)->fts_name, (*b)->fts_name);
}

/* State of a walk through a directory.  */
struct walk
{
  struct input_list *list;
  FTS *fts;
  const char *directory;
  const char *suffix; /* of the files to find */
  bool is_second;     /* errors were reported by the first one */
  size_t prefix;      /* length of its path, including the slash */
  uint64_t weight;
};

/* Append the files that WALK finds.  */
static bool
walk_directory (const struct walk *walk, struct profile_error *err)
{
  const char *directory = walk->directory;
  FTSENT *entry;
  while (errno = 0, (entry = fts_read (walk->fts)) != NULL)
    switch (entry->fts_info)
      {
      case FTS_F:
      case FTS_SL:
	if (has_suffix (entry, walk->suffix)
	    && !add_file (walk->list, entry->fts_path, walk->prefix,
			  walk->weight))
	  return profile_error_set_memory (err, directory);
	break;
      case FTS_DNR:
      case FTS_ERR:
      case FTS_NS:
	if (walk->is_second)
	  break;
	profile_error_set (err, directory, PROFILE_ERROR_NO_OFFSET,
			   "cannot read %s: %s", entry->fts_path,
			   strerror (entry->fts_errno));
	if (walk->list->left_out == NULL || entry->fts_level == FTS_ROOTLEVEL)
	  return false;
	diagnostics_left_out (err);
	++*walk->list->left_out;
	break;
      default:
	break;
      }
  return errno == 0
	 || profile_error_set_errno (err, directory, "cannot read", errno);
}

/* Do WALK in the directory.  */
static bool
walk_below (struct walk *walk, struct profile_error *err)
{
  size_t n = strlen (walk->directory);
  while (n > 0 && walk->directory[n - 1] == '/')
    n--;
  char *root = strndup (walk->directory, n > 0 ? n : 1);
  char *roots[] = { root, NULL };
  walk->prefix = n + 1;
  if (root != NULL)
    walk->fts = fts_open (roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
  bool is_done
    = walk->fts != NULL
      || profile_error_set_errno (err, walk->directory, "cannot read", errno);
  is_done = is_done && walk_directory (walk, err);
  if (walk->fts != NULL)
    fts_close (walk->fts);
  free (root);
  return is_done;
}

static bool
add_directory (struct input_list *list, const char *directory, uint64_t weight,
	       struct profile_error *err)
{
  size_t before = list->count;
  struct walk walk = { .list = list,
		       .directory = directory,
		       .suffix = DATA_FILE_SUFFIX,
		       .weight = weight };
  if (!walk_below (&walk, err))
    return false;
  if (list->count > before)
    return true;
  /* What a program compiled with heapprof leaves.  */
  walk.suffix = RAW_FILE_SUFFIX;
  walk.is_second = true;
  if (!walk_below (&walk, err))
    return false;
  return list->count > before
	 || profile_error_set (
	   err, directory, PROFILE_ERROR_NO_OFFSET,
	   "no gcc data file (%s) or raw profile (%s) below "
	   "this directory",
	   DATA_FILE_SUFFIX, RAW_FILE_SUFFIX);
}

bool
input_list_add (struct input_list *list, const char *path, uint64_t weight,
		struct profile_error *err)
{
  struct stat status;
  if (strcmp (path, INPUT_LIST_STDIN) == 0)
    for (size_t i = 0; i < list->count; i++)
      if (strcmp (list->files[i].path, INPUT_LIST_STDIN) == 0)
	return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
				  "standard input is given twice");
  if (strcmp (path, INPUT_LIST_STDIN) != 0 && stat (path, &status) == 0
      && S_ISDIR (status.st_mode))
    return add_directory (list, path, weight, err);
  return add_file (list, path, 0, weight)
	 || profile_error_set_memory (err, NULL);
}

bool
input_list_add_notes (struct input_list *list, const char *path,
		      struct profile_error *err)
{
  struct stat status;
  if (stat (path, &status) != 0 || !S_ISDIR (status.st_mode))
    return add_file (list, path, 0, 1) || profile_error_set_memory (err, NULL);
  size_t before = list->count;
  struct walk walk
    = { .list = list, .directory = path, .suffix = NOTES_SUFFIX, .weight = 1 };
  if (!walk_below (&walk, err))
    return false;
  return list->count > before
	 || profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			       "no notes (%s) below this directory",
			       NOTES_SUFFIX);
}

bool
input_list_add_all (struct input_list *list, char *const *paths,
		    size_t path_count, struct profile_error *err)
{
  for (size_t i = 0; i < path_count; i++)
    if (!input_list_add (list, paths[i], 1, err))
      return false;
  return true;
}

bool
input_list_add_weighted (struct input_list *list, const char *text,
			 struct profile_error *err)
{
  char *end;
  errno = 0;
  unsigned long long weight = strtoull (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != ',' || errno != 0 || weight == 0)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "invalid weighted input '%s' (expected W,FILE "
			      "with a positive number W)",
			      text);
  if (end[1] == '\0')
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "missing file name in '%s'", text);
  return input_list_add (list, end + 1, weight, err);
}

/* Append the file that LINE, line NUMBER of PATH, refers to.  */
static bool
add_line (struct input_list *list, char *line, const char *path,
	  unsigned long number, struct profile_error *err)
{
  static const char blanks[] = " \t\v\f\r";
  line += strspn (line, blanks);
  size_t n = strlen (line);
  while (n > 0 && strchr (blanks, line[n - 1]) != NULL)
    line[--n] = '\0';
  if (n == 0 || *line == '#')
    return true;
  bool is_done = strchr (line, ',') != NULL
		   ? input_list_add_weighted (list, line, err)
		   : input_list_add (list, line, 1, err);
  if (is_done)
    return true;
  /* The line does not outlive this function.  */
  struct profile_error cause = *err;
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			    "line %lu: %.50s%s%s", number,
			    cause.path != NULL ? cause.path : "",
			    cause.path != NULL ? ": " : "", cause.cause);
}

bool
input_list_add_lines (struct input_list *list, const char *path,
		      struct profile_error *err)
{
  void *data;
  size_t size;
  bool is_read = strcmp (path, INPUT_LIST_STDIN) == 0
		   ? file_content_read_stdin (path, &data, &size, err)
		   : file_content_read (path, &data, &size, err);
  if (!is_read)
    return false;
  bool is_done = memchr (data, '\0', size) == NULL
		 || profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
				       "not a list of files: it is not text");
  char *text = is_done ? strndup (data, size) : NULL;
  free (data);
  if (is_done && text == NULL)
    is_done = profile_error_set_memory (err, path);
  unsigned long number = 1;
  char *rest = text;
  for (char *line; is_done && (line = strsep (&rest, "\n")) != NULL; number++)
    is_done = add_line (list, line, path, number, err);
  free (text);
  return is_done;
}

void
input_list_free (struct input_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    free (list->files[i].path);
  free (list->files);
  *list = (struct input_list){ 0 };
}
