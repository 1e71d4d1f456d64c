/* The one order in which a profile's tables are written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "canonical-order.h"
#include <stdlib.h>
#include <string.h>

/* Make room for N ids, none of which is counted yet.  */
static bool
table_init (struct canonical_table *table, uint32_t n)
{
  table->ids = malloc (n * sizeof *table->ids);
  table->places = malloc (n * sizeof *table->places);
  if (!table->ids || !table->places)
    return false;
  memset (table->places, 0xff, n * sizeof *table->places);
  return true;
}

static void
table_free (struct canonical_table *table)
{
  free (table->ids);
  free (table->places);
}

/* Count ID, once.  Its place is not known yet.  */
static void
table_count (struct canonical_table *table, uint32_t id)
{
  if (table->places[id] != UINT32_MAX)
    return;
  table->places[id] = 0;
  table->ids[table->count++] = id;
}

static void
table_set_places (struct canonical_table *table)
{
  for (uint32_t i = 0; i < table->count; i++)
    table->places[table->ids[i]] = i;
}

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int
compare_strings (const void *element1, const void *element2, void *data)
{
  const struct heap_profile *profile = data;
  uint32_t id1 = *(const uint32_t *) element1;
  uint32_t id2 = *(const uint32_t *) element2;
  size_t n1 = heap_profile_string_bytes (profile, id1);
  size_t n2 = heap_profile_string_bytes (profile, id2);
  int order = memcmp (heap_profile_string (profile, id1),
		      heap_profile_string (profile, id2), n1 < n2 ? n1 : n2);
  return order != 0 ? order : compare_numbers (n1, n2);
}

struct frame_sort
{
  const struct heap_profile *profile;
  const uint32_t *string_places;
};

static int
compare_frames (const void *element1, const void *element2, void *data)
{
  const struct frame_sort *sort = data;
  const struct heap_frame *a
    = heap_profile_frame (sort->profile, *(const uint32_t *) element1);
  const struct heap_frame *b
    = heap_profile_frame (sort->profile, *(const uint32_t *) element2);
  const uint32_t *places = sort->string_places;
  const uint64_t keys[][2] = {
    { places[a->function_name], places[b->function_name] },
    { a->function_guid, b->function_guid },
    { places[a->file], places[b->file] },
    { places[a->module], places[b->module] },
    { a->start_line, b->start_line },
    { a->line, b->line },
    { a->line_offset, b->line_offset },
    { a->column, b->column },
    { a->discriminator, b->discriminator },
    { a->is_inline, b->is_inline },
    { a->drop_column, b->drop_column }
  };
  int order = 0;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0] && order == 0; i++)
    order = compare_numbers (keys[i][0], keys[i][1]);
  return order;
}

/* A context that is wanted, to be sorted to its siblings.  */
struct edge
{
  uint32_t caller;
  uint32_t frame_place;
  uint32_t context;
};

static int
compare_edges (const void *element1, const void *element2)
{
  const struct edge *edge1 = element1;
  const struct edge *edge2 = element2;
  int order = compare_numbers (edge1->caller, edge2->caller);
  if (order == 0)
    order = compare_numbers (edge1->frame_place, edge2->frame_place);
  return order;
}

/* Count what the wanted contexts use.  */
static void
count_used (struct canonical_order *order, const struct heap_profile *profile,
	    const bool *wanted)
{
  uint32_t context_count = heap_profile_context_count (profile);
  table_count (&order->frames, 0);
  for (uint32_t id = 1; id < context_count; id++)
    if (wanted[id])
      table_count (&order->frames, heap_profile_context_frame (profile, id));
  table_count (&order->strings, 0);
  for (uint32_t i = 0; i < order->frames.count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, order->frames.ids[i]);
      table_count (&order->strings, frame->function_name);
      table_count (&order->strings, frame->file);
      table_count (&order->strings, frame->module);
    }
}

/* Fill EDGES with the wanted contexts but the root; return their number.  */
static uint32_t
collect_edges (struct edge *edges, const struct canonical_order *order,
	       const struct heap_profile *profile, const bool *wanted)
{
  uint32_t context_count = heap_profile_context_count (profile);
  uint32_t n = 0;
  for (uint32_t id = 1; id < context_count; id++)
    if (wanted[id])
      {
	uint32_t frame = heap_profile_context_frame (profile, id);
	edges[n++] = (struct edge) {
	  heap_profile_context_caller (profile, id),
	  order->frames.places[frame], id
	};
      }
  return n;
}

/* Number the contexts in preorder.  EDGES are N and sorted; FIRST_EDGE is by
   context and all UINT32_MAX; STACK has room for N contexts.  */
static void
number_contexts (struct canonical_table *contexts, const struct edge *edges,
		 uint32_t n, uint32_t *first_edge, uint32_t *stack)
{
  for (uint32_t i = n; i > 0; i--)
    first_edge[edges[i - 1].caller] = i - 1;
  uint32_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0)
    {
      uint32_t context = stack[--depth];
      table_count (contexts, context);
      uint32_t first = first_edge[context];
      if (first == UINT32_MAX)
	continue;
      uint32_t end = first;
      while (end < n && edges[end].caller == context)
	end++;
      /* The last is pushed first, so that the first comes next.  */
      for (uint32_t i = end; i > first; i--)
	stack[depth++] = edges[i - 1].context;
    }
}

static bool
order_contexts (struct canonical_order *order,
		const struct heap_profile *profile, const bool *wanted)
{
  uint32_t count = heap_profile_context_count (profile);
  struct edge *edges = malloc (count * sizeof *edges);
  uint32_t *first_edge = malloc (count * sizeof *first_edge);
  uint32_t *stack = malloc (count * sizeof *stack);
  bool done = edges && first_edge && stack;
  if (done)
    {
      memset (first_edge, 0xff, count * sizeof *first_edge);
      uint32_t n = collect_edges (edges, order, profile, wanted);
      qsort (edges, n, sizeof *edges, compare_edges);
      number_contexts (&order->contexts, edges, n, first_edge, stack);
    }
  free (stack);
  free (first_edge);
  free (edges);
  return done;
}

bool
canonical_order_make (struct canonical_order *order,
		      const struct heap_profile *profile, const bool *wanted)
{
  memset (order, 0, sizeof *order);
  if (!table_init (&order->strings, heap_profile_string_count (profile))
      || !table_init (&order->frames, heap_profile_frame_count (profile))
      || !table_init (&order->contexts, heap_profile_context_count (profile)))
    return false;
  count_used (order, profile, wanted);
  struct canonical_table *strings = &order->strings;
  /* The profile is not changed: qsort_r knows no const.  */
  qsort_r (strings->ids, strings->count, sizeof *strings->ids,
	   compare_strings, (void *) profile);
  table_set_places (strings);
  struct canonical_table *frames = &order->frames;
  struct frame_sort sort = { profile, strings->places };
  qsort_r (frames->ids, frames->count, sizeof *frames->ids, compare_frames,
	   &sort);
  table_set_places (frames);
  if (!order_contexts (order, profile, wanted))
    return false;
  table_set_places (&order->contexts);
  return true;
}

void
canonical_order_free (struct canonical_order *order)
{
  table_free (&order->strings);
  table_free (&order->frames);
  table_free (&order->contexts);
}
