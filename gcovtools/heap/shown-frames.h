/* The frames of a context as they are shown to people.
   SPDX-License-Identifier: GPL-3.0-or-later

   Of wrappers inside the site, and of neighbouring frames of the C++ library,
   the outermost stands for all.  The callers of main are left out.  Where a
   recursion repeats the same frames, they are shown once, with a count.  In
   contexts with Python code the interpreter's functions are left out, and what
   started it.  */

#ifndef HEAPPROF_SHOWN_FRAMES_H
#define HEAPPROF_SHOWN_FRAMES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer cycles are not folded.  */
#define SHOWN_CYCLE_FRAMES 32

struct shown_frame
{
  uint32_t node;   /* in the tree of contexts */
  uint32_t frame;  /* ID */
  uint32_t hidden; /* frames inside it that it stands for */
  /* The last CYCLE frames, this one included, occur TIMES times; 0: no cycle
     ends here.  */
  uint32_t cycle;
  uint32_t times;
};

/* Innermost first.  */
struct shown_frames
{
  struct shown_frame *frames; /* malloced */
  size_t count;
};

/* Return true if NODE is hidden: it and its caller are both in the C++ library,
   or Python code calls it, and it is in the interpreter.  */
bool shown_frames_hide (const struct allocation_wrappers *wrappers,
			uint32_t node);

/* Make the frames of CONTEXT as the options of REPORT select: with full, all of
   them, not folded.  Return false if memory is exhausted; release *SHOWN in any
   case.  */
bool shown_frames_make (struct shown_frames *shown,
			const struct heap_report *report, uint32_t context);
void shown_frames_release (struct shown_frames *shown);

#endif /* HEAPPROF_SHOWN_FRAMES_H */
