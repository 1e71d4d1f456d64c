/* What LLVM sees of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "llvm-reduce.h"
#include "llvm-columns.h"
#include <stdint.h>
#include <stdlib.h>

/* Fill WANTED: which contexts lead to blocks that were observed whole.  */
static void
find_wanted (const struct heap_profile *profile, bool *wanted)
{
  for (uint32_t id = heap_profile_context_count (profile); id-- > 0;)
    {
      const struct memory_info *info = heap_profile_info (profile, id);
      if (info && info->alloc_count != 0)
	wanted[id] = true;
      if (wanted[id])
	wanted[heap_profile_context_caller (profile, id)] = true;
    }
}

struct reduction
{
  const struct heap_profile *profile;
  struct heap_profile *reduced;
  const bool *drop_column;	/* by frame, NULL: keep all */
  uint32_t *nodes;		/* in REDUCED, by context */
  bool *open;			/* by context: its physical frame has a frame
				   in REDUCED already */
};

/* Make the node of the context ID, whose caller's is made.  */
static bool
reduce_context (struct reduction *reduction, uint32_t id)
{
  uint32_t caller = heap_profile_context_caller (reduction->profile, id);
  uint32_t frame_id = heap_profile_context_frame (reduction->profile, id);
  const struct heap_frame *frame
    = heap_profile_frame (reduction->profile, frame_id);
  bool continues = frame->is_inline && reduction->open[caller];
  reduction->nodes[id] = reduction->nodes[caller];
  reduction->open[id] = continues;
  if (frame->function_guid == 0)
    return true;
  bool drop = reduction->drop_column && reduction->drop_column[frame_id];
  const struct heap_frame reduced_frame = {
    .function_guid = frame->function_guid,
    .line_offset = frame->line_offset & 0xffff,
    .column = drop ? 0 : frame->column,
    .is_inline = continues
  };
  uint32_t reduced_id = heap_profile_add_frame (reduction->reduced,
						&reduced_frame);
  if (reduced_id == UINT32_MAX)
    return false;
  reduction->nodes[id] = heap_profile_add_context (reduction->reduced,
						   reduction->nodes[caller],
						   reduced_id);
  reduction->open[id] = true;
  return reduction->nodes[id] != UINT32_MAX;
}

static bool
reduce_contexts (struct reduction *reduction, const bool *wanted)
{
  uint32_t count = heap_profile_context_count (reduction->profile);
  for (uint32_t id = 1; id < count; id++)
    {
      if (!wanted[id])
	continue;
      if (!reduce_context (reduction, id))
	return false;
      const struct memory_info *info
	= heap_profile_info (reduction->profile, id);
      /* A context all of whose frames were dropped is left out.  */
      if (info && info->alloc_count != 0 && reduction->nodes[id] != 0
	  && !heap_profile_add_info (reduction->reduced, reduction->nodes[id],
				     info))
	return false;
    }
  return true;
}

bool
llvm_reduce (const struct heap_profile *profile, struct heap_profile *reduced,
	     bool keep_columns)
{
  uint32_t count = heap_profile_context_count (profile);
  bool *wanted = calloc (count, sizeof *wanted);
  if (!wanted)
    return false;
  find_wanted (profile, wanted);
  bool *drop_column
    = keep_columns ? NULL : llvm_columns_to_drop (profile, wanted);
  struct reduction reduction = {
    .profile = profile,
    .reduced = reduced,
    .drop_column = drop_column,
    .nodes = calloc (count, sizeof *reduction.nodes),
    .open = calloc (count, sizeof *reduction.open)
  };
  bool done = ((keep_columns || drop_column) && reduction.nodes
	       && reduction.open && reduce_contexts (&reduction, wanted));
  free (reduction.open);
  free (reduction.nodes);
  free (drop_column);
  free (wanted);
  return done;
}
