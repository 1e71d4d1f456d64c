/* The forms in which `show' prints a profile on standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_H
#define HEAPPROF_SHOW_H

#include "heap-report.h"
#include "show-counters.h"
#include <stdbool.h>
#include <stdio.h>

struct yaml_options
{
  bool full_schema;
  bool keep_columns;
};

/* Write REPORT, flattened, to OUT as the beginning of one JSON object, without
   its closing brace.  False if memory is exhausted.  */
bool show_heap_json (const struct heap_report *report, FILE *out);

/* Print REPORT as text for a reader.  TITLE names what it was made from.
   False if memory is exhausted.  */
bool show_text (const struct heap_report *report, const char *title);

/* Print REPORT, flattened, and, if they are not NULL, COUNTERS as one JSON
   object (heapprof-gcov-show(1) has the keys).  False if memory is
   exhausted.  */
bool show_json (const struct heap_report *report,
		const struct counter_profile *counters,
		const struct counter_options *options);

/* Print the contexts of REPORT, flattened, in LLVM's YAML form of an
   allocation profile.  False and *ERR, without a path, if that fails.  */
bool show_yaml (const struct heap_report *report,
		const struct yaml_options *options, struct profile_error *err);

/* The names of MARKS, `hot leak' and so on, in the order of their values;
   written to TEXT of REPORT_MARKS_TEXT_BYTES and returned.  */
#define REPORT_MARKS_TEXT_BYTES 48
const char *marks_text (char *text, unsigned int marks);

#endif /* HEAPPROF_SHOW_H */
