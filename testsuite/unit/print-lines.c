/* Print how often each line was executed, from a data file of gcc and its
   notes; heapprof.tools/gcov-lines.exp compares the output with gcov's.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-content.h"
#include "gcov-data.h"
#include "gcov-lines.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void
check (bool is_done, const struct profile_error *err)
{
  if (is_done)
    return;
  fprintf (stderr, "%s: %s\n", err->path, err->cause);
  exit (1);
}

/* Print LINE with gcov's marks.  */
static void
print_line (const char *path, const struct gcov_line *line)
{
  printf ("%s\t%" PRIu32 "\t", path, line->line);
  if (line->count != 0)
    printf ("%" PRIi64 "%s\n", line->count,
	    line->has_unexecuted_block ? "*" : "");
  else
    puts (line->is_exceptional ? "=====" : "#####");
}

int
main (int argc, char **argv)
{
  struct profile_error err = { 0 };
  void *data;
  size_t size;
  if (argc != 3)
    return 2;
  struct gcov_profile *profile = gcov_profile_new ();
  check (file_content_read (argv[1], &data, &size, &err), &err);
  check (gcov_data_parse (profile, argv[1], argv[1], data, size, &err), &err);
  free (data);
  check (file_content_read (argv[2], &data, &size, &err), &err);
  struct gcov_notes *notes = gcov_notes_parse (argv[2], data, size, &err);
  check (notes != NULL, &err);
  free (data);
  struct gcov_lines *lines = gcov_lines_count (notes, profile->units[0]);
  for (uint32_t i = 0; lines && i < lines->source_count; i++)
    for (uint32_t j = 0; j < lines->sources[i].line_count; j++)
      print_line (lines->sources[i].path, &lines->sources[i].lines[j]);
  gcov_lines_free (lines);
  gcov_notes_free (notes);
  gcov_profile_free (profile);
  return lines ? 0 : 1;
}
