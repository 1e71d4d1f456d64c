/* Discriminators of lines that a compiler numbered anew.
   SPDX-License-Identifier: GPL-3.0-or-later

   Code on one line is told apart by discriminators, which gcc counts in the
   order of blocks, sometimes over several functions: those of a function that
   was moved, or of a line whose code has changed, may all be others.  */

#ifndef HEAPPROF_LINE_DISCRIMINATORS_H
#define HEAPPROF_LINE_DISCRIMINATORS_H

#include "function-align.h"

/* Where ALIGNMENT moves places of a line to one that AFTER has, but not all
   with their discriminators, move them to those of AFTER in the same order.
   Calls with a partner, and places that moved to a part, stay as they are.  */
void line_discriminators_fit (struct function_alignment *alignment,
			      const struct function_outline *after);

#endif /* HEAPPROF_LINE_DISCRIMINATORS_H */
