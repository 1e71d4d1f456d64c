/* Symbolization of raw profiles of LLVM's MemProf run-time library.
   SPDX-License-Identifier: GPL-3.0-or-later

   Stacks are lists of addresses.  Each address is looked up once, in ascending
   order; then each stack is walked from its outermost frame inwards, down the
   model's tree.  */

#include "address-set.h"
#include "stack-steps.h"
#include "symbolize-addresses.h"
#include <stdlib.h>
#include <string.h>

/* Typical of profiles with many contexts.  */
#define NODES_PER_ALLOCATION 4

/* Release the processed input after so many allocations.  */
#define FORGET_ALLOCATIONS 8192

/* Source files of the run-time library, whose frames are omitted.  */
static const char *const runtime_files[]
  = { "memprof_malloc_linux.cpp", "memprof_interceptors.cpp",
      "memprof_new_delete.cpp" };

/* A segment and its number in the file.  */
struct segment_place
{
  struct memprof_raw_segment segment;
  uint32_t number;
};

/* State of adding a dump to the model.  */
struct work
{
  struct profile_symbolizer *symbolizer;
  const struct memprof_raw *raw;
  size_t dump;
  bool may_forget;
  struct segment_place *segments; /* sorted by start */
  size_t segment_count;
  struct address_set set;
  const struct frame_list **lists; /* by number of the address */
  bool *is_runtime;		   /* by number: code of the run-time library */
  struct stack_steps steps;
  uint32_t *numbers; /* of a stack, outermost first */
  uint64_t capacity; /* of NUMBERS */
};

/* ---- Addresses.  */

static bool
collect_addresses (struct work *work)
{
  struct memprof_raw_walk walk;
  struct memprof_raw_allocation allocation;
  memprof_raw_begin (work->raw, work->dump, &walk);
  while (memprof_raw_next (&walk, &allocation))
    for (uint64_t i = 0; i < allocation.depth; i++)
      if (address_set_add (&work->set, 0, memprof_raw_address (&allocation, i))
	  == UINT32_MAX)
	return false;
  return true;
}

static int
compare_segments (const void *a, const void *b)
{
  const struct segment_place *x = a;
  const struct segment_place *y = b;
  if (x->segment.start != y->segment.start)
    return x->segment.start < y->segment.start ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static bool
sort_segments (struct work *work)
{
  work->segment_count = memprof_raw_segment_count (work->raw, work->dump);
  work->segments = calloc (work->segment_count + 1, sizeof *work->segments);
  if (work->segments == NULL)
    return false;
  for (size_t i = 0; i < work->segment_count; i++)
    work->segments[i] = (struct segment_place){
      memprof_raw_segment_at (work->raw, work->dump, i), (uint32_t) i
    };
  qsort (work->segments, work->segment_count, sizeof *work->segments,
	 compare_segments);
  return true;
}

/* Return the segment that contains ADDRESS, NULL if none.  */
static const struct segment_place *
find_segment (const struct work *work, uint64_t address)
{
  size_t low = 0;
  size_t high = work->segment_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (work->segments[middle].segment.start <= address)
	low = middle + 1;
      else
	high = middle;
    }
  return low > 0 && address < work->segments[low - 1].segment.end
	   ? &work->segments[low - 1]
	   : NULL;
}

/* Set *LOCATION to the location of ADDRESS.  The file has no module names; the
   main program is the first module.  */
static bool
locate (struct work *work, uint64_t address, struct location *location)
{
  const struct segment_place *place = find_segment (work, address);
  if (place == NULL)
    return true;
  const struct module_identity identity
    = { .path = "",
	.build_id = place->segment.build_id,
	.build_id_bytes = place->segment.build_id_bytes,
	.is_main_program = place->number == 0 };
  location->module = address_names_module (work->symbolizer->names, &identity);
  location->address = address - place->segment.load_bias;
  return location->module != NO_MODULE;
}

static const struct heap_frame *
innermost (const struct work *work, const struct frame_list *list)
{
  const struct profile_symbolizer *symbolizer = work->symbolizer;
  return heap_profile_frame (symbolizer->profile,
			     symbolizer->frame_ids[list->first]);
}

static bool
is_runtime (const struct work *work, const struct frame_list *list)
{
  if (list->count == 0)
    return false;
  const char *file = heap_profile_string (work->symbolizer->profile,
					  innermost (work, list)->file);
  const char *slash = strrchr (file, '/');
  const char *name = slash != NULL ? slash + 1 : file;
  for (size_t i = 0; i < sizeof runtime_files / sizeof runtime_files[0]; i++)
    if (strcmp (name, runtime_files[i]) == 0)
      return true;
  return false;
}

static bool
name_addresses (struct work *work)
{
  uint32_t count = work->set.count;
  struct location *locations = calloc ((size_t) count + 1, sizeof *locations);
  work->lists = calloc ((size_t) count + 1, sizeof *work->lists);
  work->is_runtime = calloc ((size_t) count + 1, sizeof *work->is_runtime);
  bool is_done = locations != NULL && work->lists != NULL
		 && work->is_runtime != NULL && sort_segments (work);
  for (uint32_t i = 0; i < count && is_done; i++)
    {
      locations[i] = (struct location){ i, NO_MODULE, 0 };
      is_done = locate (work, work->set.entries[i].address, &locations[i]);
    }
  is_done
    = is_done
      && symbolize_locations (work->symbolizer, locations, count, work->lists);
  free (locations);
  for (uint32_t i = 0; i < count && is_done; i++)
    work->is_runtime[i] = is_runtime (work, work->lists[i]);
  return is_done;
}

