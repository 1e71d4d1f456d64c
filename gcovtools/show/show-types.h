/* Data types, for `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_TYPES_H
#define HEAPPROF_SHOW_TYPES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

/* Print sums for each data type of REPORT and, with BY_FIELD, each member of
   classes.  Return false if memory is exhausted.  */
bool show_types_text (const struct heap_report *report, bool by_field);

/* Write the same to OUT as JSON member "types" preceded by a comma, if the
   profile knows any types; names are escaped as plain text (plain-text.h) if
   AS_SHOWN.  Return false if memory is exhausted.  */
bool show_types_json (const struct heap_report *report, bool as_shown,
		      FILE *out);

#endif /* HEAPPROF_SHOW_TYPES_H */
