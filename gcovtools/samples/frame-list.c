/* Lists of the frames of calling contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "frame-list.h"
#include "growing-array.h"
#include <string.h>

bool
frame_list_append (struct frame_list *list, const struct sample_frame *frames,
		   uint32_t count)
{
  if (!growing_array_reserve (&list->frames, list->count, &list->capacity,
			      count, sizeof *frames))
    return false;
  if (count > 0)
    memcpy (&list->frames[list->count], frames, count * sizeof *frames);
  list->count += count;
  return true;
}

void
frame_list_trim (struct frame_list *list, const struct call_contexts *contexts)
{
  uint32_t limit = contexts->limit;
  list->count = (uint32_t) repeats_remove (list->frames, list->count,
					   sizeof *list->frames);
  if (!contexts->has_limit || list->count <= limit)
    return;
  memmove (list->frames, &list->frames[list->count - limit],
	   limit * sizeof *list->frames);
  list->count = limit;
}
