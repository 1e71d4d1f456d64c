/* Source text annotated with allocations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ANNOTATE_H
#define HEAPPROF_ANNOTATE_H

#include "source-lines.h"
#include <stdbool.h>
#include <stdio.h>

/* Write TEXT, the source file PATH (NULL if it cannot be read), annotated with
   LINES to OUT; if WITH_CONTEXTS, also print the contexts that allocated on
   each line.  Return false if memory is exhausted.  */
bool annotate_text (const struct heap_report *report,
		    const struct source_lines *lines, const char *path,
		    const char *text, bool with_contexts, FILE *out);

/* Write LINES of the file PATH as a JSON object.  */
bool annotate_json (const struct heap_report *report,
		    const struct source_lines *lines, const char *path,
		    FILE *out);

#endif /* HEAPPROF_ANNOTATE_H */
