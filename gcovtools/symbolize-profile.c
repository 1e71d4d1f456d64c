/* Raw calling contexts to symbolized ones.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "symbolize-profile.h"
#include "function-id.h"
#include "module-table.h"
#include <libiberty/hashtab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_MODULE UINT32_MAX

/* The frames of one address: COUNT ids in FRAME_IDS from FIRST, innermost
   first.  */
struct frame_list
{
  uint32_t module;
  uint64_t address;		/* in the module's file */
  size_t first;
  size_t count;
};

/* Where a raw context's call stands.  */
struct location
{
  uint32_t context;
  uint32_t module;
  uint64_t address;
};

struct profile_symbolizer
{
  struct heap_profile *profile;
  struct object_finder *finder;
  struct module_table modules;
  htab_t lists;			/* of struct frame_list */
  uint32_t *frame_ids;
  size_t frame_id_count;
  size_t frame_id_capacity;
};

static hashval_t
hash_list (const void *entry)
{
  const struct frame_list *list = entry;
  uint64_t mixed = list->address ^ list->module * 0x9e3779b97f4a7c15u;
  return (hashval_t) (mixed * 0xff51afd7ed558ccdu >> 32);
}

static int
equal_lists (const void *a, const void *b)
{
  const struct frame_list *x = a;
  const struct frame_list *y = b;
  return x->address == y->address && x->module == y->module;
}

struct profile_symbolizer *
profile_symbolizer_new (struct heap_profile *profile,
			struct object_finder *finder)
{
  struct profile_symbolizer *symbolizer = calloc (1, sizeof *symbolizer);
  if (symbolizer == NULL)
    return NULL;
  symbolizer->profile = profile;
  symbolizer->finder = finder;
  symbolizer->lists
    = htab_create_alloc (1000, hash_list, equal_lists, free, calloc, free);
  if (symbolizer->lists != NULL)
    return symbolizer;
  free (symbolizer);
  return NULL;
}

void
profile_symbolizer_free (struct profile_symbolizer *symbolizer)
{
  if (symbolizer == NULL)
    return;
  htab_delete (symbolizer->lists);
  module_table_release (&symbolizer->modules);
  free (symbolizer->frame_ids);
  free (symbolizer);
}

static bool
add_frame_id (struct profile_symbolizer *symbolizer, uint32_t id)
{
  if (symbolizer->frame_id_count == symbolizer->frame_id_capacity)
    {
      size_t capacity = symbolizer->frame_id_capacity > 0
			  ? 2 * symbolizer->frame_id_capacity : 1024;
      void *grown = realloc (symbolizer->frame_ids,
			     capacity * sizeof *symbolizer->frame_ids);
      if (grown == NULL)
	return false;
      symbolizer->frame_ids = grown;
      symbolizer->frame_id_capacity = capacity;
    }
  symbolizer->frame_ids[symbolizer->frame_id_count++] = id;
  return id != UINT32_MAX;
}

static uint32_t
add_string (struct profile_symbolizer *symbolizer, const char *text)
{
  if (text == NULL)
    return 0;
  return heap_profile_add_string (symbolizer->profile, text, strlen (text));
}

/* FILE below DIRECTORY, if it is relative and the directory is known.  */
static uint32_t
add_path (struct profile_symbolizer *symbolizer, const char *directory,
	  const char *file)
{
  char *path;
  if (file == NULL || directory == NULL)
    return add_string (symbolizer, file);
  if (asprintf (&path, "%s/%s", directory, file) < 0)
    return UINT32_MAX;
  const uint32_t id = add_string (symbolizer, path);
  free (path);
  return id;
}

