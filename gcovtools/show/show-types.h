/* What `show' says of data types.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_TYPES_H
#define HEAPPROF_SHOW_TYPES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdio.h>

/* Print what REPORT has of each data type, and with BY_FIELD each member of
   classes.  False if memory is exhausted.  */
bool show_types_text (const struct heap_report *report, bool by_field);

/* Write the same to OUT as the member "types" of a JSON object, with a comma in
   front, if the profile knows any types; names AS_SHOWN as plain text
   (plain-text.h).  */
bool show_types_json (const struct heap_report *report, bool as_shown,
		      FILE *out);

#endif /* HEAPPROF_SHOW_TYPES_H */
