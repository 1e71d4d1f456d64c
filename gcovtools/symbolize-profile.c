/* Raw calling contexts to symbolized ones: what addresses are called.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "symbolize-addresses.h"
#include "function-id.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool
symbolize_locations (struct profile_symbolizer *symbolizer,
		     struct location *locations, uint32_t count,
		     const struct frame_list **lists)
{
  if (count > 1)
    qsort (locations, count, sizeof *locations, compare_locations);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct frame_list *list = find_list (symbolizer, &locations[i]);
      if (list == NULL)
	return false;
      lists[locations[i].number] = list;
    }
  for (size_t i = 0; i < symbolizer->modules.count; i++)
    module_warn_about_debug_info (&symbolizer->modules.modules[i]);
  return true;
}

uint32_t
symbolize_add_frames (struct profile_symbolizer *symbolizer, uint32_t caller,
		      const struct frame_list *list)
{
  for (size_t i = list->count; i-- > 0 && caller != UINT32_MAX;)
    caller = heap_profile_add_context (symbolizer->profile, caller,
				       symbolizer->frame_ids[list->first + i]);
  return caller;
}

uint32_t
symbolize_named_node (struct profile_symbolizer *symbolizer, uint32_t node)
{
  return node != 0 ? node
		   : heap_profile_add_context (symbolizer->profile, 0, 0);
}
