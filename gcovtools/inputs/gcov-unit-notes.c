/* The notes of units of gcc's counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-unit-notes.h"
#include "diagnostics.h"
#include "gcov-notes-file.h"
#include <stdlib.h>
#include <string.h>

bool
gcov_unit_notes_init (struct gcov_unit_notes *notes,
		      const struct profile_inputs *inputs)
{
  struct profile_error err;
  *notes = (struct gcov_unit_notes){ .directory = inputs->notes_directory };
  bool is_done = input_list_add_all (&notes->files, inputs->paths,
				     inputs->path_count, &err);
  if (!is_done)
    diagnostics_error (&err);
  return is_done;
}

void
gcov_unit_notes_free (struct gcov_unit_notes *notes)
{
  input_list_free (&notes->files);
}

/* Like gcov_unit_notes_read, for UNIT of the data file PATH.  */
static struct gcov_notes *
read_notes_of (const struct gcov_unit_notes *unit_notes, const char *path,
	       const struct gcov_unit *unit, bool *has_failed)
{
  struct profile_error err;
  struct gcov_notes *notes = NULL;
  char *notes_path
    = gcov_notes_file_find (path, unit->path, unit_notes->directory);
  if (notes_path == NULL)
    {
      diagnostics_memory ();
      *has_failed = true;
      return NULL;
    }
  if (*notes_path != '\0'
      && (notes = gcov_notes_file_read (notes_path, &err)) == NULL)
    {
      diagnostics_error (&err);
      *has_failed = true;
    }
  if (notes != NULL && notes->stamp != unit->stamp)
    {
      gcov_notes_free (notes);
      notes = NULL;
    }
  free (notes_path);
  return notes;
}

/* A unit from an indexed profile has the path of its data file; other units
   were read from one of the input files.  */
struct gcov_notes *
gcov_unit_notes_read (const struct gcov_unit_notes *unit_notes,
		      const struct gcov_unit *unit, bool *has_failed)
{
  struct gcov_notes *notes = NULL;
  bool is_input = false;
  for (size_t i = 0;
       notes == NULL && !*has_failed && i < unit_notes->files.count; i++)
    {
      const struct input_file *file = &unit_notes->files.files[i];
      if (strcmp (file->unit_path, unit->path) != 0)
	continue;
      is_input = true;
      notes = read_notes_of (unit_notes, file->path, unit, has_failed);
    }
  return is_input ? notes
		  : read_notes_of (unit_notes, unit->path, unit, has_failed);
}
