/* Names of all functions in a heap profile, each made once.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "frame-names.h"
#include "frame-text.h"
#include <stdlib.h>

/* Assign a function number to frame ID.  NUMBERS, by string, holds function
   numbers plus one, 0 if not assigned.  */
static bool
add_frame (struct frame_names *names, const struct heap_report *report,
	   bool with_parameters, uint32_t id, uint32_t *numbers)
{
  const struct heap_frame *frame = heap_profile_frame (report->profile, id);
  uint32_t *number = &numbers[frame->function_name];
  if (frame->function_name != 0 && *number != 0)
    {
      names->functions[id] = *number - 1;
      return true;
    }
  char *text = frame_name_text (report, frame, with_parameters);
  names->texts[names->count] = text;
  names->frames[names->count] = id;
  names->functions[id] = names->count++;
  *number = names->count;
  return text != NULL;
}

bool
frame_names_make (struct frame_names *names, const struct heap_report *report,
		  bool with_parameters)
{
  const struct heap_profile *profile = report->profile;
  size_t room = (size_t) heap_profile_frame_count (profile) + 1;
  uint32_t *numbers = calloc ((size_t) heap_profile_string_count (profile) + 1,
			      sizeof *numbers);
  *names
    = (struct frame_names){ .functions
			    = calloc (room, sizeof *names->functions),
			    .texts = calloc (room, sizeof *names->texts),
			    .frames = calloc (room, sizeof *names->frames) };
  bool is_done = numbers != NULL && names->functions != NULL
		 && names->texts != NULL && names->frames != NULL;
  for (uint32_t id = 0; id + 1 < room && is_done; id++)
    is_done = add_frame (names, report, with_parameters, id, numbers);
  free (numbers);
  return is_done;
}

void
frame_names_release (struct frame_names *names)
{
  for (uint32_t i = 0; i < names->count; i++)
    free (names->texts[i]);
  free (names->functions);
  free (names->texts);
  free (names->frames);
}

const char *
frame_names_text (const struct frame_names *names, uint32_t frame)
{
  return names->texts[names->functions[frame]];
}
