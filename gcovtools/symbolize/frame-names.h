/* Names of all functions in a heap profile, each made once.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FRAME_NAMES_H
#define HEAPPROF_FRAME_NAMES_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdint.h>

/* Functions are numbered from 0 in the order of the frames; frames that share a
   linkage name share a function.  */
struct frame_names
{
  uint32_t *functions; /* function number, by frame ID */
  char **texts;	       /* by function; as frame_name_text returns them */
  uint32_t *frames;    /* one frame of each function */
  uint32_t count;      /* of functions */
};

/* Name the frames of REPORT's profile.  Return false if memory is exhausted;
   release *NAMES in any case.  */
bool frame_names_make (struct frame_names *names,
		       const struct heap_report *report, bool with_parameters);
void frame_names_release (struct frame_names *names);

/* Return the name of FRAME's function.  */
const char *frame_names_text (const struct frame_names *names, uint32_t frame);

#endif /* HEAPPROF_FRAME_NAMES_H */
