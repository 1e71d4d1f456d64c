/* The frames of a context as they are shown to people.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "shown-frames.h"
#include <stdlib.h>
#include <string.h>

bool
shown_frames_hide (const struct allocation_wrappers *wrappers, uint32_t node)
{
  const struct heap_profile *profile = wrappers->profile;
  uint32_t caller = heap_profile_context_caller (profile, node);
  if (allocation_wrappers_below_python (wrappers, node)
      && allocation_wrappers_role (wrappers,
				   heap_profile_context_frame (profile, node))
	   == PYTHON_INTERPRETER)
    return true;
  return caller != 0
	 && allocation_wrappers_kind (wrappers,
				      heap_profile_context_frame (profile,
								  node))
	      == WRAPPER_LIBRARY
	 && allocation_wrappers_kind (wrappers,
				      heap_profile_context_frame (profile,
								  caller))
	      == WRAPPER_LIBRARY;
}

/* Functions of Python code may have this name, too.  */
static bool
is_main (const struct allocation_wrappers *wrappers, uint32_t node)
{
  const struct heap_profile *profile = wrappers->profile;
  uint32_t id = heap_profile_context_frame (profile, node);
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  return allocation_wrappers_role (wrappers, id) != PYTHON_CODE
	 && strcmp (heap_profile_string (profile, frame->function_name), "main")
	      == 0;
}

/* Return true if NODE, a caller of all Python code in a context, is in the
   interpreter, or in the C library's start of a program.  */
static bool
starts_python (const struct allocation_wrappers *wrappers, uint32_t node)
{
  const struct heap_profile *profile = wrappers->profile;
  uint32_t id = heap_profile_context_frame (profile, node);
  const char *name
    = heap_profile_string (profile,
			   heap_profile_frame (profile, id)->function_name);
  return allocation_wrappers_role (wrappers, id) == PYTHON_INTERPRETER
	 || strcmp (name, "_start") == 0
	 || strncmp (name, "__libc_start_", strlen ("__libc_start_")) == 0;
}

/* Return true if frames inside NODE, or around it, stand for it in a context
   whose SITE is in Python code.  */
static bool
is_hidden_by_python (const struct allocation_wrappers *wrappers, uint32_t node)
{
  return allocation_wrappers_below_python (wrappers, node)
	   ? shown_frames_hide (wrappers, node)
	   : starts_python (wrappers, node);
}

/* Fill SHOWN, which has room, with the frames that are not hidden.  */
static void
choose_frames (struct shown_frames *shown, const struct heap_report *report,
	       uint32_t context)
{
  const struct heap_profile *profile = report->profile;
  const struct allocation_wrappers *wrappers = &report->wrappers;
  bool is_full = report->options.full;
  uint32_t site = allocation_wrappers_site (wrappers, context);
  uint32_t hidden = 0;
  bool is_inside = context != site;
  bool is_python = allocation_wrappers_below_python (wrappers, site);
  while (context != 0)
    {
      uint32_t caller = heap_profile_context_caller (profile, context);
      is_inside = is_inside && context != site;
      bool is_hidden = is_python   ? is_hidden_by_python (wrappers, context)
		       : is_inside ? caller != site
				   : wrappers->kinds != NULL
				       && shown_frames_hide (wrappers, context);
      if (!is_full && is_hidden)
	hidden++;
      else
	{
	  shown->frames[shown->count++] = (struct shown_frame){
	    .node = context,
	    .frame = heap_profile_context_frame (profile, context),
	    .hidden = hidden
	  };
	  hidden = 0;
	}
      if (!is_full && is_main (wrappers, context))
	break;
      context = caller;
    }
}

static inline bool
are_equal (const struct shown_frame *a, const struct shown_frame *b)
{
  return a->frame == b->frame && a->hidden == b->hidden;
}

/* Return how many of the COUNT FRAMES are repetitions of the first CYCLE, after
   these.  */
static size_t
count_repeated (const struct shown_frame *frames, size_t count, size_t cycle)
{
  size_t same = 0;
  while (cycle + same < count
	 && are_equal (&frames[same], &frames[cycle + same]))
    same++;
  return same - same % cycle;
}

/* Shorten repetitions in SHOWN: of cycles that start at a frame, the one that
   covers most, and of these the shortest.  */
static void
fold (struct shown_frames *shown)
{
  struct shown_frame *frames = shown->frames;
  size_t kept = 0;
  for (size_t i = 0; i < shown->count;)
    {
      size_t most = 0;
      size_t cycle = 1;
      size_t left = shown->count - i;
      for (size_t c = 1; c <= SHOWN_CYCLE_FRAMES && 2 * c <= left; c++)
	{
	  size_t repeated = count_repeated (&frames[i], left, c);
	  if (repeated > 0 && c + repeated > cycle + most)
	    {
	      most = repeated;
	      cycle = c;
	    }
	}
      memmove (&frames[kept], &frames[i], cycle * sizeof *frames);
      kept += cycle;
      i += cycle + most;
      if (most > 0)
	{
	  frames[kept - 1].cycle = (uint32_t) cycle;
	  frames[kept - 1].times = (uint32_t) (most / cycle + 1);
	}
    }
  shown->count = kept;
}

bool
shown_frames_make (struct shown_frames *shown, const struct heap_report *report,
		   uint32_t context)
{
  size_t depth = heap_report_depth (report->profile, context, 0);
  *shown = (struct shown_frames){ .frames
				  = calloc (depth + 1, sizeof *shown->frames) };
  if (shown->frames == NULL)
    return false;
  choose_frames (shown, report, context);
  if (!report->options.full)
    fold (shown);
  return true;
}

void
shown_frames_release (struct shown_frames *shown)
{
  free (shown->frames);
}
