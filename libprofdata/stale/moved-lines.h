/* How well the lines around a line of a function fit a newer version of it if
   they moved together.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MOVED_LINES_H
#define HEAPPROF_MOVED_LINES_H

#include "function-outline.h"
#include <stdbool.h>
#include <stddef.h>

/* The greatest fit.  */
#define MOVED_LINES_BEST 64

/* All zeros: no lines; nothing fits.  */
struct moved_lines
{
  int *before; /* with code in the old version, in order, each once */
  size_t before_count;
  bool *after; /* by line from FIRST: has code in the new version */
  size_t after_count;
  int first;
};

/* Set LINES to those of BEFORE and AFTER.  Return false if memory is exhausted;
   release LINES in any case.  */
bool moved_lines_make (struct moved_lines *lines,
		       const struct function_outline *before,
		       const struct function_outline *after);
void moved_lines_release (struct moved_lines *lines);

/* Return the share, of MOVED_LINES_BEST, of the old lines near LINE, without
   itself, that are on a new line with code if they are moved by SHIFT.  The
   nearer of them count more.  */
unsigned int moved_lines_fit (const struct moved_lines *lines, int line,
			      int shift);

#endif /* HEAPPROF_MOVED_LINES_H */
