/* Symbolization of raw calling contexts: from addresses to frames.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "symbolize-addresses.h"
#include "function-id.h"
#include "heap-images.h"
#include "heap-modules.h"
#include "local-marks.h"
#include "symbolize-types.h"
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
			struct address_names *names)
{
  struct profile_symbolizer *symbolizer = calloc (1, sizeof *symbolizer);
  if (symbolizer == NULL)
    return NULL;
  symbolizer->profile = profile;
  symbolizer->names = names;
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
  free (symbolizer->frame_ids);
  free (symbolizer);
}

static bool
add_frame_id (struct profile_symbolizer *symbolizer, uint32_t id)
{
  if (symbolizer->frame_id_count == symbolizer->frame_id_capacity)
    {
      size_t capacity = symbolizer->frame_id_capacity > 0
			  ? 2 * symbolizer->frame_id_capacity
			  : 1024;
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

/* Add FILE, below DIRECTORY if it is relative and the directory is known.  */
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

/* Add the address of LIST to PLACE, whose module is set, and the module's build
   ID or, if it has none, its path.  */
static bool
add_address (struct profile_symbolizer *symbolizer,
	     const struct frame_list *list, struct heap_frame *place)
{
  char id[2 * HEAPPROF_RAW_BUILD_ID_BYTES + 1];
  address_names_build_id (symbolizer->names, list->module, id);
  const struct heap_image image
    = { .module = place->module,
	.build_id = add_string (symbolizer, id),
	.path
	= add_string (symbolizer, address_names_module_path (symbolizer->names,
							     list->module)) };
  place->build_id = image.build_id;
  place->path = image.build_id != 0 ? 0 : image.path;
  if (heap_frame_has_address (place))
    place->address = list->address;
  return image.build_id != UINT32_MAX && image.path != UINT32_MAX
	 && (image.build_id == 0
	     || heap_profile_add_image (symbolizer->profile, &image));
}

/* Set the function of FRAME to the N bytes of NAME, without marks of local
   functions.  Return false if memory is exhausted.  */
static bool
set_function (struct profile_symbolizer *symbolizer, struct heap_frame *frame,
	      const char *name, size_t n)
{
  char *copy = NULL;
  if (local_marks_are_possible (name, n))
    {
      name = copy = local_marks_remove (name, &n);
      if (copy == NULL)
	return false;
    }
  frame->function_name = heap_profile_add_string (symbolizer->profile, name, n);
  frame->function_guid = function_guid (name, n);
  free (copy);
  return frame->function_name != UINT32_MAX;
}

/* Add SOURCE, a frame in the module of PLACE, to the model and the current
   list.  */
static bool
add_frame (struct profile_symbolizer *symbolizer,
	   const struct heap_frame *place,
	   const struct symbolizer_frame *source)
{
  struct heap_frame frame = *place;
  frame.file = add_path (symbolizer, source->directory, source->file);
  if (frame.file == UINT32_MAX
      || (source->function != NULL
	  && !set_function (symbolizer, &frame, source->function,
			    source->function_bytes)))
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

/* Fill LIST with the frames of NAMED, or with the unknown frame if NAMED is
   NULL because the address is in no module.  */
static bool
add_frames (struct profile_symbolizer *symbolizer, struct frame_list *list,
	    const struct named_address *named)
{
  list->first = symbolizer->frame_id_count;
  list->count = named != NULL ? named->count : 1;
  if (named == NULL)
    return add_frame_id (symbolizer, 0);
  struct heap_frame place
    = { .module
	= add_string (symbolizer, address_names_module_name (symbolizer->names,
							     list->module)) };
  if (place.module == UINT32_MAX
      || (named_address_rank (named) != NAMED_WHOLE
	  && !add_address (symbolizer, list, &place)))
    return false;
  for (size_t i = 0; i < list->count; i++)
    if (!add_frame (symbolizer, &place, &named->frames[i]))
      return false;
  list->is_split = list->count > 0 && named->frames[list->count - 1].is_split;
  return symbolize_type (symbolizer->profile, named, list);
}

const struct frame_list *
symbolize_frame_list (struct profile_symbolizer *symbolizer,
		      const struct location *location,
		      const struct named_address *named)
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
  return add_frames (symbolizer, list, named) ? list : NULL;
}

