/* gcc's data files as inputs, with names from their notes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-inputs.h"
#include "diagnostics.h"
#include "gcov-data.h"
#include "gcov-names.h"
#include "gcov-notes-file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Name the functions of UNIT from NOTES, read from PATH.  */
static bool
take_notes (struct gcov_unit *unit, const struct gcov_notes *notes,
	    const char *path)
{
  if (notes->stamp == unit->stamp)
    return gcov_names_from_notes (unit, notes);
  diagnostics_warning ("%s: not used: from a different compilation than %s "
		       "(stamp %" PRIu32 ", not %" PRIu32 ")",
		       path, unit->path, notes->stamp, unit->stamp);
  return true;
}

/* Name the functions of UNIT from the notes PATH.  */
static bool
read_notes (struct gcov_unit *unit, const char *path, struct profile_error *err)
{
  struct gcov_notes *notes = gcov_notes_file_read (path, err);
  if (notes == NULL)
    return false;
  bool is_done
    = take_notes (unit, notes, path) || profile_error_set_memory (err, path);
  gcov_notes_free (notes);
  return is_done;
}

/* Name the functions of all units of GCOV, read from PATH.  */
static bool
name_functions (struct gcov_profile *gcov, const char *path,
		const char *notes_directory, struct profile_error *err)
{
  for (size_t i = 0; i < gcov->unit_count; i++)
    {
      struct gcov_unit *unit = gcov->units[i];
      bool is_stream = gcov->unit_count > 1;
      char *notes_path = gcov_notes_file_find (is_stream ? unit->path : path,
					       unit->path, notes_directory);
      if (notes_path == NULL)
	return profile_error_set_memory (err, path);
      bool is_done = *notes_path == '\0' || read_notes (unit, notes_path, err);
      if (!is_done && err->path == notes_path)
	{
	  /* The error must outlive the notes' path.  */
	  char cause[PROFILE_ERROR_CAUSE_BYTES];
	  memcpy (cause, err->cause, sizeof cause);
	  profile_error_set (err, path, err->offset, "its notes %s: %s",
			     notes_path, cause);
	}
      free (notes_path);
      if (!is_done)
	return false;
    }
  return true;
}

bool
gcov_inputs_add (struct profile *profile, const char *path,
		 const char *unit_path, const char *notes_directory,
		 const void *data, size_t size, struct profile_error *err)
{
  struct gcov_profile *into = profile_need_gcov (profile);
  struct gcov_profile *gcov = gcov_profile_new ();
  bool is_done
    = (into != NULL && gcov != NULL) || profile_error_set_memory (err, path);
  is_done = is_done && gcov_data_parse (gcov, path, unit_path, data, size, err)
	    && name_functions (gcov, path, notes_directory, err)
	    && (gcov_profile_merge (into, gcov)
		|| profile_error_set_memory (err, path));
  gcov_profile_free (gcov);
  return is_done;
}

void
gcov_inputs_report (const struct profile *profile)
{
  const struct gcov_profile *gcov = profile->gcov;
  uint64_t functions = 0;
  uint64_t unknown = 0;
  for (size_t i = 0; gcov != NULL && i < gcov->unit_count; i++)
    for (uint32_t j = 0; j < gcov->units[i]->function_count; j++)
      {
	functions++;
	unknown += gcov->units[i]->functions[j].name == NULL;
      }
  if (unknown > 0)
    diagnostics_note ("%" PRIu64 " of %" PRIu64 " functions counted by gcc "
		      "have no known name: notes (.gcno) are missing",
		      unknown, functions);
  if (gcov != NULL && gcov->is_saturated)
    diagnostics_warning ("some sums of gcc's counters overflowed and are "
			 "capped");
}
