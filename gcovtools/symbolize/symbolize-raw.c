/* Symbolization of raw profiles of libheapprof.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "address-set.h"
#include "background.h"
#include "heap-affinities.h"
#include "heap-spread.h"
#include "heap-profile-fill.h"
#include "heap-threads.h"
#include "run-state.h"
#include "raw-profile-begin.h"
#include "saturating.h"
#include "scratch.h"
#include "symbolize-times.h"
#include "symbolize-tree.h"
#include <stdlib.h>
#include <string.h>

/* Below this many MIBs, starting a thread costs more than it saves.  */
#define LEAST_INFOS_IN_BACKGROUND 16384

/* Bytes per context of all arrays that exist at the same time.  */
#define SCRATCH_BYTES 24

/* State of adding a raw profile to the model.  */
struct work
{
  struct scratch scratch;
  struct profile_symbolizer *symbolizer;
  struct raw_profile *raw;
  uint32_t count;      /* of contexts */
  uint64_t near;       /* the segment found last */
  uint32_t *module_of; /* by segment; NO_MODULE: not known yet */
  bool *is_called;     /* by segment: from the program */
  bool has_program;    /* it has a segment */
  uint32_t program;    /* its module; NO_MODULE: not known yet */
  uint32_t *numbers;   /* address number, by context */
  uint32_t *nodes; /* node, by context; finally the node of its MIB, 0: none */
  uint32_t *order; /* of contexts, as the tree was made */
  struct address_set set;	   /* addresses in modules' files */
  struct location *locations;	   /* by address number */
  const struct frame_list **lists; /* by address number */
};

/* A MIB of the model that is still empty.  */
struct fresh_info
{
  uint32_t context; /* its context */
  struct memory_info *info;
};

/* A range of them, for one thread.  */
struct filling
{
  const struct work *work;
  const struct fresh_info *fresh;
  uint32_t begin;
  uint32_t end;
};

/* Return true if SEGMENT is of the program itself.  */
static bool
is_program (const struct work *work, uint32_t segment)
{
  return strcmp (raw_profile_segment_path (work->raw, segment),
		 raw_profile_program_name (work->raw))
	 == 0;
}

static bool
find_module (struct work *work, uint32_t segment)
{
  if (work->module_of[segment] != NO_MODULE)
    return true;
  const struct heapprof_raw_segment *record
    = raw_profile_segment (work->raw, segment);
  const char *path = raw_profile_segment_path (work->raw, segment);
  const struct module_identity identity
    = { .path = path,
	.build_id = record->build_id,
	.build_id_bytes = record->build_id_bytes,
	.is_main_program = is_program (work, segment) };
  work->module_of[segment]
    = address_names_module (work->symbolizer->names, &identity);
  if (identity.is_main_program)
    work->program = work->module_of[segment];
  return work->module_of[segment] != NO_MODULE;
}

/* Return true if CONTEXT has a caller in the program.  Callers come first, so
   that their locations are known.  */
static bool
is_called_from_program (const struct work *work, uint32_t context)
{
  uint32_t caller = raw_profile_context (work->raw, context)->parent;
  while (caller != 0
	 && work->locations[work->numbers[caller]].module != work->program)
    caller = raw_profile_context (work->raw, caller)->parent;
  return caller != 0 && work->program != NO_MODULE;
}

/* Tell the table of modules which ones the program calls.  */
static void
note_calls (const struct work *work)
{
  uint32_t count = raw_profile_segment_count (work->raw);
  for (uint32_t i = 0; i < count && work->has_program; i++)
    if (work->module_of[i] != NO_MODULE && work->module_of[i] != work->program)
      address_names_note_calls (work->symbolizer->names, work->module_of[i],
				work->is_called[i]);
}

/* Find the module of the call of CONTEXT and its address in the module's file;
   of an interpreted frame, a context that has it.  Return false if memory is
   exhausted.  */
