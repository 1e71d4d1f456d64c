/* Raw profiles of libheapprof to symbolized contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "address-set.h"
#include "symbolize-tree.h"
#include <stdlib.h>
#include <string.h>

/* A raw profile on its way into the model.  */
struct work
{
  struct profile_symbolizer *symbolizer;
  const struct raw_profile *raw;
  uint32_t count;		/* contexts */
  uint32_t *module_of;		/* by segment; NO_MODULE: not known yet */
  uint32_t *numbers;		/* by context: of its address */
  uint32_t *nodes;		/* by context: of its MIB in the model; 0: none */
  struct address_set set;	/* of addresses in modules' files */
  struct location *locations;	/* by number */
  const struct frame_list **lists; /* by number */
};

static bool
find_module (struct work *work, uint32_t segment)
{
  if (work->module_of[segment] != NO_MODULE)
    return true;
  const struct heapprof_raw_segment *record
    = raw_profile_segment (work->raw, segment);
  const char *path = raw_profile_segment_path (work->raw, segment);
  const struct module_identity identity = {
    .path = path,
    .build_id = record->build_id,
    .build_id_bytes = record->build_id_bytes,
    .is_main_program
      = strcmp (path, raw_profile_program_name (work->raw)) == 0
  };
  work->module_of[segment]
    = address_names_module (work->symbolizer->names, &identity);
  return work->module_of[segment] != NO_MODULE;
}

/* Find the module of the call of CONTEXT and its address in the module's file.
   False if memory is exhausted.  */
static bool
locate (struct work *work, uint32_t context, struct location *location)
{
  int64_t segment = raw_profile_find_segment (work->raw, context);
  *location = (struct location){ .module = NO_MODULE };
  if (segment < 0)
    return true;
  if (!find_module (work, (uint32_t) segment))
    return false;
  location->module = work->module_of[segment];
  location->address
    = raw_profile_context (work->raw, context)->return_address - 1
      - raw_profile_segment (work->raw, (uint32_t) segment)->load_bias;
  return true;
}

/* Number the places of all contexts but the root, each once.  */
static bool
number_locations (struct work *work)
{
  uint32_t capacity = 0;
  for (uint32_t i = 1; i < work->count; i++)
    {
      struct location location;
      if (!locate (work, i, &location))
	return false;
      uint32_t number = address_set_add (&work->set, location.module,
					 location.address);
      if (number == UINT32_MAX)
	return false;
      work->numbers[i] = number;
      if (number == capacity)
	{
	  capacity = 2 * capacity + 1024;
	  void *grown = realloc (work->locations,
				 capacity * sizeof *work->locations);
	  if (grown == NULL)
	    return false;
	  work->locations = grown;
	}
      location.number = number;
      work->locations[number] = location;
    }
  return true;
}

/* The number of the type of what CONTEXT allocates, 0 if unknown.  Addresses of
   the run-time library, which are innermost, have no frames.  */
static uint64_t
type_of (const struct work *work, uint32_t context)
{
  bool is_inside = true;
  while (context != 0)
    {
      const struct frame_list *list = work->lists[work->numbers[context]];
      is_inside &= list->count == 0;
      if (!is_inside && !list->is_returned)
	return list->type;
      context = raw_profile_context (work->raw, context)->parent;
    }
  return 0;
}

/* Fold the MIB of CONTEXT into that of NODE.  */
static bool
add_info (void *data, uint32_t context, uint32_t node)
{
  struct work *work = data;
  struct memory_info info;
  if (!raw_profile_context_info (work->raw, context, &info))
    return true;
  info.data_type_id = type_of (work, context);
  node = symbolize_named_node (work->symbolizer, node);
  work->nodes[context] = node;
  return node != UINT32_MAX
	 && heap_profile_add_info (work->symbolizer->profile, node, &info);
}

/* Add the histograms to those of the nodes that have their contexts' MIBs.  */
static bool
add_histograms (const struct work *work)
{
  struct heap_details *details
    = heap_profile_details (work->symbolizer->profile);
  uint64_t counts[HEAPPROF_RAW_HISTOGRAM_WORDS] = { 0 };
  uint64_t count = raw_profile_histogram_count (work->raw);
  bool is_done = true;
  for (uint64_t i = 0; i < count && is_done; i++)
    {
      const struct heapprof_raw_histogram *histogram
	= raw_profile_histogram (work->raw, i);
      uint32_t node = work->nodes[histogram->context];
      uint32_t used = HEAPPROF_RAW_HISTOGRAM_COUNTS;
      while (used > 0 && histogram->counts[used - 1] == 0)
	used--;
      if (node == 0 || used == 0)
	continue;
      uint64_t *first = &counts[histogram->first_word];
      memcpy (first, histogram->counts, used * sizeof *first);
      is_done = heap_details_add_histogram (details, node, counts,
					    histogram->first_word + used);
      memset (first, 0, used * sizeof *first);
    }
  return is_done;
}

/* Fold what HEADER says of its run into the totals of PROFILE.  */
static void
add_run (struct heap_profile *profile,
	 const struct heapprof_raw_header *header)
{
  const struct heap_totals run = {
    .runs = 1,
    .incomplete_runs = header->state == HEAPPROF_RAW_RUNNING,
    .dropped_contexts = header->dropped_contexts,
    .truncated_contexts = header->truncated_contexts,
    .unprofiled_allocations = header->unprofiled_allocations,
    .foreign_frees = header->foreign_frees,
    .ended_walks = header->ended_walks,
    .folded_contexts = header->folded_contexts,
    .pruned_contexts = header->pruned_contexts,
    .duration_ns = header->end_time_ns,
    .peak_bytes = header->peak_bytes,
    .memory_bytes = header->memory_bytes,
    .table_bytes = header->table_bytes
  };
  heap_totals_add (heap_profile_totals (profile), &run);
}

static bool
run (struct work *work)
{
  uint32_t segment_count = raw_profile_segment_count (work->raw);
  size_t room = (size_t) work->count + 1;
  work->module_of = malloc (((size_t) segment_count + 1)
			    * sizeof *work->module_of);
  work->numbers = calloc (room, sizeof *work->numbers);
  work->nodes = calloc (room, sizeof *work->nodes);
  if (work->module_of == NULL || work->numbers == NULL || work->nodes == NULL
      || !address_set_init (&work->set))
    return false;
  memset (work->module_of, 0xff, segment_count * sizeof *work->module_of);
  if (!number_locations (work))
    return false;
  uint32_t count = work->set.count;
  work->lists = calloc ((size_t) count + 1, sizeof *work->lists);
  if (work->lists == NULL
      || !symbolize_locations (work->symbolizer, work->locations, count,
			       work->lists))
    return false;
  const struct named_contexts contexts = {
    work->raw, work->numbers, work->lists, count
  };
  return symbolize_tree (work->symbolizer, &contexts, add_info, work)
	 && add_histograms (work);
}

bool
profile_symbolizer_add (struct profile_symbolizer *symbolizer,
			const struct raw_profile *raw, const char *path,
			struct profile_error *err)
{
  struct work work = {
    .symbolizer = symbolizer,
    .raw = raw,
    .count = raw_profile_context_count (raw)
  };
  bool is_done = run (&work);
  if (is_done)
    add_run (symbolizer->profile, raw_profile_header (raw));
  else
    profile_error_set_memory (err, path);
  address_set_free (&work.set);
  free (work.lists);
  free (work.locations);
  free (work.nodes);
  free (work.numbers);
  free (work.module_of);
  return is_done;
}
