/* Printing of profiles by `show' on standard output.
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

/* Write REPORT, flattened, to OUT as the start of a JSON object, without its
   closing brace.  Return false if memory is exhausted.  */
bool show_heap_json (const struct heap_report *report, FILE *out);

/* Print REPORT as text.  TITLE names its source.  Return false if memory is
   exhausted.  */
bool show_text (const struct heap_report *report, const char *title);

/* The same without calling contexts.  */
bool show_summary_text (const struct heap_report *report, const char *title);

/* Print REPORT, flattened, and, if not NULL, COUNTERS as a JSON object
   (heapprof-gcov-show(1) lists the keys).  Return false if memory is
   exhausted.  */
bool show_json (const struct heap_report *report,
		const struct counter_profile *counters,
		const struct counter_options *options);

/* Print the contexts of REPORT, flattened, in LLVM's YAML form.  Return false
   and set *ERR, without a path, on failure.  */
bool show_yaml (const struct heap_report *report,
		const struct yaml_options *options, struct profile_error *err);

/* Write the names of MARKS, such as `hot leak', in the order of their values to
   TEXT of REPORT_MARKS_TEXT_BYTES and return it.  */
#define REPORT_MARKS_TEXT_BYTES 80
const char *marks_text (char *text, unsigned int marks);

#endif /* HEAPPROF_SHOW_H */
