/* The source files of the functions in a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM's records identify functions by a hash of their names, which functions
   in several files may share; the heapprof section has the files, in a block of
   places where single functions are found.  Older profiles do not have it: all
   frames are read on first use.  */

#include "heap-lookup-files.h"
#include "heap-profile.h"
#include "heapprof-places.h"
#include "heapprof-section.h"
#include <limits.h>
#include <string.h>

int
heap_lookup_files_common (const char *path1, const char *path2)
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

int
heap_lookup_files_fitness (const struct heap_lookup_place *place,
			   const char *path, uint32_t start_line,
			   const struct heapprof_places_block *block,
			   struct heap_lookup_moved *last)
{
  const int common = heap_lookup_files_common (path, place->path);
  if (common != 1)
    return common;
  const bool is_same
    = start_line == place->start_line
      && (block == NULL || !heap_lookup_is_another (path, place->path)
	  || heap_lookup_is_moved (last, block, path, place->path));
  return is_same ? common : 0;
}

/* What the places of a function's calls say.  */
struct verdict
{
  int best;	   /* fitness of any place */
  int best_there;  /* of those with the call */
  bool is_known;   /* some have the call */
  bool is_nowhere; /* the call has no line */
};

static void
judge (struct verdict *verdict, int fit, bool has_call)
{
  verdict->best = fit > verdict->best ? fit : verdict->best;
  verdict->is_known |= has_call;
  if (has_call && fit > verdict->best_there)
    verdict->best_there = fit;
}

static enum heap_lookup_where
where (const struct verdict *verdict)
{
  if (verdict->is_known)
    return verdict->best == 0 || verdict->best_there < verdict->best
	     ? HEAP_LOOKUP_ELSEWHERE
	     : HEAP_LOOKUP_HERE;
  return verdict->is_nowhere ? HEAP_LOOKUP_NOWHERE : HEAP_LOOKUP_UNKNOWN;
}

enum heap_lookup_where
heap_lookup_files_find (const struct byte_reader *reader,
			const struct heap_lookup_place *place,
			struct heap_lookup_moved *last)
{
  struct verdict verdict = { 0 };
  struct heapprof_places_block block;
  struct heapprof_places places;
  struct heapprof_place there;
  struct heapprof_place_call call;
  if (!heapprof_places_open (&block, reader)
      || !heapprof_places_find (&block, place->function, &places))
    return HEAP_LOOKUP_UNKNOWN;
  verdict.is_nowhere = places.has_no_line && place->line_offset == 0;
  while (heapprof_places_next (&places, &there))
    {
      bool has_call = false;
      while (heapprof_places_next_call (&places, &there, &call))
	has_call |= call.line_offset == place->line_offset;
      judge (&verdict,
	     heap_lookup_files_fitness (place, there.path, there.start_line,
					&block, last),
	     has_call);
    }
  return where (&verdict);
}

/* ---- Files without that block.  */

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
heap_lookup_files_find_frame (const struct heap_profile *profile,
			      const struct heap_lookup_place *place)
{
  struct verdict verdict = { 0 };
  for (uint32_t i = 1; i < heap_profile_frame_count (profile); i++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, i);
      if (frame->function_guid != place->function)
	continue;
      const bool has_call = frame->line_offset == place->line_offset;
      verdict.is_nowhere |= has_call && has_no_line (frame);
      if (frame->line != 0 && frame->file != 0)
	judge (&verdict,
	       heap_lookup_files_fitness (place,
					  heap_profile_string (profile,
							       frame->file),
					  frame->start_line, NULL, NULL),
	       has_call);
    }
  return where (&verdict);
}
