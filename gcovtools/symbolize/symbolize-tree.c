/* Conversion of a raw profile's context tree to nodes of the model.
   SPDX-License-Identifier: GPL-3.0-or-later

   All callees of a context get their nodes before any of their own callees do.
   Whether a context shares its node is therefore known before its callees are
   handled: only siblings can share it, unless their caller shares its own
   node.  */

#include "symbolize-tree.h"
#include <stdlib.h>

/* Number of contexts at a node; SHARED means more than one.  */
enum
{
  UNUSED,
  OWNED,
  SHARED
};

/* The last context that had a callee with some address, and the callee's node.
   The context is stored plus 1, 0: none.  */
struct last_caller
{
  uint32_t context;
  uint32_t node;
};

struct work
{
  struct profile_symbolizer *symbolizer;
  const struct named_contexts *contexts;
  uint32_t count;	  /* of contexts */
  uint32_t *first_callee; /* by context; 0: none */
  uint32_t *next_callee;  /* sibling, by context; 0: none */
  uint32_t *open;	  /* stack of contexts to process */
  uint32_t open_count;
  uint32_t *nodes; /* by context; owned by the caller */
  uint8_t *uses;   /* by node */
  uint32_t use_capacity;
  bool *is_alone; /* by address number: its outermost frame occurs in no other
		     frame list */
  struct last_caller *last_callers; /* by address number */
};

/* ---- Addresses that need no look-up.  */

/* Return the frames of LIST, innermost first; NULL if it has none.  */
static const uint32_t *
frames_of (const struct work *work, const struct frame_list *list)
{
  return list->count == 0 ? NULL : &work->symbolizer->frame_ids[list->first];
}

/* Set IS_ALONE.  Return false if memory is exhausted.  */
static bool
find_alone (struct work *work)
{
  const struct named_contexts *contexts = work->contexts;
  uint8_t *uses = calloc (heap_profile_frame_count (work->symbolizer->profile),
			  sizeof *uses);
  if (uses == NULL)
    return false;
  /* Allocations without frames get the unknown frame, too.  */
  uses[0] = SHARED;
  for (uint32_t i = 0; i < contexts->list_count; i++)
    {
      const struct frame_list *list = contexts->lists[i];
      const uint32_t *frames = frames_of (work, list);
      for (size_t j = 0; j < list->count; j++)
	uses[frames[j]] = uses[frames[j]] == UNUSED ? OWNED : SHARED;
    }
  for (uint32_t i = 0; i < contexts->list_count; i++)
    {
      const struct frame_list *list = contexts->lists[i];
      work->is_alone[i]
	= list->count > 0
	  && uses[frames_of (work, list)[list->count - 1]] == OWNED;
    }
  free (uses);
  return true;
}

/* Return true if every address has a frame.  */
static bool
all_have_frames (const struct named_contexts *contexts)
{
  for (uint32_t i = 0; i < contexts->list_count; i++)
    if (contexts->lists[i]->count == 0)
      return false;
  return true;
}

/* ---- The walk.  */

static void
link_callees (struct work *work)
{
  /* Backwards, so that the lists are in the order of the file.  */
  for (uint32_t i = work->count; i-- > 1;)
    {
      uint32_t caller = raw_profile_context (work->contexts->raw, i)->parent;
      work->next_callee[i] = work->first_callee[caller];
      work->first_callee[caller] = i;
    }
}

/* Set the node of CONTEXT to NODE, which other contexts share if IS_SHARED.  */
static bool
set_node (struct work *work, uint32_t context, uint32_t node, bool is_shared)
{
  uint32_t count = heap_profile_context_count (work->symbolizer->profile);
  if (count > work->use_capacity)
    {
      uint32_t capacity = count + count / 2;
      void *grown = realloc (work->uses, capacity);
      if (grown == NULL)
	return false;
      work->uses = grown;
      for (uint32_t i = work->use_capacity; i < capacity; i++)
	work->uses[i] = UNUSED;
      work->use_capacity = capacity;
    }
  work->nodes[context] = node;
  work->uses[node] = is_shared || work->uses[node] != UNUSED ? SHARED : OWNED;
  return true;
}

