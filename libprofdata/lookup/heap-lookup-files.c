/* The source files of the functions in a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM's records identify functions by a hash of their names, which functions
   in several files may share; the heapprof section has the files.  They are
   needed for few functions of few units, so all are read on first use.  */

#include "heap-lookup-files.h"
#include "heap-profile.h"
#include "heapprof-section.h"
#include <limits.h>
#include <string.h>

/* Return how many components PATH1 and PATH2 have in common at their ends;
   INT_MAX if all components of one of them are.  */
static int
common_components (const char *path1, const char *path2)
{
  size_t n1 = strlen (path1);
  size_t n2 = strlen (path2);
  int count = 0;
  while (n1 > 0 && n2 > 0 && path1[n1 - 1] == path2[n2 - 1])
    {
      count += path1[n1 - 1] == '/';
      n1--;
      n2--;
    }
  const bool is_whole1 = n1 == 0 || path1[n1 - 1] == '/';
  const bool is_whole2 = n2 == 0 || path2[n2 - 1] == '/';
  if (is_whole1 && is_whole2)
    return n1 == 0 || n2 == 0 ? INT_MAX : count + 1;
  return count;
}

/* Return how well FRAME matches a function that starts in LINE of PATH: 0 if it
   is a different function.  Files with the same name in folders with different
   names are different, unless the function starts in the same line of both:
   sources may be moved.  */
static int
fitness (const struct heap_profile *profile, const struct heap_frame *frame,
	 const char *path, uint32_t line)
{
  const int common
    = common_components (heap_profile_string (profile, frame->file), path);
  return common > 1 || frame->start_line == line ? common : 0;
}

/* Profiles of other tools may have the line of FRAME only as an offset.  */
static bool
has_no_line (const struct heap_frame *frame)
{
  return frame->line == 0 && frame->line_offset == 0 && frame->column == 0;
}

struct heap_profile *
heap_lookup_files_read (const struct byte_reader *reader)
{
  struct heap_profile *profile = heap_profile_new ();
  if (profile != NULL && !heapprof_section_read_frames (reader, profile))
    {
      heap_profile_free (profile);
      profile = NULL;
    }
  return profile;
}

enum heap_lookup_where
heap_lookup_files_find_place (const struct heap_profile *profile,
			      const struct heap_lookup_place *place)
{
  int best = 0;
  int best_there = 0;
  bool is_known = false;
  bool is_nowhere = false;
  for (uint32_t i = 1; i < heap_profile_frame_count (profile); i++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, i);
      if (frame->function_guid != place->function)
	continue;
      const bool is_there = frame->line_offset == place->line_offset;
      is_nowhere |= is_there && has_no_line (frame);
      if (frame->line == 0 || frame->file == 0)
	continue;
      const int fit = fitness (profile, frame, place->path, place->start_line);
      best = fit > best ? fit : best;
      is_known |= is_there;
      if (is_there && fit > best_there)
	best_there = fit;
    }
  if (is_known)
    return best == 0 || best_there < best ? HEAP_LOOKUP_ELSEWHERE
					  : HEAP_LOOKUP_HERE;
  return is_nowhere ? HEAP_LOOKUP_NOWHERE : HEAP_LOOKUP_UNKNOWN;
}
