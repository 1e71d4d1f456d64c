/* Which columns LLVM may see.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "llvm-columns.h"
#include "context-table.h"
#include <stdlib.h>

/* Hash bits of the cache of frame pairs that are known to be in a table.  */
#define KNOWN_BITS 12
#define KNOWN_PAIRS (1u << KNOWN_BITS)

/* Properties of a frame that are needed for each context.  */
enum
{
  DROPS_COLUMN = 1,
  IS_INLINE = 2
};

/* The functions of a profile, and the function of each frame.  */
struct functions
{
  uint64_t *guids; /* sorted, distinct */
  size_t count;
  bool *drop;	    /* by function */
  size_t *of_frame; /* by frame id */
  uint8_t *frames;  /* by frame id: its properties */
};

static int
compare_guids (const void *element1, const void *element2)
{
  uint64_t guid1 = *(const uint64_t *) element1;
  uint64_t guid2 = *(const uint64_t *) element2;
  return (guid1 > guid2) - (guid1 < guid2);
}

static void
collect_guids (struct functions *functions, const struct heap_profile *profile)
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

/* Make the functions of FRAME and of CALLER, the frame it is inlined into,
   share the decision.  Return true if that changed anything.  */
static bool
share_decision (struct functions *functions, uint32_t frame, uint32_t caller)
{
  size_t function1 = functions->of_frame[frame];
  size_t function2 = functions->of_frame[caller];
  bool *drop1 = &functions->drop[function1];
  bool *drop2 = &functions->drop[function2];
  /* GUID 0 is not a function and not in LLVM's records.  */
  if (*drop1 == *drop2 || functions->guids[function1] == 0
      || functions->guids[function2] == 0)
    return false;
  *drop1 = *drop2 = true;
  return true;
}

/* Collect the pairs of frames of which the first is inlined into the second: a
   table of nodes whose caller is the second.  There are few pairs and many
   contexts, so KNOWN caches KNOWN_PAIRS pairs; it is zeroed by the caller.  */
static bool
find_pairs (struct context_table *pairs, const struct functions *functions,
	    const struct heap_profile *profile, const bool *wanted,
	    uint64_t *known)
{
  const struct context_node *nodes = heap_profile_nodes (profile);
  uint32_t context_count = heap_profile_context_count (profile);
  for (uint32_t id = 1; id < context_count; id++)
    {
      if (!wanted[id] || nodes[id].caller == 0)
	continue;
      uint32_t frame = nodes[id].frame;
      uint32_t caller = nodes[nodes[id].caller].frame;
      /* No unknown frame is inlined, so this is not 0.  */
      uint64_t pair = (uint64_t) caller << 32 | frame;
      uint64_t *place
	= &known[pair * UINT64_C (0x9e3779b97f4a7c15) >> (64 - KNOWN_BITS)];
      if (*place == pair)
	continue;
      *place = pair;
      if (functions->frames[frame] & IS_INLINE
	  && context_table_add (pairs, caller, frame) == UINT32_MAX)
	return false;
    }
  return true;
}

/* Make functions that are inlined into one another share the decision.  */
static bool
share_decisions (struct functions *functions,
		 const struct heap_profile *profile, const bool *wanted)
{
  struct context_table pairs;
  uint64_t *known = calloc (KNOWN_PAIRS, sizeof *known);
  bool done = (context_table_init (&pairs) && known
	       && find_pairs (&pairs, functions, profile, wanted, known));
  bool changed = done;
  while (changed)
    {
      changed = false;
      for (uint32_t i = 1; i < pairs.count; i++)
	changed |= share_decision (functions, pairs.nodes[i].frame,
				   pairs.nodes[i].caller);
    }
  context_table_free (&pairs);
  free (known);
  return done;
}

/* Decide for every function in the wanted contexts.  Return true if the columns
   of any function are dropped.  */
static bool
decide_first (struct functions *functions, const struct heap_profile *profile,
	      const bool *wanted)
{
  uint32_t frame_count = heap_profile_frame_count (profile);
  bool any = false;
  for (uint32_t id = 0; id < frame_count; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      functions->frames[id] = ((frame->drop_column ? DROPS_COLUMN : 0)
			       | (frame->is_inline ? IS_INLINE : 0));
      any |= frame->drop_column;
    }
  if (!any)
    return false;
  collect_guids (functions, profile);
  for (uint32_t id = 0; id < frame_count; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      functions->of_frame[id] = find_function (functions, frame->function_guid);
    }
  const struct context_node *nodes = heap_profile_nodes (profile);
  uint32_t context_count = heap_profile_context_count (profile);
  for (uint32_t id = 1; id < context_count; id++)
    if (wanted[id] && functions->frames[nodes[id].frame] & DROPS_COLUMN)
      functions->drop[functions->of_frame[nodes[id].frame]] = true;
  return true;
}

/* Store the decisions in DROP, by frame.  */
static bool
decide (struct functions *functions, const struct heap_profile *profile,
	const bool *wanted, bool *drop)
{
  if (!decide_first (functions, profile, wanted))
    return true;
  if (!share_decisions (functions, profile, wanted))
    return false;
  uint32_t frame_count = heap_profile_frame_count (profile);
  for (uint32_t id = 0; id < frame_count; id++)
    drop[id] = functions->drop[functions->of_frame[id]];
  return true;
}

bool *
llvm_columns_to_drop (const struct heap_profile *profile, const bool *wanted)
{
  uint32_t frame_count = heap_profile_frame_count (profile);
  struct functions functions
    = { .guids = calloc (frame_count, sizeof *functions.guids),
	.drop = calloc (frame_count, sizeof *functions.drop),
	.of_frame = calloc (frame_count, sizeof *functions.of_frame),
	.frames = calloc (frame_count, sizeof *functions.frames) };
  bool *drop = calloc (frame_count, sizeof *drop);
  if (!drop || !functions.guids || !functions.drop || !functions.of_frame
      || !functions.frames || !decide (&functions, profile, wanted, drop))
    {
      free (drop);
      drop = NULL;
    }
  free (functions.frames);
  free (functions.of_frame);
  free (functions.drop);
  free (functions.guids);
  return drop;
}
