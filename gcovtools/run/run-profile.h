/* The profile of a run: merging, writing and printing it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RUN_PROFILE_H
#define HEAPPROF_RUN_PROFILE_H

#include "allocation-wrappers.h"
#include "leak-suppressions.h"
#include "output-form.h"
#include "raw-folder.h"
#include <stdbool.h>
#include <stddef.h>

struct run_profile
{
  const char *output; /* the indexed profile to write */
  const char *report; /* the HTML file to write; NULL: none */
  /* Files for advice in the forms of findings, `-': standard error.  */
  const char *findings[OUTPUT_FORMS]; /* NULL: none */
  const char *debug_directories;      /* NULL: the system's */
  size_t top;			      /* sites of the summary; 0: all */
  bool is_quiet;		      /* no summary */
  struct wrapper_options wrappers;
  struct leak_suppressions suppressions;
};

/* Merge the raw profiles of FOLDER, at least one, write what PROFILE asks for,
   and print the summary on standard error.  Remove FOLDER if it is the run's
   own, unless a process is still running.  Return false after printing an error
   on failure; the folder stays then.  Set *LEAKS to what is known about lost
   blocks that are not suppressed.  */
enum run_leaks
{
  RUN_LEAKS_UNKNOWN,
  RUN_LEAKS_NONE,
  RUN_LEAKS_FOUND
};
bool run_profile_finish (const struct run_profile *profile,
			 struct raw_folder *folder, enum run_leaks *leaks);

#endif /* HEAPPROF_RUN_PROFILE_H */
