/* Mapping of calling contexts to lines of a source file.
   SPDX-License-Identifier: GPL-3.0-or-later

   A context uses each line of the file that occurs in one of its frames: it
   allocates on the line of its site, and is called from the others.  */

#ifndef HEAPPROF_SOURCE_LINES_H
#define HEAPPROF_SOURCE_LINES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A context on a line.  Each pair of context and line occurs once, as site if
   it is both site and call.  */
struct line_use
{
  uint32_t line;
  bool is_site;
  const struct report_entry *entry;
};

struct source_lines
{
  struct line_use *uses; /* sorted by line, then as in the report */
  size_t count;
  const char *path;  /* path in the profile, NULL if no frame is in the file */
  const char *other; /* another file that PATH may refer to; NULL: none */
};

/* Find the uses of the file PATH (see source-path.h).  Return false if memory
   is exhausted; release *LINES in any case.  */
bool source_lines_make (struct source_lines *lines,
			const struct heap_report *report, const char *path);
void source_lines_release (struct source_lines *lines);

/* Return the sum over the COUNT USES that are sites, if IS_SITE, or calls,
   otherwise.  Store their marks in *MARKS.  */
struct memory_info source_lines_sum (const struct line_use *uses, size_t count,
				     bool is_site, unsigned int *marks);

#endif /* HEAPPROF_SOURCE_LINES_H */