/* Add the model's form of SOURCE, a frame in MODULE, to the current list.  */
static bool
add_frame (struct profile_symbolizer *symbolizer, const struct module *module,
	   const struct symbolizer_frame *source)
{
  struct heap_frame frame = { 0 };
  frame.module = add_string (symbolizer, module_name (module));
  frame.file = add_path (symbolizer, source->directory, source->file);
  if (source->function != NULL)
    {
      frame.function_name
	= heap_profile_add_string (symbolizer->profile, source->function,
				   source->function_bytes);
      frame.function_guid
	= function_guid (source->function, source->function_bytes);
    }
  if (frame.module == UINT32_MAX || frame.file == UINT32_MAX
      || frame.function_name == UINT32_MAX)
    return false;
  frame.line = source->line;
  frame.column = source->column;
  frame.start_line = source->start_line;
  frame.line_offset = (source->line - source->start_line) & 0xffff;
  frame.discriminator = source->discriminator;
  frame.is_inline = source->is_inline;
  frame.drop_column = source->columns_differ;
  return add_frame_id (symbolizer,
		       heap_profile_add_frame (symbolizer->profile, &frame));
}

/* Fill LIST with the frames of its address.  An address in no module has the
   unknown frame, one of the run-time library no frames at all.  */
static bool
look_up (struct profile_symbolizer *symbolizer, struct frame_list *list)
{
  static const struct symbolizer_frame unnamed;
  list->first = symbolizer->frame_id_count;
  if (list->module == NO_MODULE)
    {
      list->count = 1;
      return add_frame_id (symbolizer, 0);
    }
  struct module *module = &symbolizer->modules.modules[list->module];
  if (module->is_runtime)
    {
      list->count = 0;
      return true;
    }
  const struct symbolizer_frame *frames = &unnamed;
  list->count = 1;
  struct symbolizer *names = module_symbolizer (module, symbolizer->finder);
  if (names != NULL)
    list->count = symbolizer_lookup (names, list->address, &frames);
  for (size_t i = 0; i < list->count; i++)
    if (!add_frame (symbolizer, module, &frames[i]))
      return false;
  return list->count > 0;
}

/* The frame list of LOCATION, looked up if it is new.  NULL if memory is
   exhausted.  */
static const struct frame_list *
find_list (struct profile_symbolizer *symbolizer,
	   const struct location *location)
{
  struct frame_list key
    = { .module = location->module, .address = location->address };
  void **slot = htab_find_slot (symbolizer->lists, &key, INSERT);
  if (slot == NULL)
    return NULL;
  if (*slot != NULL)
    return *slot;
  struct frame_list *list = malloc (sizeof *list);
  if (list == NULL)
    return NULL;
  *list = key;
  *slot = list;
  return look_up (symbolizer, list) ? list : NULL;
}

/* Find the module and the address in it of each context of RAW but the root.
   MODULE_OF has the module of each segment, once it is known.  */
static bool
locate (struct profile_symbolizer *symbolizer, const struct raw_profile *raw,
	uint32_t *module_of, struct location *locations)
{
  uint32_t count = raw_profile_context_count (raw);
  for (uint32_t i = 1; i < count; i++)
    {
      int64_t segment = raw_profile_find_segment (raw, i);
      struct location *location = &locations[i];
      *location = (struct location){ i, NO_MODULE, 0 };
      if (segment < 0)
	continue;
      if (module_of[segment] == NO_MODULE)
	{
	  size_t module = module_table_find (&symbolizer->modules, raw,
					     (uint32_t) segment);
	  if (module == SIZE_MAX)
	    return false;
	  module_of[segment] = (uint32_t) module;
	}
      location->module = module_of[segment];
      location->address
	= raw_profile_context (raw, i)->return_address - 1
	  - raw_profile_segment (raw, (uint32_t) segment)->load_bias;
    }
  return true;
}

static int
compare_locations (const void *a, const void *b)
{
  const struct location *x = a;
  const struct location *y = b;
  if (x->module != y->module)
    return x->module < y->module ? -1 : 1;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return 0;
}

/* Set NODES [i] to the model's node of the context number i, given the frame
   list of each.  A parent has a smaller number than its children.  */
