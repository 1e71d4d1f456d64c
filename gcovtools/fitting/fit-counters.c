/* gcc's data files fitted to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-counters.h"
#include "counted-object.h"
#include "diagnostics.h"
#include "fit-report.h"
#include "gcov-fit.h"
#include "gcov-notes-file.h"
#include "gcov-unit-notes.h"
#include "unit-pairs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct versions
{
  struct gcov_fit_before *before;
  struct gcov_notes **before_notes; /* owned; NULL: missing */
  size_t before_count;
  struct input_list new_files;
  struct gcov_fit_after *after;
  struct gcov_notes **after_notes;   /* owned */
  struct gcov_value_counts **counts; /* owned, of each of AFTER */
  char **paths;			     /* of the new data files, malloced */
};

static void
release (struct versions *versions)
{
  for (size_t i = 0;
       versions->before_notes != NULL && i < versions->before_count; i++)
    gcov_notes_free (versions->before_notes[i]);
  for (size_t i = 0; i < versions->new_files.count; i++)
    {
      if (versions->after_notes != NULL)
	gcov_notes_free (versions->after_notes[i]);
      if (versions->paths != NULL)
	free (versions->paths[i]);
      if (versions->counts != NULL)
	free (versions->counts[i]);
    }
  free (versions->before);
  free (versions->before_notes);
  free (versions->after);
  free (versions->after_notes);
  free (versions->paths);
  free (versions->counts);
  input_list_free (&versions->new_files);
}

/* Read the notes of the N UNITS, read from INPUTS.  */
static bool
read_before (struct versions *versions, const struct gcov_unit *const *units,
	     size_t n, const struct profile_inputs *inputs)
{
  struct gcov_unit_notes notes;
  struct profile_error err;
  size_t missing = 0;
  versions->before_count = n;
  versions->before = calloc (n + 1, sizeof *versions->before);
  versions->before_notes = calloc (n + 1, sizeof *versions->before_notes);
  if (versions->before == NULL || versions->before_notes == NULL)
    {
      diagnostics_memory ();
      return false;
    }
  bool has_failed = !gcov_unit_notes_init (&notes, inputs);
  for (size_t i = 0; !has_failed && i < n; i++)
    {
      versions->before_notes[i]
	= gcov_unit_notes_read (&notes, units[i], &has_failed);
      versions->before[i]
	= (struct gcov_fit_before){ units[i], versions->before_notes[i] };
      missing += versions->before_notes[i] == NULL;
    }
  gcov_unit_notes_free (&notes);
  if (has_failed)
    return false;
  if (missing == n)
    {
      profile_error_set (&err, inputs->paths[0], PROFILE_ERROR_NO_OFFSET,
			 "cannot match counters without notes (.gcno) of the "
			 "same compilation, written by `gcc -ftest-coverage'; "
			 "use --notes if they are elsewhere");
      diagnostics_error (&err);
      return false;
    }
  if (missing > 0)
    diagnostics_warning ("changed functions of %zu of %zu units are not "
			 "matched: no notes (.gcno) from the same compilation",
			 missing, n);
  return true;
}

/* Return the name of the data file of the notes NAME; NULL if memory is
   exhausted.  */
static char *
data_path (const char *name)
{
  char *path;
  size_t n = strlen (name);
  size_t suffix = strlen (".gcno");
  if (n > suffix && strcmp (name + n - suffix, ".gcno") == 0)
    n -= suffix;
  return asprintf (&path, "%.*s.gcda", (int) n, name) < 0 ? NULL : path;
}

/* Read how many values the functions of the notes NAME have from the object
   beside them, if it is there.  */
static bool
read_object (struct versions *versions, size_t i, const char *name)
{
  struct gcov_fit_after *after = &versions->after[i];
  size_t bytes = strlen (name);
  size_t suffix = strlen (".gcno");
  char *path;
  if (bytes <= suffix || strcmp (name + bytes - suffix, ".gcno") != 0)
    return true;
  if (asprintf (&path, "%.*s.o", (int) (bytes - suffix), name) < 0)
    return false;
  bool is_done
    = counted_object_read (path, &versions->counts[i], &after->count_count);
  after->counts = versions->counts[i];
  free (path);
  return is_done;
}

