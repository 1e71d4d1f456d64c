/* Folded stacks, the input of flame graphs: a line per calling context with its
   functions from the outermost to the innermost, and a number.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t *
export_frames (const struct heap_profile *profile, uint32_t context,
	       size_t *count)
{
  size_t depth = 0;
  for (uint32_t c = context; c != 0;
       c = heap_profile_context_caller (profile, c))
    depth++;
  uint32_t *frames = malloc ((depth + 1) * sizeof *frames);
  *count = depth;
  for (uint32_t c = context; c != 0 && frames != NULL;
       c = heap_profile_context_caller (profile, c))
    frames[--depth] = heap_profile_context_frame (profile, c);
  return frames;
}

/* Write NAME.  Semicolons separate names, and a line that starts with # could
   be taken for a comment.  */
static void
write_name (const char *name, bool is_first, FILE *out)
{
  size_t comment = is_first && *name == '#';
  write_text_bytes (name, comment, "#", out);
  write_text_bytes (name + comment, strlen (name + comment), ";", out);
}

bool
export_folded (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  for (size_t i = 0; i < report->context_count; i++)
    {
      const struct report_entry *entry = &report->contexts[i];
      uint64_t value = context_measure (&entry->info, input->value);
      size_t count;
      if (value == 0)
	continue;
      uint32_t *frames
	= export_frames (report->profile, entry->context, &count);
      if (frames == NULL)
	return false;
      for (size_t j = 0; j < count; j++)
	{
	  if (j > 0)
	    putc (';', out);
	  write_name (frame_names_text (input->names, frames[j]), j == 0, out);
	}
      fprintf (out, " %" PRIu64 "\n", value);
      free (frames);
    }
  return true;
}
