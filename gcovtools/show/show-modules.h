/* Programs and libraries that were not completely symbolized, and why.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_MODULES_H
#define HEAPPROF_SHOW_MODULES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

/* Print a note for each incomplete module of REPORT that matters to a reader.
   Libraries often have no debug information and get a note only if their
   functions have no names.  Return false if memory is exhausted.  */
bool show_modules_text (const struct heap_report *report);

/* Write all incomplete modules to OUT as an object member preceded by a comma;
   nothing if there are none.  Return false if memory is exhausted.  */
bool show_modules_json (const struct heap_report *report, FILE *out);

#endif /* HEAPPROF_SHOW_MODULES_H */