static bool
locate (struct work *work, uint32_t context, struct location *location)
{
  struct raw_interpreted frame;
  if (raw_profile_interpreted (work->raw, context, &frame))
    {
      *location = (struct location){
	.module = INTERPRETED_MODULE,
	.address = raw_profile_context (work->raw, context)->return_address
      };
      return true;
    }
  int64_t segment
    = raw_profile_find_segment_near (work->raw, context, &work->near);
  *location = (struct location){ .module = NO_MODULE };
  if (segment < 0)
    return true;
  if (!find_module (work, (uint32_t) segment))
    return false;
  location->module = work->module_of[segment];
  if (!work->is_called[segment])
    work->is_called[segment] = is_called_from_program (work, context);
  location->address
    = raw_profile_context (work->raw, context)->return_address - 1
      - raw_profile_segment (work->raw, (uint32_t) segment)->load_bias;
  return true;
}

/* Number the locations of all contexts except the root, each once.  */
static bool
number_locations (struct work *work)
{
  uint32_t capacity = 0;
  for (uint32_t i = 1; i < work->count; i++)
    {
      struct location location;
      if (!locate (work, i, &location))
	return false;
      uint32_t number
	= address_set_add (&work->set, location.module, location.address);
      if (number == UINT32_MAX)
	return false;
      work->numbers[i] = number;
      if (number == capacity)
	{
	  capacity = 2 * capacity + 1024;
	  void *grown
	    = realloc (work->locations, capacity * sizeof *work->locations);
	  if (grown == NULL)
	    return false;
	  work->locations = grown;
	}
      location.number = number;
      work->locations[number] = location;
      if (location.module == INTERPRETED_MODULE)
	work->locations[number].address = i;
    }
  note_calls (work);
  return true;
}

/* Return the number of the type that CONTEXT allocates, 0 if unknown.
   Addresses of the run-time library, which are innermost, have no frames.  */
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

/* Return true if words were watched in RAW.  */
static bool
is_watched (const struct raw_profile *raw)
{
  return (raw_profile_header (raw)->more_flags & HEAPPROF_RAW_WATCHED) != 0;
}

/* If words were watched in RAW, and none of INFO's context was seen to be
   accessed, its accesses are unknown: it must not be taken for cold.  */
static void
forget_unseen (const struct raw_profile *raw, struct memory_info *info)
{
  if (is_watched (raw) && info->access_count.total == 0)
    memory_info_forget_accesses (info);
}

/* Read the data of CONTEXT of RAW into *INFO.  */
static void
read_info (const struct raw_profile *raw, uint32_t context,
	   struct memory_info *info)
{
  raw_profile_context_info (raw, context, info);
  heap_spread_add_unfinished (info, raw_profile_header (raw)->sample_bytes);
  forget_unseen (raw, info);
}

/* Fill the MIBs of FRESH[BEGIN] to FRESH[END - 1].  */
static void
fill_infos (void *data)
{
  const struct filling *filling = data;
  for (uint32_t i = filling->begin; i < filling->end; i++)
    {
      const struct fresh_info *fresh = &filling->fresh[i];
      struct memory_info seen;
      read_info (filling->work->raw, fresh->context, fresh->info);
      fresh->info->data_type_id = type_of (filling->work, fresh->context);
      if (fresh->info->alloc_count != 0)
	continue;
      /* If only the allocations are known, drop all other fields.  */
      seen = *fresh->info;
      *fresh->info = (struct memory_info){ 0 };
      memory_info_add (fresh->info, &seen);
    }
}

/* Fill the MIBs of the COUNT entries of FRESH with two threads.  */
static void
fill_all_infos (const struct work *work, const struct fresh_info *fresh,
		uint32_t count)
{
  struct background background;
  struct filling first = { work, fresh, 0, count / 2 };
  struct filling second = { work, fresh, count / 2, count };
  background_begin (&background, fill_infos, &second,
		    count >= LEAST_INFOS_IN_BACKGROUND);
  fill_infos (&first);
  background_end (&background);
}

/* Replace the node of CONTEXT by the node of its MIB, and return it: 0 if it
   has none, UINT32_MAX if memory is exhausted.  */
static uint32_t
find_info_node (struct work *work, uint32_t context)
{
  uint32_t node = 0;
  if (raw_profile_has_info (work->raw, context))
    node = symbolize_named_node (work->symbolizer, work->nodes[context]);
  work->nodes[context] = node;
  return node;
}

/* Find the contexts with MIBs, and add empty MIBs to nodes without one.  Store
   these in FRESH and return their number, UINT32_MAX if memory is exhausted.
   The remaining contexts with MIBs become the first *LATER of ORDER.  */
