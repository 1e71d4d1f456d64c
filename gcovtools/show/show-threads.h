/* Allocations by thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_THREADS_H
#define HEAPPROF_SHOW_THREADS_H

#include "heap-report.h"
#include "thread-starts.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The threads of a profile, with the names of their first functions in the form
   that the report's options select.  */
struct show_threads
{
  struct thread_starts starts;
  char **names; /* by thread, "" for THREAD_UNKNOWN; malloced, like each other
		   name */
};

/* Find the threads of REPORT's profile; WITH_PARAMETERS includes parameter
   types in names.  Return false if memory is exhausted; release *THREADS in any
   case.  */
bool show_threads_make (struct show_threads *threads,
			const struct heap_report *report, bool with_parameters);
void show_threads_release (struct show_threads *threads);

/* Print a table of what each thread allocated in the selected contexts of
   REPORT, if there are threads besides the first.  Return false if memory is
   exhausted.  */
bool show_threads_text (const struct heap_report *report);

/* Write THREADS, with what they allocated in the contexts of REPORT, to OUT as
   an object member preceded by a comma; nothing if none are known.  Return
   false if memory is exhausted.  */
bool show_threads_json (const struct show_threads *threads,
			const struct heap_report *report, FILE *out);

#endif /* HEAPPROF_SHOW_THREADS_H */