/* Append the frames of LIST below NODE.  Return the innermost node; UINT32_MAX
   if memory is exhausted.  */
static uint32_t
append_frames (struct work *work, uint32_t node, const struct frame_list *list)
{
  const uint32_t *frames = frames_of (work, list);
  for (size_t i = list->count; i-- > 0 && node != UINT32_MAX;)
    node = heap_profile_append_context (work->symbolizer->profile, node,
					frames[i]);
  return node;
}

/* Make the node of CALLEE below CALLER, which shares its node if IS_SHARED.  */
static bool
add_callee (struct work *work, uint32_t caller, uint32_t callee, bool is_shared)
{
  uint32_t number = work->contexts->numbers[callee];
  const struct frame_list *list = work->contexts->lists[number];
  struct last_caller *last = &work->last_callers[number];
  uint32_t node = last->node;
  if (list->is_split)
    /* Its node may be below that of CALLER's caller, like others'.  */
    is_shared = true;
  if (is_shared || !work->is_alone[number])
    node = symbolize_add_frames (work->symbolizer, work->nodes[caller], list);
  else if (last->context != caller + 1)
    {
      node = append_frames (work, work->nodes[caller], list);
      *last = (struct last_caller){ caller + 1, node };
    }
  return node != UINT32_MAX && set_node (work, callee, node, is_shared);
}

static bool
add_callees (struct work *work, uint32_t context)
{
  bool is_shared = work->uses[work->nodes[context]] == SHARED;
  uint32_t begin = work->open_count;
  for (uint32_t callee = work->first_callee[context]; callee != 0;
       callee = work->next_callee[callee])
    {
      if (!add_callee (work, context, callee, is_shared))
	return false;
      work->open[work->open_count++] = callee;
    }
  /* Reverse them: the first callee is next.  */
  for (uint32_t i = begin, j = work->open_count; i + 1 < j; i++)
    {
      uint32_t last = work->open[--j];
      work->open[j] = work->open[i];
      work->open[i] = last;
    }
  return true;
}

static bool
walk (struct work *work, uint32_t *order)
{
  struct heap_profile *profile = work->symbolizer->profile;
  bool is_first = heap_profile_context_count (profile) == 1;
  link_callees (work);
  if (!find_alone (work)
      || !heap_profile_reserve_contexts (profile, work->count)
      || !set_node (work, 0, 0, !is_first || !all_have_frames (work->contexts)))
    return false;
  work->open[work->open_count++] = 0;
  while (work->open_count > 0)
    {
      uint32_t context = work->open[--work->open_count];
      if (!add_callees (work, context))
	return false;
      *order++ = context;
    }
  if (is_first)
    heap_profile_drop_index (profile);
  return true;
}

bool
symbolize_tree (struct profile_symbolizer *symbolizer,
		const struct named_contexts *contexts, uint32_t *nodes,
		uint32_t *order, struct scratch *scratch)
{
  uint32_t count = raw_profile_context_count (contexts->raw);
  size_t number_room = (size_t) contexts->list_count + 1;
  struct scratch_mark mark = scratch_mark (scratch);
  struct work work
    = { .symbolizer = symbolizer,
	.contexts = contexts,
	.count = count,
	.first_callee
	= scratch_zeros (scratch, count, sizeof *work.first_callee),
	.next_callee = scratch_zeros (scratch, count, sizeof *work.next_callee),
	.open = scratch_take (scratch, count, sizeof *work.open),
	.nodes = nodes,
	.is_alone = calloc (number_room, sizeof *work.is_alone),
	.last_callers = calloc (number_room, sizeof *work.last_callers) };
  bool is_done = work.first_callee != NULL && work.next_callee != NULL
		 && work.open != NULL && work.is_alone != NULL
		 && work.last_callers != NULL && walk (&work, order);
  free (work.last_callers);
  free (work.is_alone);
  free (work.uses);
  scratch_release (scratch, mark);
  return is_done;
}