static uint32_t
find_infos (struct work *work, struct fresh_info *fresh, uint32_t *later)
{
  struct heap_profile *profile = work->symbolizer->profile;
  uint32_t count = 0;
  *later = 0;
  for (uint32_t i = 0; i < work->count; i++)
    {
      uint32_t context = work->order[i];
      uint32_t node = find_info_node (work, context);
      if (node == UINT32_MAX)
	return UINT32_MAX;
      if (node == 0)
	continue;
      if (info_place_is_known (heap_profile_info_place (profile, node)))
	{
	  work->order[(*later)++] = context;
	  continue;
	}
      struct memory_info *info = heap_profile_new_info (profile, node);
      if (info == NULL)
	return UINT32_MAX;
      fresh[count++] = (struct fresh_info){ context, info };
    }
  return count;
}

/* Add the MIBs of all contexts to those of their nodes.  */
static bool
add_infos (struct work *work)
{
  struct heap_profile *profile = work->symbolizer->profile;
  struct fresh_info *fresh
    = malloc (((size_t) work->count + 1) * sizeof *fresh);
  uint32_t later;
  uint32_t count
    = fresh != NULL ? find_infos (work, fresh, &later) : UINT32_MAX;
  bool is_done = count != UINT32_MAX;
  if (is_done)
    fill_all_infos (work, fresh, count);
  for (uint32_t i = 0; is_done && i < later; i++)
    {
      uint32_t context = work->order[i];
      struct memory_info info;
      read_info (work->raw, context, &info);
      info.data_type_id = type_of (work, context);
      is_done = heap_profile_add_info (profile, work->nodes[context], &info);
    }
  free (fresh);
  return is_done;
}

/* Add *INFO to the MIB with *NUMBER in INFOS.  */
static bool
add_to_info (struct info_table *infos, uint32_t *number,
	     const struct memory_info *info)
{
  struct memory_info room;
  struct memory_info sum
    = *info_place_read (info_table_place (infos, *number), &room);
  memory_info_add (&sum, info);
  return info_table_set (infos, number, &sum);
}

/* Make the MIB of CONTEXT, in INFOS, the MIB of NODE, or add it to that.  */
static bool
place_info (struct work *work, struct info_table *infos, uint32_t context,
	    uint32_t node)
{
  uint32_t *place = heap_profile_info_number (work->symbolizer->profile, node);
  uint32_t number
    = place != NULL ? raw_profile_gather_info (work->raw, context) : 0;
  if (number == 0)
    return false;
  uint64_t type = type_of (work, context);
  /* Write only if needed: the MIB is not in the cache otherwise.  */
  if (type != 0)
    info_table_set_type (infos, number, type);
  struct memory_info room;
  if (is_watched (work->raw))
    {
      struct memory_info info
	= *info_place_read (info_table_place (infos, number), &room);
      forget_unseen (work->raw, &info);
      if (!info_table_set (infos, &number, &info))
	return false;
    }
  if (*place != 0)
    return add_to_info (infos, place,
			info_place_read (info_table_place (infos, number),
					 &room));
  *place = number;
  return true;
}

/* Let the profile, which has no MIBs, take over INFOS, those of the raw
   profile.  It is packed, so that no block in it is unfinished: nothing has to
   be added to the spread of samples.  */
static bool
take_infos (struct work *work, struct info_table *infos)
{
  bool is_done = true;
  for (uint32_t i = 0; is_done && i < work->count; i++)
    {
      uint32_t context = work->order[i];
      uint32_t node = find_info_node (work, context);
      if (node != 0)
	is_done
	  = (node != UINT32_MAX && place_info (work, infos, context, node));
    }
  heap_profile_adopt_infos (work->symbolizer->profile, infos);
  return is_done;
}

/* Add the MIBs of all contexts to the profile, or move them if it has none.  */
static bool
add_or_take_infos (struct work *work)
{
  struct info_table *infos = raw_profile_infos (work->raw);
  if (infos != NULL && !heap_profile_has_infos (work->symbolizer->profile))
    return take_infos (work, infos);
  return add_infos (work);
}

/* Add the histograms to the nodes of their contexts' MIBs.  */
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

