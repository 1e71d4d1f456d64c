/* Preorder numbering of the nodes of a context tree.
   SPDX-License-Identifier: GPL-3.0-or-later

   A caller has a smaller number than its callees, so no recursive walk is
   needed.  First, the sizes of subtrees are summed from the last node to the
   first.  Then the nodes are sorted by frame, and each gets the place after the
   subtrees of its siblings before it.  Last, places relative to the caller are
   converted to places relative to the root, from the first node to the
   last.  */

#include "preorder.h"
#include "background.h"
#include <string.h>

/* Prefetch distance in nodes.  */
#define LOOK_AHEAD 16

/* Below this many nodes, starting a thread costs more than it saves.  */
#define LEAST_NODES_IN_BACKGROUND 65536

/* Subtree of a node.  */
struct extent
{
  uint32_t size; /* nodes in its subtree, including itself */
  uint32_t used; /* how many of these have a place */
};

struct numbering
{
  const struct context_node *nodes;
  uint32_t count;
  const uint32_t *frame_places;
  uint32_t place_count;
  const bool *wanted;
  struct extent *extents;
  uint32_t *first;	   /* by place of the frame: start of its nodes in
			      BY_FRAME */
  uint32_t *by_frame;	   /* wanted nodes, sorted */
  uint32_t by_frame_count; /* without the root */
};

static uint32_t
frame_place (const struct numbering *numbering, uint32_t node)
{
  uint32_t frame = numbering->nodes[node].frame;
  return numbering->frame_places ? numbering->frame_places[frame] : frame;
}

static void
measure (struct numbering *numbering)
{
  for (uint32_t node = numbering->count; node-- > 1;)
    {
      if (!numbering->wanted[node])
	continue;
      struct extent *extent = &numbering->extents[node];
      extent->size++;
      extent->used = 1;
      numbering->extents[numbering->nodes[node].caller].size += extent->size;
    }
  numbering->extents[0].size++;
  numbering->extents[0].used = 1;
}

/* Sort the wanted nodes except the root by frame.  */
static void
sort_by_frame (void *data)
{
  struct numbering *numbering = data;
  uint32_t *first = numbering->first;
  for (uint32_t node = 1; node < numbering->count; node++)
    if (numbering->wanted[node])
      first[frame_place (numbering, node)]++;
  uint32_t sum = 0;
  for (uint32_t place = 0; place < numbering->place_count; place++)
    {
      uint32_t n = first[place];
      first[place] = sum;
      sum += n;
    }
  for (uint32_t node = 1; node < numbering->count; node++)
    if (numbering->wanted[node])
      numbering->by_frame[first[frame_place (numbering, node)]++] = node;
  numbering->by_frame_count = sum;
}

/* Prefetch what assign needs for its Ith node and those soon after it: the
   nodes of a frame are scattered in memory.  GCC omits calls of a function that
   only prefetches, unless it must be inlined.  */
static inline __attribute__ ((always_inline)) void
prefetch (const struct numbering *numbering, uint32_t i, const uint32_t *places)
{
  if (numbering->by_frame_count - i <= 2 * LOOK_AHEAD)
    return;
  uint32_t far = numbering->by_frame[i + 2 * LOOK_AHEAD];
  uint32_t near = numbering->by_frame[i + LOOK_AHEAD];
  __builtin_prefetch (&numbering->nodes[far]);
  __builtin_prefetch (&numbering->extents[far]);
  __builtin_prefetch (&places[far], 1);
  __builtin_prefetch (&numbering->extents[numbering->nodes[near].caller], 1);
}

static void
assign (struct numbering *numbering, uint32_t *places, uint32_t *nodes_at)
{
  memset (places, 0xff, numbering->count * sizeof *places);
  for (uint32_t i = 0; i < numbering->by_frame_count; i++)
    {
      prefetch (numbering, i, places);
      uint32_t node = numbering->by_frame[i];
      uint32_t caller = numbering->nodes[node].caller;
      places[node] = numbering->extents[caller].used;
      numbering->extents[caller].used += numbering->extents[node].size;
    }
  places[0] = 0;
  nodes_at[0] = 0;
  for (uint32_t node = 1; node < numbering->count; node++)
    if (numbering->wanted[node])
      {
	places[node] += places[numbering->nodes[node].caller];
	nodes_at[places[node]] = node;
      }
}

uint32_t
preorder_number (const struct context_node *nodes, uint32_t count,
		 const uint32_t *frame_places, uint32_t place_count,
		 const bool *wanted, uint32_t *places, uint32_t *nodes_at,
		 struct scratch *scratch)
{
  struct scratch_mark mark = scratch_mark (scratch);
  struct numbering numbering
    = { .nodes = nodes,
	.count = count,
	.frame_places = frame_places,
	.place_count = place_count,
	.wanted = wanted,
	.extents = scratch_zeros (scratch, count, sizeof *numbering.extents),
	.first = scratch_zeros (scratch, place_count, sizeof *numbering.first),
	.by_frame = scratch_take (scratch, count, sizeof *numbering.by_frame) };
  uint32_t n = 0;
  if (numbering.extents && numbering.first && numbering.by_frame)
    {
      struct background background;
      background_begin (&background, sort_by_frame, &numbering,
			count >= LEAST_NODES_IN_BACKGROUND);
      measure (&numbering);
      background_end (&background);
      assign (&numbering, places, nodes_at);
      n = numbering.by_frame_count + 1;
    }
  scratch_release (scratch, mark);
  return n;
}
