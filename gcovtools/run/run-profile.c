/* The profile of a run: merging, writing and printing it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "run-profile.h"
#include "diagnostics.h"
#include "indexed-profile.h"
#include "output-file.h"
#include "profile-inputs.h"
#include "report-html.h"
#include "show.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Write the report of HEAP to PATH.  Return false and set *ERR on failure.  */
static bool
write_report (struct heap_profile *heap, const char *title, const char *path,
	      struct profile_error *err)
{
  static const struct report_options options = { .demangle = true };
  static const struct html_options html = { 0 };
  struct heap_report report;
  char *text = NULL;
  size_t size = 0;
  profile_error_set_memory (err, path);
  if (!heap_report_make (&report, heap, &options))
    return false;
  heap_report_flatten (&report);
  FILE *out = open_memstream (&text, &size);
  bool is_made = out != NULL && report_html_write (&report, title, &html, out);
  if (out != NULL)
    is_made = fclose (out) == 0 && is_made;
  bool is_done = is_made && output_file_write (path, text, size, err);
  free (text);
  heap_report_release (&report);
  return is_done;
}

/* Print the summary of HEAP on standard error, which becomes standard output:
   the program's own is closed then.  */
static bool
print_summary (const struct run_profile *profile, struct heap_profile *heap)
{
  const struct report_options options
    = { .demangle = true, .top = profile->top };
  struct heap_report report;
  if (!heap_report_make (&report, heap, &options))
    {
      diagnostics_memory ();
      return false;
    }
  bool is_done = true;
  if (dup2 (STDERR_FILENO, STDOUT_FILENO) >= 0)
    {
      putchar ('\n');
      is_done = show_summary_text (&report, profile->output);
      if (!is_done)
	diagnostics_memory ();
      is_done = diagnostics_close_stdout () && is_done;
    }
  heap_report_release (&report);
  return is_done;
}

/* Write the files of READ.  */
static bool
write_files (const struct run_profile *profile, const struct profile *read)
{
  static const struct indexed_profile_options options = { 0 };
  struct profile_error err;
  if (indexed_profile_write (profile->output, read, &options, &err)
      && (profile->report == NULL
	  || write_report (read->heap, profile->output, profile->report, &err)))
    return true;
  diagnostics_error (&err);
  return false;
}

bool
run_profile_finish (const struct run_profile *profile,
		    struct raw_folder *folder)
{
  size_t left_out = 0;
  const struct profile_inputs inputs
    = { .paths = folder->files,
	.path_count = folder->count,
	.debug_directories = profile->debug_directories,
	.failure_mode = FAILURE_ALL,
	.left_out = &left_out };
  struct profile *read = profile_inputs_read (&inputs);
  if (read == NULL)
    return false;
  bool is_done = write_files (profile, read);
  bool is_running = heap_profile_totals (read->heap)->running_runs > 0;
  if (is_done && !is_running && left_out == 0)
    raw_folder_remove (folder);
  if (is_done && !profile->is_quiet)
    is_done = print_summary (profile, read->heap);
  if (is_running)
    diagnostics_note ("%s: processes that are still running continue their raw "
		      "profiles in this folder",
		      folder->path);
  profile_free (read);
  return is_done;
}