static bool
add_contexts (struct profile_symbolizer *symbolizer,
	      const struct raw_profile *raw,
	      const struct frame_list *const *lists, uint32_t *nodes)
{
  uint32_t count = raw_profile_context_count (raw);
  nodes[0] = 0;
  for (uint32_t i = 1; i < count; i++)
    {
      uint32_t node = nodes[raw_profile_context (raw, i)->parent];
      for (size_t j = lists[i]->count; j-- > 0;)
	{
	  uint32_t frame = symbolizer->frame_ids[lists[i]->first + j];
	  node = heap_profile_add_context (symbolizer->profile, node, frame);
	  if (node == UINT32_MAX)
	    return false;
	}
      nodes[i] = node;
    }
  return true;
}

/* Add the MIBs of RAW to their nodes.  Allocations of which no frame is known
   are under a node with the unknown frame.  */
static bool
add_infos (struct profile_symbolizer *symbolizer,
	   const struct raw_profile *raw, const uint32_t *nodes)
{
  uint32_t count = raw_profile_context_count (raw);
  for (uint32_t i = 0; i < count; i++)
    {
      struct memory_info info;
      if (!raw_profile_context_info (raw, i, &info))
	continue;
      uint32_t node = nodes[i];
      if (node == 0)
	node = heap_profile_add_context (symbolizer->profile, 0, 0);
      if (node == UINT32_MAX
	  || !heap_profile_add_info (symbolizer->profile, node, &info))
	return false;
    }
  return true;
}

static void
add_totals (struct heap_profile *profile,
	    const struct heapprof_raw_header *header)
{
  struct heap_profile_totals *totals = heap_profile_totals (profile);
  totals->runs++;
  totals->incomplete_runs += header->state == HEAPPROF_RAW_RUNNING;
  totals->dropped_contexts += header->dropped_contexts;
  totals->truncated_contexts += header->truncated_contexts;
  totals->unprofiled_allocations += header->unprofiled_allocations;
  totals->foreign_frees += header->foreign_frees;
  totals->ended_walks += header->ended_walks;
  totals->folded_contexts += header->folded_contexts;
  totals->pruned_contexts += header->pruned_contexts;
  totals->duration_ns += header->end_time_ns;
}

/* Look every address up, in ascending order, and set LISTS [i] to the frames of
   the context number i.  */
static bool
name_locations (struct profile_symbolizer *symbolizer,
		struct location *locations, uint32_t count,
		const struct frame_list **lists)
{
  if (count > 1)
    qsort (locations + 1, count - 1, sizeof *locations, compare_locations);
  for (uint32_t i = 1; i < count; i++)
    {
      const struct frame_list *list = find_list (symbolizer, &locations[i]);
      if (list == NULL)
	return false;
      lists[locations[i].context] = list;
    }
  for (size_t i = 0; i < symbolizer->modules.count; i++)
    module_warn_about_debug_info (&symbolizer->modules.modules[i]);
  return true;
}

bool
profile_symbolizer_add (struct profile_symbolizer *symbolizer,
			const struct raw_profile *raw, const char *path,
			struct profile_error *err)
{
  uint32_t count = raw_profile_context_count (raw);
  uint32_t segment_count = raw_profile_segment_count (raw);
  size_t room = (size_t) count + 1;
  struct location *locations = calloc (room, sizeof *locations);
  const struct frame_list **lists = calloc (room, sizeof *lists);
  uint32_t *nodes = calloc (room, sizeof *nodes);
  uint32_t *module_of = malloc (((size_t) segment_count + 1)
				* sizeof *module_of);
  bool is_done = false;
  if (locations != NULL && lists != NULL && nodes != NULL
      && module_of != NULL)
    {
      memset (module_of, 0xff, segment_count * sizeof *module_of);
      is_done = locate (symbolizer, raw, module_of, locations)
		&& name_locations (symbolizer, locations, count, lists)
		&& add_contexts (symbolizer, raw, lists, nodes)
		&& add_infos (symbolizer, raw, nodes);
    }
  if (is_done)
    add_totals (symbolizer->profile, raw_profile_header (raw));
  else
    profile_error_set_memory (err, path);
  free (module_of);
  free (nodes);
  free (lists);
  free (locations);
  return is_done;
}
