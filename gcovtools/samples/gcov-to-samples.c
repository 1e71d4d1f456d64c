/* Conversion of gcc's counters in a profile to samples.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-to-samples.h"
#include "diagnostics.h"
#include "gcov-unit-notes.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct conversion
{
  struct gcov_samples *samples;
  struct gcov_unit_notes notes;
  size_t units_without_notes;
};

static bool
convert_unit (struct conversion *conversion, const struct gcov_unit *unit)
{
  bool has_failed = false;
  struct gcov_notes *notes
    = gcov_unit_notes_read (&conversion->notes, unit, &has_failed);
  if (has_failed)
    return false;
  if (notes == NULL)
    {
      conversion->units_without_notes++;
      return true;
    }
  bool is_done = gcov_samples_add (conversion->samples, unit, notes);
  if (!is_done)
    diagnostics_memory ();
  gcov_notes_free (notes);
  return is_done;
}

/* Report what is missing from the samples made from COUNT units.  Return false
   if everything is.  */
static bool
report (const struct conversion *conversion, size_t count, const char *path)
{
  struct gcov_samples_losses losses = gcov_samples_lost (conversion->samples);
  if (conversion->units_without_notes == count)
    {
      struct profile_error err;
      profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
			 "cannot find lines of counters without notes (.gcno) "
			 "of the same compilation, written by `gcc "
			 "-ftest-coverage'; use --notes if they are elsewhere");
      diagnostics_error (&err);
      return false;
    }
  if (conversion->units_without_notes > 0)
    diagnostics_warning ("%zu of %zu units are skipped: no notes (.gcno) from "
			 "the same compilation",
			 conversion->units_without_notes, count);
  if (losses.functions > 0)
    diagnostics_note ("%" PRIu64 " functions are skipped: their counters do "
		      "not match their notes",
		      losses.functions);
  if (losses.lines > 0)
    diagnostics_note ("%" PRIu64 " executed lines of blocks are skipped: they "
		      "belong to inlined functions, which the notes do not "
		      "name; gcc -O0 inlines nothing",
		      losses.lines);
  if (losses.calls > 0)
    diagnostics_note ("the targets of %" PRIu64 " indirect calls are skipped: "
		      "their lines are uncertain",
		      losses.calls);
  return true;
}

static bool
refuse (const struct profile *profile, const char *path)
{
  struct profile_error err;
  profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET, "%s",
		     profile->counters != NULL
		       ? "cannot make samples from clang's counters: they have "
			 "no lines"
		       : "no counters in this profile");
  diagnostics_error (&err);
  return false;
}

bool
gcov_to_samples (struct profile *profile, const struct profile_inputs *inputs,
		 enum gcov_samples_reader reader)
{
  struct conversion conversion = { 0 };
  if (profile->gcov == NULL || profile->gcov->unit_count == 0)
    return refuse (profile, inputs->paths[0]);
  struct sample_profile *into = profile_need_samples (profile);
  if (into != NULL)
    conversion.samples = gcov_samples_new (into, profile->gcov, reader);
  const struct gcov_unit **order = gcov_profile_order (profile->gcov);
  bool is_done = conversion.samples != NULL && order != NULL;
  if (!is_done)
    diagnostics_memory ();
  else
    is_done = gcov_unit_notes_init (&conversion.notes, inputs);
  for (size_t i = 0; is_done && i < profile->gcov->unit_count; i++)
    is_done = convert_unit (&conversion, order[i]);
  is_done
    = is_done
      && report (&conversion, profile->gcov->unit_count, inputs->paths[0]);
  gcov_unit_notes_free (&conversion.notes);
  gcov_samples_free (conversion.samples);
  free (order);
  if (is_done)
    {
      gcov_profile_free (profile->gcov);
      profile->gcov = NULL;
    }
  return is_done;
}
