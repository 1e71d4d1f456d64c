/* The canonical order in which a profile's tables are written.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "canonical-order.h"
#include "heap-images.h"
#include "heap-modules.h"
#include "heap-types.h"
#include "preorder.h"
#include <stdlib.h>
#include <string.h>

/* Bytes needed per context during numbering.  */
#define SCRATCH_BYTES 13

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

/* Count ID, once.  Its place is determined later.  */
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
  const uint64_t keys[][2]
    = { { places[a->function_name], places[b->function_name] },
	{ a->function_guid, b->function_guid },
	{ places[a->file], places[b->file] },
	{ places[a->module], places[b->module] },
	{ a->start_line, b->start_line },
	{ a->line, b->line },
	{ a->line_offset, b->line_offset },
	{ a->column, b->column },
	{ a->discriminator, b->discriminator },
	{ a->is_inline, b->is_inline },
	{ a->drop_column, b->drop_column },
	{ places[a->build_id], places[b->build_id] },
	{ places[a->path], places[b->path] },
	{ a->address, b->address } };
  int order = 0;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0] && order == 0; i++)
    order = compare_numbers (keys[i][0], keys[i][1]);
  return order;
}

static void
count_data_strings (struct canonical_order *order,
		    const struct heap_details *details)
{
  for (uint32_t i = 0; i < heap_details_data_access_count (details); i++)
    {
      const struct heap_data_access *access
	= heap_details_data_access_at (details, i);
      table_count (&order->strings, access->symbol);
      for (uint32_t j = 0; j < access->location_count; j++)
	table_count (&order->strings, access->locations[j].file);
    }
}

static void
count_type_strings (struct canonical_order *order,
		    const struct heap_details *details)
{
  for (uint32_t i = 0; i < heap_details_type_count (details); i++)
    {
      const struct heap_type *type = heap_details_type_at (details, i);
      table_count (&order->strings, type->name);
      for (uint32_t j = 0; j < type->member_count; j++)
	{
	  table_count (&order->strings, type->members[j].name);
	  table_count (&order->strings, type->members[j].type_name);
	}
    }
}

static void
count_module_strings (struct canonical_order *order,
		      const struct heap_details *details)
{
  for (uint32_t i = 0; i < heap_details_module_count (details); i++)
    {
      const struct heap_module *module = heap_details_module_at (details, i);
      table_count (&order->strings, module->name);
      table_count (&order->strings, module->build_id);
      table_count (&order->strings, module->cause);
    }
}

/* Count what the wanted contexts, static data, types and modules use.  */
static void
count_used (struct canonical_order *order, const struct heap_profile *profile,
	    const bool *wanted)
{
  const struct context_node *nodes = heap_profile_nodes (profile);
  uint32_t context_count = heap_profile_context_count (profile);
  table_count (&order->frames, 0);
  for (uint32_t id = 1; id < context_count; id++)
    if (wanted[id])
      table_count (&order->frames, nodes[id].frame);
  table_count (&order->strings, 0);
  for (uint32_t i = 0; i < order->frames.count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, order->frames.ids[i]);
      table_count (&order->strings, frame->function_name);
      table_count (&order->strings, frame->file);
      table_count (&order->strings, frame->module);
      table_count (&order->strings, frame->build_id);
      table_count (&order->strings, heap_profile_image_path (profile, frame));
    }
  count_data_strings (order, heap_profile_read_details (profile));
  count_type_strings (order, heap_profile_read_details (profile));
  count_module_strings (order, heap_profile_read_details (profile));
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
  /* The profile is not modified; qsort_r takes no const pointer.  */
  qsort_r (strings->ids, strings->count, sizeof *strings->ids, compare_strings,
	   (void *) profile);
  table_set_places (strings);
  struct canonical_table *frames = &order->frames;
  struct frame_sort sort = { profile, strings->places };
  qsort_r (frames->ids, frames->count, sizeof *frames->ids, compare_frames,
	   &sort);
  table_set_places (frames);
  struct canonical_table *contexts = &order->contexts;
  struct scratch scratch;
  scratch_init (&scratch,
		(size_t) heap_profile_context_count (profile) * SCRATCH_BYTES);
  contexts->count = preorder_number (heap_profile_nodes (profile),
				     heap_profile_context_count (profile),
				     frames->places, frames->count, wanted,
				     contexts->places, contexts->ids, &scratch);
  scratch_free (&scratch);
  return contexts->count != 0;
}

void
canonical_order_free (struct canonical_order *order)
{
  table_free (&order->strings);
  table_free (&order->frames);
  table_free (&order->contexts);
}
