/* Lists of the frames of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FRAME_LIST_H
#define HEAPPROF_FRAME_LIST_H

#include "call-contexts.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames of a profile, outermost first; malloced.  All zeros is empty.  */
struct frame_list
{
  struct sample_frame *frames;
  uint32_t count;
  size_t capacity;
};

/* Append the COUNT FRAMES to LIST.  Return false if memory is exhausted.  */
bool frame_list_append (struct frame_list *list,
			const struct sample_frame *frames, uint32_t count);

/* Remove from LIST what is repeated (repeats_remove), and then all but the
   innermost frames that the limit of CONTEXTS allows.  */
void frame_list_trim (struct frame_list *list,
		      const struct call_contexts *contexts);

#endif /* HEAPPROF_FRAME_LIST_H */
