/* The profile of a run: merging, writing and printing it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "run-profile.h"
#include "advice-limits.h"
#include "advice-make.h"
#include "advise.h"
#include "diagnostics.h"
#include "heap-calibrate.h"
#include "indexed-profile.h"
#include "output-file.h"
#include "profile-inputs.h"
#include "report-html.h"
#include "show.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Write the report of HEAP.  Return false and set *ERR on failure.  */
static bool
write_report (const struct run_profile *profile, struct heap_profile *heap,
	      struct profile_error *err)
{
  const char *path = profile->report;
  const struct report_options options
    = { .demangle = true, .wrappers = profile->wrappers };
  static const struct html_options html = { 0 };
  struct heap_report report;
  char *text = NULL;
  size_t size = 0;
  profile_error_set_memory (err, path);
  if (!heap_report_make (&report, heap, &options))
    return false;
  heap_report_flatten (&report);
  FILE *out = open_memstream (&text, &size);
  bool is_made
    = out != NULL && report_html_write (&report, profile->output, &html, out);
  if (out != NULL)
    is_made = fclose (out) == 0 && is_made;
  bool is_done = is_made && output_file_write (path, text, size, err);
  free (text);
  heap_report_release (&report);
  return is_done;
}

/* ---- Findings.  */

/* Write the SIZE bytes at TEXT to FILE.  Return false and set *ERR on
   failure.  */
static bool
write_text_file (const char *file, const char *text, size_t size,
		 struct profile_error *err)
{
  if (!output_file_is_stdout (file))
    return output_file_write (file, text, size, err);
  errno = 0;
  if (fwrite (text, 1, size, stderr) == size && fflush (stderr) == 0)
    return true;
  return profile_error_set_errno (err, "standard error", "cannot write",
				  errno != 0 ? errno : EIO);
}

/* Write LIST to the file that PROFILE has for FORM, if any.  Return false and
   set *ERR on failure.  */
static bool
write_findings (const struct run_profile *profile,
		const struct finding_list *list, enum output_form form,
		struct profile_error *err)
{
  const char *file = profile->findings[form];
  char *text = NULL;
  size_t size = 0;
  if (file == NULL)
    return true;
  FILE *out = open_memstream (&text, &size);
  bool is_made = out != NULL && output_form_write (list, form, out);
  if (out != NULL)
    is_made = fclose (out) == 0 && is_made;
  bool is_done = is_made ? write_text_file (file, text, size, err)
			 : profile_error_set_memory (err, file);
  free (text);
  return is_done;
}

/* Write ADVICE in all forms that PROFILE asks for.  Return false and set *ERR
   on failure.  */
static bool
write_all_findings (const struct run_profile *profile,
		    const struct advice_list *advice, struct profile_error *err)
{
  const struct advise_print print
    = { .path = profile->output, .limit = ADVICE_LIMIT };
  struct finding_list list;
  bool is_done = advise_find (&list, advice, &print)
		 || profile_error_set_memory (err, profile->output);
  for (int form = OUTPUT_SARIF; form < OUTPUT_FORMS && is_done; form++)
    is_done = write_findings (profile, &list, (enum output_form) form, err);
  finding_list_release (&list);
  return is_done;
}

/* Return true if PROFILE asks for findings.  */
static bool
wants_findings (const struct run_profile *profile)
{
  for (int form = 0; form < OUTPUT_FORMS; form++)
    if (profile->findings[form] != NULL)
      return true;
  return false;
}

/* Write the advice on HEAP that PROFILE asks for.  If that fails, print an
   error and return false.  */
static bool
advise_on (const struct run_profile *profile, struct heap_profile *heap)
{
  const struct report_options options
    = { .demangle = true, .wrappers = profile->wrappers };
  struct advice_options advice_options
    = { .min_share_percent = ADVICE_MIN_SHARE_PERCENT,
	.path = profile->output };
  struct heap_report report;
  struct advice_list advice;
  struct profile_error err;
  if (!heap_report_make (&report, heap, &options))
    {
      diagnostics_memory ();
      return false;
    }
  for (int kind = 0; kind < ADVICE_KINDS; kind++)
    advice_options.kinds[kind] = true;
  bool is_done = (advice_make (&advice, &report, &advice_options)
		  || profile_error_set_memory (&err, profile->output))
		 && write_all_findings (profile, &advice, &err);
  if (!is_done)
    diagnostics_error (&err);
  advice_release (&advice);
  heap_report_release (&report);
  return is_done;
}

/* ---- The summary.  */

/* Print the summary of HEAP on standard error, which becomes standard output:
   the program's own is closed then.  */
static bool
print_summary (const struct run_profile *profile, struct heap_profile *heap)
{
  const struct report_options options
    = { .demangle = true, .wrappers = profile->wrappers, .top = profile->top };
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

/* Write the indexed profile of READ, and then, with calibrated estimates and
   without lost blocks that are suppressed, the page.  */
static bool
write_files (const struct run_profile *profile, const struct profile *read)
{
  static const struct indexed_profile_options options = { 0 };
  struct profile_error err;
  if (!indexed_profile_write (profile->output, read, &options, &err))
    {
      diagnostics_error (&err);
      return false;
    }
  heap_calibrate (read->heap);
  if (!leak_suppressions_apply (&profile->suppressions, read->heap))
    return false;
  if (profile->report == NULL || write_report (profile, read->heap, &err))
    return true;
  diagnostics_error (&err);
  return false;
}

/* Return what HEAP says about lost blocks.  */
static enum run_leaks
leaks_of (const struct heap_profile *heap)
{
  uint32_t count = heap_profile_context_count (heap);
  if (heap_profile_read_totals (heap)->searched_runs == 0)
    return RUN_LEAKS_UNKNOWN;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (heap, i);
      if (info != NULL && report_lost_count (info) > 0)
	return RUN_LEAKS_FOUND;
    }
  return RUN_LEAKS_NONE;
}

bool
run_profile_finish (const struct run_profile *profile,
		    struct raw_folder *folder, enum run_leaks *leaks)
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
  *leaks = leaks_of (read->heap);
  if (is_done && !is_running && left_out == 0)
    raw_folder_remove (folder);
  if (is_done && !profile->is_quiet)
    is_done = print_summary (profile, read->heap);
  if (is_done && wants_findings (profile))
    is_done = advise_on (profile, read->heap);
  if (is_running)
    diagnostics_note ("%s: processes that are still running continue their raw "
		      "profiles in this folder",
		      folder->path);
  profile_free (read);
  return is_done;
}