/* ---- Stacks.  */

/* Return true if the innermost address, NUMBER, is in the allocation function.
   The run-time library usually has no debug information.  */
static bool
is_allocator (const struct work *work, uint32_t number)
{
  const struct frame_list *list = work->lists[number];
  return list->count > 0 && innermost (work, list)->file == 0;
}

/* Number the addresses of ALLOCATION, outermost first.  */
static bool
number_stack (struct work *work,
	      const struct memprof_raw_allocation *allocation)
{
  uint64_t depth = allocation->depth;
  if (depth > work->capacity)
    {
      void *grown = realloc (work->numbers, 2 * depth * sizeof *work->numbers);
      if (grown == NULL)
	return false;
      work->numbers = grown;
      work->capacity = 2 * depth;
    }
  for (uint64_t i = 0; i < depth; i++)
    work->numbers[i]
      = address_set_add (&work->set, 0,
			 memprof_raw_address (allocation, depth - 1 - i));
  return true;
}

/* Return the node of address NUMBER below CALLER; UINT32_MAX if memory is
   exhausted.  */
static uint32_t
add_frame (struct work *work, uint32_t number, uint32_t caller)
{
  if (work->is_runtime[number])
    return caller;
  return symbolize_add_frames (work->symbolizer, caller, work->lists[number]);
}

/* Return the node of a run of NUMBERS below CALLER; UINT32_MAX if memory is
   exhausted.  */
static uint32_t
add_run (struct work *work, const uint32_t *numbers, uint32_t caller)
{
  uint64_t run = stack_steps_run (&work->steps, numbers);
  uint32_t node = stack_steps_find (&work->steps, caller, run);
  if (node != UINT32_MAX)
    return node;
  node = caller;
  for (unsigned int i = 0; i < work->steps.width && node != UINT32_MAX; i++)
    node = add_frame (work, numbers[i], node);
  return node != UINT32_MAX && stack_steps_add (&work->steps, caller, run, node)
	   ? node
	   : UINT32_MAX;
}

/* Return the node of the stack of ALLOCATION; UINT32_MAX if memory is
   exhausted.  The innermost address is handled separately, since it is omitted
   if it is in the allocation function.  */
static uint32_t
add_stack (struct work *work, const struct memprof_raw_allocation *allocation)
{
  if (!number_stack (work, allocation))
    return UINT32_MAX;
  uint64_t depth = allocation->depth;
  uint64_t i = 0;
  uint32_t node = 0;
  for (; i + work->steps.width < depth && node != UINT32_MAX;
       i += work->steps.width)
    node = add_run (work, &work->numbers[i], node);
  for (; i < depth && node != UINT32_MAX; i++)
    if (i < depth - 1 || !is_allocator (work, work->numbers[i]))
      node = add_frame (work, work->numbers[i], node);
  return node;
}

/* Add the histogram of ALLOCATION to NODE.  */
static bool
add_histogram (struct work *work, const struct memprof_raw_walk *walk,
	       const struct memprof_raw_allocation *allocation, uint32_t node)
{
  uint32_t count = allocation->histogram_count;
  if (count == 0)
    return true;
  uint64_t *counts = malloc (count * sizeof *counts);
  if (counts == NULL)
    return false;
  for (uint32_t i = 0; i < count; i++)
    counts[i] = memprof_raw_histogram (walk, allocation, i);
  bool is_done
    = heap_details_add_histogram (heap_profile_details (work->symbolizer
							  ->profile),
				  node, counts, count);
  free (counts);
  return is_done;
}

static bool
add_allocations (struct work *work)
{
  struct memprof_raw_walk walk;
  struct memprof_raw_allocation allocation;
  memprof_raw_begin (work->raw, work->dump, &walk);
  if (!heap_profile_reserve_contexts (work->symbolizer->profile,
				      walk.left * NODES_PER_ALLOCATION))
    return false;
  while (memprof_raw_next (&walk, &allocation))
    {
      uint32_t node = add_stack (work, &allocation);
      if (node != UINT32_MAX)
	node = symbolize_named_node (work->symbolizer, node);
      struct memory_info info = memprof_raw_info (&walk, &allocation);
      if (node == UINT32_MAX
	  || !heap_profile_add_info (work->symbolizer->profile, node, &info)
	  || !add_histogram (work, &walk, &allocation, node))
	return false;
      if (work->may_forget && walk.left % FORGET_ALLOCATIONS == 0)
	memprof_raw_forget (&walk);
    }
  return true;
}

static bool
add_dump (struct profile_symbolizer *symbolizer, const struct memprof_raw *raw,
	  size_t dump, bool may_forget)
{
  struct work work = {
    .symbolizer = symbolizer, .raw = raw, .dump = dump, .may_forget = may_forget
  };
  bool is_done = address_set_init (&work.set) && collect_addresses (&work)
		 && stack_steps_init (&work.steps, work.set.count)
		 && name_addresses (&work) && add_allocations (&work);
  free (work.numbers);
  stack_steps_free (&work.steps);
  free (work.is_runtime);
  free (work.lists);
  free (work.segments);
  address_set_free (&work.set);
  return is_done;
}

bool
profile_symbolizer_add_memprof (struct profile_symbolizer *symbolizer,
				const struct memprof_raw *raw, bool may_forget,
				const char *path, struct profile_error *err)
{
  for (size_t i = 0; i < memprof_raw_dump_count (raw); i++)
    if (!add_dump (symbolizer, raw, i, may_forget))
      return profile_error_set_memory (err, path);
  heap_profile_totals (symbolizer->profile)->runs++;
  return true;
}
