/* Find the source file of a profile that a path refers to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "source-path.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Remove the last folder of the path in the SIZE bytes at TEXT, which starts
   with a slash if IS_ABSOLUTE.  Return the new size.  A leading `..' that
   cannot be resolved is kept.  */
static size_t
leave_folder (char *text, size_t size, bool is_absolute)
{
  size_t start = size;
  while (start > 0 && text[start - 1] != '/')
    start--;
  bool is_up = size - start == 2 && memcmp (text + start, "..", 2) == 0;
  if (size > start && !is_up)
    return start > 1 ? start - 1 : start;
  if (is_absolute)
    return size;
  if (size > 0)
    text[size++] = '/';
  memcpy (text + size, "..", 2);
  return size + 2;
}

char *
source_path_normalize (const char *path)
{
  bool is_absolute = *path == '/';
  /* A kept `..' takes no more room than in PATH, including its slash.  */
  char *text = malloc (strlen (path) + 2);
  size_t size = 0;
  if (text == NULL)
    return NULL;
  if (is_absolute)
    text[size++] = '/';
  while (*path != '\0')
    {
      size_t n = strcspn (path, "/");
      if (n == 2 && memcmp (path, "..", 2) == 0)
	size = leave_folder (text, size, is_absolute);
      else if (n > 0 && !(n == 1 && *path == '.'))
	{
	  if (size > 0 && text[size - 1] != '/')
	    text[size++] = '/';
	  memcpy (text + size, path, n);
	  size += n;
	}
      path += n;
      path += *path == '/';
    }
  text[size] = '\0';
  return text;
}

char *
source_path_absolute (const char *path)
{
  char folder[PATH_MAX];
  char *text;
  if (*path == '/' || getcwd (folder, sizeof folder) == NULL)
    return source_path_normalize (path);
  if (asprintf (&text, "%s/%s", folder, path) < 0)
    return NULL;
  char *normal = source_path_normalize (text);
  free (text);
  return normal;
}

/* Return PATH without leading `../'.  */
static const char *
behind_parents (const char *path)
{
  while (strncmp (path, "../", 3) == 0)
    path += 3;
  return path;
}

/* Return true if LONGER ends with the path SHORTER, in whole components.  */
static bool
ends_with (const char *longer, const char *shorter)
{
  size_t n = strlen (longer);
  size_t m = strlen (shorter);
  return m > 0 && n >= m && strcmp (longer + n - m, shorter) == 0
	 && (n == m || *shorter == '/' || longer[n - m - 1] == '/');
}

/* Return how many trailing components A and B have in common.  */
static unsigned int
common_components (const char *a, const char *b)
{
  size_t n = strlen (a);
  size_t m = strlen (b);
  unsigned int count = 0;
  while (n > 0 && m > 0 && a[n - 1] == b[m - 1])
    {
      n--;
      m--;
      count += a[n] == '/';
    }
  bool are_whole = (n == 0 || a[n - 1] == '/') && (m == 0 || b[m - 1] == '/');
  return count + (are_whole && (n == 0 || m == 0));
}

/* The path to find.  */
struct wanted
{
  char *full; /* malloced, as is NORMAL */
  char *normal;
  bool exists;
};

/* Return how well NAME, normalized, matches: 0 not at all, UINT_MAX
   exactly.  */
static unsigned int
fit (const struct wanted *wanted, const char *name)
{
  if (strcmp (name, wanted->full) == 0)
    return UINT_MAX;
  if (!ends_with (name, behind_parents (wanted->normal))
      && !(*name != '/' && ends_with (wanted->full, behind_parents (name))))
    return 0;
  return wanted->exists ? 1 + common_components (name, wanted->full) : 1;
}

/* State of the search through the files of a profile.  */
struct search
{
  struct wanted wanted;
  struct source_path *found;
  bool *is_wanted; /* by string */
  char *best;	   /* normalized, malloced; NULL: none yet */
  unsigned int best_fit;
};

/* Consider file NUMBER, called NAME.  Takes ownership of NAME, which is
   malloced.  */
static void
enter (struct search *search, uint32_t number, char *name, uint32_t count)
{
  unsigned int how_well = fit (&search->wanted, name);
  bool is_better = how_well > search->best_fit;
  if (is_better)
    {
      memset (search->is_wanted, 0, count * sizeof *search->is_wanted);
      *search->found = (struct source_path){ .file = number };
      search->best_fit = how_well;
      free (search->best);
      search->best = name;
    }
  if (how_well > 0 && how_well == search->best_fit)
    {
      if (strcmp (name, search->best) == 0)
	search->is_wanted[number] = true;
      else if (search->found->other == 0)
	search->found->other = number;
    }
  if (!is_better)
    free (name);
}

/* Consider the files of all frames of PROFILE, each once.  */
static bool
enter_files (struct search *search, const struct heap_profile *profile)
{
  uint32_t strings = heap_profile_string_count (profile);
  uint32_t frames = heap_profile_frame_count (profile);
  bool *is_done = calloc ((size_t) strings + 1, sizeof *is_done);
  bool is_entered = is_done != NULL;
  for (uint32_t id = 0; id < frames && is_entered; id++)
    {
      uint32_t file = heap_profile_frame (profile, id)->file;
      if (file == 0 || is_done[file])
	continue;
      is_done[file] = true;
      char *name = source_path_normalize (heap_profile_string (profile, file));
      is_entered = name != NULL;
      if (is_entered)
	enter (search, file, name, strings);
    }
  free (is_done);
  return is_entered;
}

bool
source_path_find (struct source_path *found, const struct heap_profile *profile,
		  const char *path, bool *is_wanted)
{
  struct search search = { .wanted = { .full = source_path_absolute (path),
				       .normal = source_path_normalize (path),
				       .exists = access (path, F_OK) == 0 },
			   .found = found,
			   .is_wanted = is_wanted };
  *found = (struct source_path){ 0 };
  bool is_done = search.wanted.full != NULL && search.wanted.normal != NULL
		 && enter_files (&search, profile);
  free (search.wanted.full);
  free (search.wanted.normal);
  free (search.best);
  return is_done;
}
