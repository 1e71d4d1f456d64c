/* The notes of units of gcc's counters.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GCOV_UNIT_NOTES_H
#define HEAPPROF_GCOV_UNIT_NOTES_H

#include "gcov-notes.h"
#include "gcov-profile.h"
#include "profile-inputs.h"
#include <stdbool.h>

/* Where units came from.  All zeros is empty.  */
struct gcov_unit_notes
{
  struct input_list files; /* tells where units were read from */
  const char *directory;   /* with notes; NULL: next to the data files */
};

/* Fill *NOTES for units read from INPUTS.  On failure print an error and return
   false.  Free it with gcov_unit_notes_free in any case.  */
bool gcov_unit_notes_init (struct gcov_unit_notes *notes,
			   const struct profile_inputs *inputs);
void gcov_unit_notes_free (struct gcov_unit_notes *notes);

/* Read the notes of UNIT if they exist and belong to its compilation; otherwise
   return NULL.  On errors print one, set *HAS_FAILED and return NULL.  The
   caller frees the notes.  */
struct gcov_notes *gcov_unit_notes_read (const struct gcov_unit_notes *notes,
					 const struct gcov_unit *unit,
					 bool *has_failed);

#endif /* HEAPPROF_GCOV_UNIT_NOTES_H */
