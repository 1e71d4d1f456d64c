/* Writing gcc's data files below a directory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-tree.h"
#include "atomic-file.h"
#include "diagnostics.h"
#include "gcov-data.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Return true if PATH has a component `..'.  */
static bool
leads_up (const char *path)
{
  while (*path != '\0')
    {
      size_t n = strcspn (path, "/");
      if (n == 2 && memcmp (path, "..", 2) == 0)
	return true;
      path += n;
      path += strspn (path, "/");
    }
  return false;
}

/* Return PATH without PREFIX and the following slashes, or all of PATH if it
   does not start with PREFIX.  */
static const char *
strip_prefix (const char *path, const char *prefix)
{
  size_t n = prefix != NULL ? strlen (prefix) : 0;
  while (n > 0 && prefix[n - 1] == '/')
    n--;
  if (n > 0 && strncmp (path, prefix, n) == 0 && path[n] == '/')
    path += n;
  return path + strspn (path, "/");
}

/* Make the parent directories of PATH.  */
static bool
make_directories (char *path, struct profile_error *err)
{
  for (char *slash = strchr (path + 1, '/'); slash != NULL;
       slash = strchr (slash + 1, '/'))
    {
      *slash = '\0';
      bool is_there = mkdir (path, 0777) == 0 || errno == EEXIST;
      int cause = errno;
      *slash = '/';
      if (!is_there)
	return profile_error_set_errno (err, path,
					"cannot create its directory", cause);
    }
  return true;
}

/* Write UNIT to the file PATH.  */
static bool
write_file (const struct gcov_unit *unit, char *path, struct profile_error *err)
{
  struct byte_writer writer = { 0 };
  err->path = NULL;
  bool is_done = gcov_data_serialize (&writer, unit, err)
		 && gcov_data_check (unit, writer.size, err);
  if (!is_done)
    err->path = unit->path;
  is_done = is_done && make_directories (path, err)
	    && atomic_file_write (path, writer.data, writer.size, err);
  byte_writer_free (&writer);
  return is_done;
}

/* Write UNIT to its file of TREE.  Print an error on failure.  */
static bool
write_unit (const struct gcov_tree *tree, const struct gcov_unit *unit)
{
  struct profile_error err;
  char *path = NULL;
  bool is_done = false;
  const char *name = strip_prefix (unit->path, tree->prefix);
  if (*name == '\0' || leads_up (name))
    profile_error_set (&err, unit->path, PROFILE_ERROR_NO_OFFSET,
		       "cannot write below %s: %s", tree->directory,
		       *name == '\0' ? "empty name" : "its name contains ..");
  else if (asprintf (&path, "%s/%s", tree->directory, name) < 0)
    {
      path = NULL;
      profile_error_set_memory (&err, unit->path);
    }
  else
    is_done = write_file (unit, path, &err);
  if (!is_done)
    diagnostics_error (&err);
  free (path);
  return is_done;
}

/* Compare units by their names below the struct gcov_tree DATA.  */
static int
compare_names (const void *element1, const void *element2, void *data)
{
  const struct gcov_unit *a = *(const struct gcov_unit *const *) element1;
  const struct gcov_unit *b = *(const struct gcov_unit *const *) element2;
  const struct gcov_tree *tree = data;
  return strcmp (strip_prefix (a->path, tree->prefix),
		 strip_prefix (b->path, tree->prefix));
}

static void
refuse_both (const struct gcov_unit *a, const struct gcov_unit *b)
{
  struct profile_error err;
  profile_error_set (&err, b->path, PROFILE_ERROR_NO_OFFSET,
		     "the profile has two builds of it, with stamps %u and %u: "
		     "one data file cannot hold both",
		     a->stamp, b->stamp);
  diagnostics_error (&err);
}

/* Write the COUNT UNITS, each to its file of TREE.  Refuse units that share a
   file name.  */
static bool
write_units (const struct gcov_tree *tree, const struct gcov_unit **units,
	     size_t count)
{
  struct gcov_tree by_name = *tree;
  bool is_done = true;
  bool is_apart = true; /* next unit has another name */
  qsort_r (units, count, sizeof *units, compare_names, &by_name);
  for (size_t i = 0; i < count; i++)
    {
      bool was_apart = is_apart;
      is_apart = i + 1 == count
		 || compare_names (&units[i], &units[i + 1], &by_name) != 0;
      if (!is_apart)
	refuse_both (units[i], units[i + 1]);
      is_done &= was_apart && is_apart && write_unit (tree, units[i]);
    }
  return is_done;
}

bool
gcov_tree_write (const struct gcov_tree *tree, const struct profile *profile,
		 const char *path)
{
  struct profile_error err;
  if (profile->gcov == NULL || profile->gcov->unit_count == 0)
    {
      const char *cause = "no counters in this profile";
      if (profile->counters != NULL)
	cause = "cannot convert clang's counters to gcc's data files: the "
		"compilers count arcs of different graphs";
      profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET, "%s", cause);
      diagnostics_error (&err);
      return false;
    }
  const struct gcov_unit **order = gcov_profile_order (profile->gcov);
  if (order == NULL)
    {
      diagnostics_memory ();
      return false;
    }
  bool is_done = write_units (tree, order, profile->gcov->unit_count);
  free (order);
  return is_done;
}
