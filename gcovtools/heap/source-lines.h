/* Which calling contexts are on which lines of a source file.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context is on each line of the file that one of its frames has: at the line
   of its site it allocated, from the others it was called.  */

#ifndef HEAPPROF_SOURCE_LINES_H
#define HEAPPROF_SOURCE_LINES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A context on a line; of each context and line there is one, and the site's
   before a call's.  */
struct line_use
{
  uint32_t line;
  bool is_site;
  const struct report_entry *entry;
};

struct source_lines
{
  struct line_use *uses; /* by line, then as the contexts of the report */
  size_t count;
  const char *path;  /* as the profile has it, NULL if no frame is in
			the file */
  const char *other; /* another file that may be meant, likewise */
};

/* Find the uses of the file PATH (source-path.h).  False if memory is
   exhausted; release *LINES in any case.  */
bool source_lines_make (struct source_lines *lines,
			const struct heap_report *report, const char *path);
void source_lines_release (struct source_lines *lines);

/* The sum of what the COUNT USES allocated if IS_SITE, else of what they were
   called for; its marks are put into *MARKS.  */
struct memory_info source_lines_sum (const struct line_use *uses, size_t count,
				     bool is_site, unsigned int *marks);

#endif /* HEAPPROF_SOURCE_LINES_H */