/* Read the new file I, whose unit before is BEFORE.  */
static bool
read_new_file (struct versions *versions, size_t i, size_t before,
	       struct profile_error *err)
{
  const struct input_file *file = &versions->new_files.files[i];
  struct gcov_fit_after *after = &versions->after[i];
  versions->after_notes[i] = gcov_notes_file_read (file->path, err);
  if (versions->after_notes[i] == NULL)
    return false;
  versions->paths[i] = before != SIZE_MAX
			 ? strdup (versions->before[before].unit->path)
			 : data_path (file->unit_path);
  *after
    = (struct gcov_fit_after){ versions->paths[i], versions->after_notes[i],
			       before != SIZE_MAX ? before : GCOV_FIT_NEW, NULL,
			       0 };
  return (versions->paths[i] != NULL && read_object (versions, i, file->path))
	 || profile_error_set_memory (err, file->path);
}

/* Read the notes of the newer version.  */
static bool
read_after (struct versions *versions, const struct gcov_unit *const *units,
	    size_t n, const struct counters_fitting *fitting)
{
  struct profile_error err;
  bool is_done = true;
  for (size_t i = 0; is_done && i < fitting->new_notes_count; i++)
    is_done = input_list_add_notes (&versions->new_files, fitting->new_notes[i],
				    &err);
  size_t count = versions->new_files.count;
  size_t *pairs = calloc (count + 1, sizeof *pairs);
  versions->after = calloc (count + 1, sizeof *versions->after);
  versions->after_notes = calloc (count + 1, sizeof *versions->after_notes);
  versions->paths = calloc (count + 1, sizeof *versions->paths);
  versions->counts = calloc (count + 1, sizeof *versions->counts);
  if (is_done)
    is_done = (pairs != NULL && versions->after != NULL
	       && versions->after_notes != NULL && versions->paths != NULL
	       && versions->counts != NULL
	       && unit_pairs_find (&versions->new_files, units, n, pairs))
	      || profile_error_set_memory (&err, NULL);
  for (size_t i = 0; is_done && i < count; i++)
    is_done = read_new_file (versions, i, pairs[i], &err);
  if (!is_done)
    diagnostics_error (&err);
  free (pairs);
  return is_done;
}

/* Write the counters of VERSIONS as FITTING says, and report.  */
static bool
fit (const struct versions *versions, const struct counters_fitting *fitting)
{
  struct profile_error err;
  struct stale_samples_report report;
  struct profile fitted = { 0 };
  fitted.gcov
    = gcov_fit (versions->before, versions->before_count, versions->after,
		versions->new_files.count, &report, &err);
  bool is_done = fitted.gcov != NULL;
  if (!is_done)
    diagnostics_error (&err);
  is_done
    = is_done
      && gcov_tree_write (&fitting->tree, &fitted, fitting->inputs->paths[0]);
  if (is_done)
    fit_report_print (stdout, &report);
  stale_samples_report_release (&report);
  gcov_profile_free (fitted.gcov);
  return is_done;
}

/* Return true if PROFILE has gcc's counters; otherwise print an error.  */
static bool
check (const struct profile *profile, const char *path)
{
  struct profile_error err;
  if (profile->gcov != NULL && profile->gcov->unit_count > 0)
    return true;
  profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET, "%s",
		     profile->counters != NULL
		       ? "cannot match clang's counters: they have no notes"
		       : "no gcc counters in this profile: use --binary for "
			 "samples and heap profiles");
  diagnostics_error (&err);
  return false;
}

bool
counters_fit (const struct counters_fitting *fitting)
{
  struct versions versions = { 0 };
  struct profile *profile = profile_inputs_read (fitting->inputs);
  if (profile == NULL)
    return false;
  const struct gcov_unit **units = NULL;
  bool is_done = check (profile, fitting->inputs->paths[0]);
  if (is_done)
    {
      units = gcov_profile_order (profile->gcov);
      is_done = units != NULL;
      if (!is_done)
	diagnostics_memory ();
    }
  is_done = is_done
	    && read_before (&versions, units, profile->gcov->unit_count,
			    fitting->inputs)
	    && read_after (&versions, units, profile->gcov->unit_count, fitting)
	    && fit (&versions, fitting);
  release (&versions);
  free (units);
  profile_free (profile);
  return is_done;
}
