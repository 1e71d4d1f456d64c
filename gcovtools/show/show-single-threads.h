/* Each thread's share of the heap, for `show'.
   SPDX-License-Identifier: GPL-3.0-or-later

   Show-threads.h is about the functions in which threads start: threads with
   the same one are one line there, and contexts of the profile can be selected.
   Here each thread of the runs is on its own, with all blocks that it
   allocated.  */

#ifndef HEAPPROF_SHOW_SINGLE_THREADS_H
#define HEAPPROF_SHOW_SINGLE_THREADS_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

/* Print the threads of REPORT.  Return false if memory is exhausted.  */
bool show_single_threads_text (const struct heap_report *report);

/* Write them to OUT as a member preceded by a comma; nothing if none are known.
   Return false if memory is exhausted.  */
bool show_single_threads_json (const struct heap_report *report, FILE *out);

#endif /* HEAPPROF_SHOW_SINGLE_THREADS_H */
