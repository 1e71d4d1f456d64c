/* The heap over time, and its marks, as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_TIMES_H
#define HEAPPROF_SHOW_TIMES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

/* Write the timelines and marks of REPORT's profile to OUT as two members of an
   object, after others.  Return false if memory is exhausted.  */
bool show_times_json (const struct heap_report *report, FILE *out);

#endif /* HEAPPROF_SHOW_TIMES_H */
