/* Programs and libraries of which not everything could be named, and why.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_MODULES_H
#define HEAPPROF_SHOW_MODULES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

/* Print a note for each module of REPORT that matters to a reader: not for
   libraries without debug information, as many are, unless functions of theirs
   have no names.  False if memory is exhausted.  */
bool show_modules_text (const struct heap_report *report);

/* Write all of them to OUT as a member of an object, with a comma in front of
   it; nothing if there are none.  False if memory is exhausted.  */
bool show_modules_json (const struct heap_report *report, FILE *out);

#endif /* HEAPPROF_SHOW_MODULES_H */
