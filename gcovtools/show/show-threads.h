/* What each thread allocated.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_THREADS_H
#define HEAPPROF_SHOW_THREADS_H

#include "heap-report.h"
#include "thread-starts.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The threads of a profile, with the names of the functions that they began
   with as its report wants them.  */
struct show_threads
{
  struct thread_starts starts;
  char **names; /* by thread, "" for THREAD_UNKNOWN; malloced,
		   and each but that */
};

/* Find the threads of REPORT's profile; WITH_PARAMETERS also names the types of
   parameters.  False if memory is exhausted; release *THREADS in any case.  */
bool show_threads_make (struct show_threads *threads,
			const struct heap_report *report, bool with_parameters);
void show_threads_release (struct show_threads *threads);

/* Print a table of what the threads of REPORT allocated in the contexts chosen,
   if there is another one than the first.  False if memory is exhausted.  */
bool show_threads_text (const struct heap_report *report);

/* Write THREADS with what they allocated in the contexts of REPORT to OUT as a
   member of an object, with a comma in front of it; nothing if none are known.
   False if memory is exhausted.  */
bool show_threads_json (const struct show_threads *threads,
			const struct heap_report *report, FILE *out);

#endif /* HEAPPROF_SHOW_THREADS_H */