/* The same for affinities.  Different contexts may have become one.  */
static bool
add_affinities (const struct work *work)
{
  struct heap_details *details
    = heap_profile_details (work->symbolizer->profile);
  uint64_t count = raw_profile_affinity_count (work->raw);
  bool is_done = true;
  for (uint64_t i = 0; i < count && is_done; i++)
    {
      const struct heapprof_raw_affinity *affinity
	= raw_profile_affinity (work->raw, i);
      uint32_t first = work->nodes[affinity->first];
      uint32_t second = work->nodes[affinity->second];
      if (affinity->first != 0 && first != 0 && second != 0
	  && (first != second || affinity->first == affinity->second))
	is_done
	  = heap_details_add_affinity (details, first, second, affinity->lines);
    }
  return is_done;
}

/* The same for lost blocks.  A context without a MIB had none.  */
static bool
add_leaks (const struct work *work)
{
  struct heap_profile *profile = work->symbolizer->profile;
  uint64_t count = raw_profile_leak_count (work->raw);
  bool is_done = true;
  for (uint64_t i = 0; i < count && is_done; i++)
    {
      const struct heapprof_raw_leak *leak = raw_profile_leak (work->raw, i);
      const struct memory_info info
	= { .lost_count = leak->lost_count,
	    .lost_bytes = leak->lost_bytes,
	    .indirect_count = leak->indirect_count,
	    .indirect_bytes = leak->indirect_bytes };
      uint32_t node = work->nodes[leak->context];
      if (info_place_is_known (heap_profile_info_place (profile, node)))
	is_done = heap_profile_add_info (profile, node, &info);
    }
  return is_done;
}

/* Add the threads.  */
static bool
add_threads (const struct work *work)
{
  struct heap_details *details
    = heap_profile_details (work->symbolizer->profile);
  uint64_t count = raw_profile_thread_count (work->raw);
  bool is_done = true;
  for (uint64_t i = 0; i < count && is_done; i++)
    {
      const struct raw_thread *from = raw_profile_thread (work->raw, i);
      struct heap_thread thread = { .tid = from->tid,
				    .threads = from->threads,
				    .start_ns = from->start_ns,
				    .end_ns = from->end_ns,
				    .alloc_count = from->alloc_count,
				    .alloc_bytes = from->alloc_bytes,
				    .live_count = from->live_count,
				    .live_bytes = from->live_bytes,
				    .peak_count = from->peak_count,
				    .peak_bytes = from->peak_bytes,
				    .most_bytes = from->most_bytes };
      memcpy (thread.name, from->name, sizeof from->name);
      is_done = heap_details_add_thread (details, &thread);
    }
  return is_done;
}

/* Return the accesses that the process of HEADER counted to all memory, of
   which only samples have contexts; 0 if that is unknown: while it runs, the
   others are not added up.  */
static uint64_t
overall_accesses (const struct heapprof_raw_header *header)
{
  if (header->sample_bytes == 0 || header->other_accesses == 0
      || header->state == HEAPPROF_RAW_RUNNING
      || (header->more_flags & HEAPPROF_RAW_UNCOUNTED) != 0)
    return 0;
  return saturating_add (header->sample_accesses, header->other_accesses);
}

/* Add the run of RAW, read from PATH, to the totals of PROFILE.  */
static void
add_run (struct heap_profile *profile, const struct raw_profile *raw,
	 const char *path)
{
  const struct heapprof_raw_header *header = raw_profile_header (raw);
  enum run_state state
    = run_state_of (header, path, raw_profile_program_name (raw));
  const struct heap_totals run
    = { .runs = 1,
	.incomplete_runs = state == RUN_KILLED,
	.running_runs = state == RUN_RUNNING,
	.unknown_runs = state == RUN_UNKNOWN,
	.running_pid = state == RUN_RUNNING ? header->pid : 0,
	.dropped_contexts = header->dropped_contexts,
	.truncated_contexts = header->truncated_contexts,
	.unprofiled_allocations = header->unprofiled_allocations,
	.attached_runs = (header->flags & HEAPPROF_RAW_ATTACHED) != 0,
	.sampled_runs = header->sample_bytes != 0,
	.totals_only_runs = (header->more_flags & HEAPPROF_RAW_TOTALS) != 0,
	.watched_runs = (header->more_flags & HEAPPROF_RAW_WATCHED) != 0,
	.sample_bytes = header->sample_bytes,
	.overall_runs = overall_accesses (header) != 0,
	.overall_accesses = overall_accesses (header),
	.foreign_frees = header->foreign_frees,
	.missed_frees = header->missed_frees,
	.ended_walks = header->ended_walks,
	.folded_contexts = header->folded_contexts,
	.pruned_contexts = header->pruned_contexts,
	.duration_ns = header->end_time_ns,
	.timed_runs = raw_profile_has_moments (raw),
	.peak_sum = raw_profile_peak_bytes (raw),
	.counted_runs = raw_profile_allocated_bytes (raw) > 0,
	.counted_bytes = raw_profile_allocated_bytes (raw),
	.searched_runs = raw_profile_has_leaks (raw),
	.refused_runs = header->leak_state == HEAPPROF_RAW_LEAKS_REFUSED,
	.peak_bytes = raw_profile_has_moments (raw)
			? raw_profile_peak_bytes (raw)
			: header->peak_bytes,
	.memory_bytes = header->memory_bytes,
	.table_bytes = header->table_bytes };
  heap_totals_add (heap_profile_totals (profile), &run);
}

