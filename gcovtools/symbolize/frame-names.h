/* The names of all functions in a heap profile, each made once.
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
  uint32_t *functions; /* the number of a frame's, by frame id */
  char **texts;	       /* as frame_name_text has them, by function */
  uint32_t *frames;    /* a frame of each function */
  uint32_t count;      /* of functions */
};

/* Name the frames of REPORT's profile.  False if memory is exhausted; release
 *NAMES in any case.  */
bool frame_names_make (struct frame_names *names,
		       const struct heap_report *report, bool with_parameters);
void frame_names_release (struct frame_names *names);

/* The name of FRAME's function.  */
const char *frame_names_text (const struct frame_names *names, uint32_t frame);

#endif /* HEAPPROF_FRAME_NAMES_H */
