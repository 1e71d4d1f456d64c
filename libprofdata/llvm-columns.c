/* Whose columns LLVM may see.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "llvm-columns.h"
#include <stdlib.h>

/* The functions of a profile, and the function of each frame.  */
struct functions
{
  uint64_t *guids;		/* sorted, distinct */
  size_t count;
  bool *drop;			/* by function */
  size_t *of_frame;		/* by frame id */
};

static int
compare_guids (const void *element1, const void *element2)
{
  uint64_t guid1 = *(const uint64_t *) element1;
  uint64_t guid2 = *(const uint64_t *) element2;
  return (guid1 > guid2) - (guid1 < guid2);
}

static void
collect_guids (struct functions *functions,
	       const struct heap_profile *profile)
{
  uint32_t frame_count = heap_profile_frame_count (profile);
  for (uint32_t id = 0; id < frame_count; id++)
    functions->guids[id] = heap_profile_frame (profile, id)->function_guid;
  qsort (functions->guids, frame_count, sizeof *functions->guids,
	 compare_guids);
  for (uint32_t i = 0; i < frame_count; i++)
    if (i == 0 || functions->guids[i] != functions->guids[i - 1])
      functions->guids[functions->count++] = functions->guids[i];
}

static size_t
find_function (const struct functions *functions, uint64_t guid)
{
  const uint64_t *found = bsearch (&guid, functions->guids, functions->count,
				   sizeof *functions->guids, compare_guids);
  return found - functions->guids;
}

/* Let the functions of FRAME and of the frame it is inlined into, CALLER,
   share the decision.  Return whether that changed something.  */
static bool
share_decision (struct functions *functions, uint32_t frame, uint32_t caller)
{
  size_t function1 = functions->of_frame[frame];
  size_t function2 = functions->of_frame[caller];
  bool *drop1 = &functions->drop[function1];
  bool *drop2 = &functions->drop[function2];
  /* GUID 0 is no function, and not in LLVM's records.  */
  if (*drop1 == *drop2 || functions->guids[function1] == 0
      || functions->guids[function2] == 0)
    return false;
  *drop1 = *drop2 = true;
  return true;
}

static bool
share_decisions (struct functions *functions,
		 const struct heap_profile *profile, const bool *wanted)
{
  bool changed = false;
  uint32_t context_count = heap_profile_context_count (profile);
  for (uint32_t id = 1; id < context_count; id++)
    {
      uint32_t frame = heap_profile_context_frame (profile, id);
      uint32_t caller = heap_profile_context_caller (profile, id);
      if (wanted[id] && caller != 0
	  && heap_profile_frame (profile, frame)->is_inline)
	changed |= share_decision (functions, frame,
				   heap_profile_context_frame (profile,
							       caller));
    }
  return changed;
}

/* Decide for every function; the outcome into DROP, by frame.  */
static void
decide (struct functions *functions, const struct heap_profile *profile,
	const bool *wanted, bool *drop)
{
  uint32_t frame_count = heap_profile_frame_count (profile);
  collect_guids (functions, profile);
  for (uint32_t id = 0; id < frame_count; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      functions->of_frame[id] = find_function (functions,
					       frame->function_guid);
    }
  uint32_t context_count = heap_profile_context_count (profile);
  for (uint32_t id = 1; id < context_count; id++)
    {
      uint32_t frame = heap_profile_context_frame (profile, id);
      if (wanted[id] && heap_profile_frame (profile, frame)->drop_column)
	functions->drop[functions->of_frame[frame]] = true;
    }
  while (share_decisions (functions, profile, wanted))
    ;
  for (uint32_t id = 0; id < frame_count; id++)
    drop[id] = functions->drop[functions->of_frame[id]];
}

bool *
llvm_columns_to_drop (const struct heap_profile *profile, const bool *wanted)
{
  uint32_t frame_count = heap_profile_frame_count (profile);
  struct functions functions = {
    .guids = calloc (frame_count, sizeof *functions.guids),
    .drop = calloc (frame_count, sizeof *functions.drop),
    .of_frame = calloc (frame_count, sizeof *functions.of_frame)
  };
  bool *drop = calloc (frame_count, sizeof *drop);
  if (drop && functions.guids && functions.drop && functions.of_frame)
    decide (&functions, profile, wanted, drop);
  else
    {
      free (drop);
      drop = NULL;
    }
  free (functions.of_frame);
  free (functions.drop);
  free (functions.guids);
  return drop;
}
