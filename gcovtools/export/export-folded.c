/* Folded stacks, the input of flame graphs: a line per calling context with its
   functions from the outermost to the innermost, and a number.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "text-output.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
      uint32_t *frames = export_frames (input, entry, &count);
      if (frames == NULL)
	return false;
      for (size_t j = count; j-- > 0;)
	{
	  write_name (frame_names_text (input->names, frames[j]),
		      j == count - 1, out);
	  fputs (j > 0 ? ";" : "", out);
	}
      fprintf (out, " %" PRIu64 "\n", value);
      free (frames);
    }
  return true;
}
