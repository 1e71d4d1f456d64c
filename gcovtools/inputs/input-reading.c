/* Sequential reading of inputs into a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "input-reading.h"
#include <stdlib.h>

bool
input_reading_init (struct input_reading *reading,
		    const struct profile_inputs *inputs,
		    struct address_names *names, struct profile_error *err)
{
  *reading = (struct input_reading){ .profile = profile_new (),
				     .names = names,
				     .notes_directory = inputs->notes_directory,
				     .may_be_brief = inputs->may_be_brief };
  return reading->profile != NULL || profile_error_set_memory (err, NULL);
}

void
input_reading_release (struct input_reading *reading)
{
  profile_symbolizer_free (reading->symbolizer);
  reading->symbolizer = NULL;
}

/* Read SOURCE of KIND into a separate profile, then add that WEIGHT times.
   Set *IS_INVALID to whether SOURCE caused a failure.  */
static bool
fold_apart (struct input_reading *reading, const struct input_kind *kind,
	    const struct input_source *source, uint64_t weight,
	    bool *is_invalid, struct profile_error *err)
{
  struct input_reading part = *reading;
  part.symbolizer = NULL;
  part.may_be_brief &= weight == 1; /* it is scaled otherwise */
  part.profile = profile_new ();
  *is_invalid = false;
  bool is_done
    = part.profile != NULL || profile_error_set_memory (err, source->path);
  if (is_done)
    {
      is_done = kind->fold (&part, source, err);
      *is_invalid = !is_done;
    }
  is_done = is_done
	    && (profile_scale (part.profile, weight)
		|| profile_error_set_memory (err, source->path));
  if (is_done && !profile_merge (reading->profile, part.profile, err))
    {
      err->path = source->path;
      is_done = false;
    }
  profile_symbolizer_free (part.symbolizer);
  profile_free (part.profile);
  return is_done;
}

/* Add INPUT, whose content is loaded.  */
static bool
fold_content (struct input_reading *reading, const struct input *input,
	      enum failure_mode mode, bool *is_invalid,
	      struct profile_error *err)
{
  const struct input_kind *kind = input->kind;
  const struct input_source *source = &input->source;
  uint64_t weight = input->file->weight;
  *is_invalid = true;
  if (mode != FAILURE_ANY && kind->check != NULL && !kind->check (source, err))
    return false;
  if (weight != 1 || (mode != FAILURE_ANY && kind->check == NULL))
    return fold_apart (reading, kind, source, weight, is_invalid, err);
  *is_invalid = false;
  return kind->fold (reading, source, err);
}

bool
input_reading_fold (struct input_reading *reading, struct input *input,
		    enum failure_mode mode, struct profile_error *err)
{
  bool is_invalid = true;
  bool is_done = input_load (input, err)
		 && fold_content (reading, input, mode, &is_invalid, err);
  input_unload (input);
  if (is_done || mode == FAILURE_ANY || !is_invalid)
    return is_done;
  diagnostics_left_out (err);
  input->is_left_out = true;
  return true;
}