const struct frame_list *
symbolize_interpreted_frame (struct profile_symbolizer *symbolizer,
			     const struct raw_interpreted *source)
{
  struct heap_frame frame
    = { .module = add_string (symbolizer, HEAP_PYTHON_MODULE),
	.file = add_string (symbolizer, source->file),
	.function_name = add_string (symbolizer, source->function),
	.line = source->line,
	.start_line = source->first_line,
	.line_offset = (source->line - source->first_line) & 0xffff };
  if (frame.module == UINT32_MAX || frame.file == UINT32_MAX
      || frame.function_name == UINT32_MAX)
    return NULL;
  if (frame.function_name != 0)
    frame.function_guid
      = function_guid (source->function, strlen (source->function));
  uint32_t id = heap_profile_add_frame (symbolizer->profile, &frame);
  struct frame_list key = { .module = INTERPRETED_MODULE, .address = id };
  void **slot = id != UINT32_MAX
		  ? htab_find_slot (symbolizer->lists, &key, INSERT)
		  : NULL;
  if (slot == NULL || *slot != NULL)
    return slot != NULL ? *slot : NULL;
  struct frame_list *list = malloc (sizeof *list);
  if (list == NULL)
    return NULL;
  *list = key;
  list->first = symbolizer->frame_id_count;
  list->count = 1;
  *slot = list;
  return add_frame_id (symbolizer, id) ? list : NULL;
}

/* Record in the profile what module NUMBER lacks.  This includes what look-ups
   for other profiles revealed: all are merged anyway.  */
static bool
add_module (struct profile_symbolizer *symbolizer, uint32_t number)
{
  struct module_lack lack;
  char id[2 * HEAPPROF_RAW_BUILD_ID_BYTES + 1];
  const char *name = address_names_module_name (symbolizer->names, number);
  address_names_build_id (symbolizer->names, number, id);
  for (size_t i = 0; address_names_lack (symbolizer->names, number, i, &lack);
       i++)
    {
      const struct heap_module module
	= { .name = add_string (symbolizer, name),
	    .build_id = add_string (symbolizer, id),
	    .problem = lack.problem,
	    .cause = add_string (symbolizer, lack.cause) };
      if (module.name == UINT32_MAX || module.build_id == UINT32_MAX
	  || module.cause == UINT32_MAX
	  || !heap_details_add_module (heap_profile_details (symbolizer
							       ->profile),
				       &module))
	return false;
    }
  return true;
}

/* Record what the modules of the COUNT LOCATIONS, which are sorted, lack.  */
static bool
add_modules (struct profile_symbolizer *symbolizer,
	     const struct location *locations, uint32_t count)
{
  bool is_done = true;
  for (uint32_t i = 0; i < count && is_done && locations[i].module != NO_MODULE;
       i++)
    if (i == 0 || locations[i].module != locations[i - 1].module)
      is_done = add_module (symbolizer, locations[i].module);
  return is_done;
}

bool
symbolize_locations (struct profile_symbolizer *symbolizer,
		     struct location *locations, uint32_t count,
		     const struct frame_list **lists)
{
  const struct named_address **found
    = calloc ((size_t) count + 1, sizeof *found);
  bool is_done
    = found != NULL
      && address_names_look_up (symbolizer->names, locations, count, found);
  for (uint32_t i = 0; i < count && is_done; i++)
    {
      const struct frame_list *list
	= symbolize_frame_list (symbolizer, &locations[i], found[i]);
      lists[locations[i].number] = list;
      is_done = list != NULL;
    }
  free (found);
  return is_done && add_modules (symbolizer, locations, count);
}

/* Return the parent node for LIST, called from CALLER, whose outermost frame is
   a part split off a function: if CALLER is the rest of the same function, its
   caller.  */
static uint32_t
split_caller (const struct profile_symbolizer *symbolizer, uint32_t caller,
	      const struct frame_list *list)
{
  const struct heap_profile *profile = symbolizer->profile;
  const uint32_t outermost
    = symbolizer->frame_ids[list->first + list->count - 1];
  const struct heap_frame *own = heap_profile_frame (profile, outermost);
  const struct heap_frame *rest
    = heap_profile_frame (profile,
			  heap_profile_context_frame (profile, caller));
  return rest->function_guid != 0 && rest->function_guid == own->function_guid
	   ? heap_profile_context_caller (profile, caller)
	   : caller;
}

uint32_t
symbolize_add_frames (struct profile_symbolizer *symbolizer, uint32_t caller,
		      const struct frame_list *list)
{
  if (list->is_split)
    caller = split_caller (symbolizer, caller, list);
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