/* Find the frames of the COUNT locations: of those that are interpreted here,
   of the others by looking up their addresses.  */
static bool
symbolize_all (struct work *work, uint32_t count)
{
  struct location *locations = work->locations;
  uint32_t addresses = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      struct raw_interpreted frame;
      struct location location = locations[i];
      if (location.module != INTERPRETED_MODULE)
	{
	  locations[addresses++] = location;
	  continue;
	}
      raw_profile_interpreted (work->raw, (uint32_t) location.address, &frame);
      work->lists[location.number]
	= symbolize_interpreted_frame (work->symbolizer, &frame);
      if (work->lists[location.number] == NULL)
	return false;
    }
  return symbolize_locations (work->symbolizer, locations, addresses,
			      work->lists);
}

/* Make nodes for all contexts.  */
static bool
add_nodes (struct work *work)
{
  uint32_t segment_count = raw_profile_segment_count (work->raw);
  size_t room = (size_t) work->count + 1;
  scratch_init (&work->scratch, room * SCRATCH_BYTES);
  work->module_of
    = malloc (((size_t) segment_count + 1) * sizeof *work->module_of);
  work->numbers = scratch_zeros (&work->scratch, room, sizeof *work->numbers);
  work->nodes = scratch_zeros (&work->scratch, room, sizeof *work->nodes);
  work->order = scratch_take (&work->scratch, room, sizeof *work->order);
  work->is_called
    = calloc ((size_t) segment_count + 1, sizeof *work->is_called);
  if (work->module_of == NULL || work->is_called == NULL
      || work->numbers == NULL || work->nodes == NULL || work->order == NULL
      || !address_set_init (&work->set))
    return false;
  memset (work->module_of, 0xff, segment_count * sizeof *work->module_of);
  for (uint32_t i = 0; i < segment_count && !work->has_program; i++)
    work->has_program = is_program (work, i);
  if (!number_locations (work))
    return false;
  uint32_t count = work->set.count;
  work->lists = calloc ((size_t) count + 1, sizeof *work->lists);
  if (work->lists == NULL || !symbolize_all (work, count))
    return false;
  const struct named_contexts contexts
    = { work->raw, work->numbers, work->lists, count };
  return symbolize_tree (work->symbolizer, &contexts, work->nodes, work->order,
			 &work->scratch);
}

bool
profile_symbolizer_add (struct profile_symbolizer *symbolizer,
			struct raw_profile *raw, const char *path,
			struct profile_error *err)
{
  struct work work = { .symbolizer = symbolizer,
		       .raw = raw,
		       .program = NO_MODULE,
		       .count = raw_profile_context_count (raw) };
  bool is_done
    = (add_nodes (&work) || profile_error_set_memory (err, path))
      && raw_profile_finish (raw, err)
      && ((add_or_take_infos (&work) && add_histograms (&work)
	   && add_affinities (&work) && add_leaks (&work) && add_threads (&work)
	   && symbolize_times (symbolizer->profile, raw, work.nodes))
	  || profile_error_set_memory (err, path));
  if (is_done)
    add_run (symbolizer->profile, raw, path);
  address_set_free (&work.set);
  free (work.lists);
  free (work.locations);
  scratch_free (&work.scratch);
  free (work.is_called);
  free (work.module_of);
  return is_done;
}
