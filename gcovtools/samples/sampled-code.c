/* Samples of code and data, by addresses in object files.
   SPDX-License-Identifier: GPL-3.0-or-later

   Everything is counted by process address first; then each distinct branch and
   range is looked up once.  */

#include "sampled-code.h"
#include "arm-instructions.h"
#include "build-id-table.h"
#include "sampled-places.h"
#include "sampled-stacks.h"
#include <stdlib.h>

struct collection
{
  struct sampled_code *code;
  struct sampled_places places;
  struct build_id_table build_ids;
  enum sampled_kind kind;
  /* These are indexed by moment.  */
  struct address_pairs branches;
  struct address_pairs single_branches;
  struct address_pairs ranges;
  struct address_pairs addresses;
  struct address_pairs times;	 /* address, 0; count: the least time */
  uint64_t first_time;		 /* of all samples; 0: none has a time */
  struct sampled_stacks *stacks; /* NULL: not wanted */
};

void
sampled_code_release (struct sampled_code *code)
{
  address_pairs_release (&code->branches);
  address_pairs_release (&code->single_branches);
  address_pairs_release (&code->ranges);
  address_pairs_release (&code->addresses);
  address_pairs_release (&code->loads);
  address_pairs_release (&code->first_runs);
  for (uint32_t i = 0; i < code->stack_count; i++)
    stack_counts_release (&code->stacks[i]);
  free (code->stacks);
}

static uint32_t
find_image (void *closure, const struct perf_mapping *mapping)
{
  struct collection *collection = closure;
  const uint8_t *id = mapping->build_id;
  size_t size = mapping->build_id_bytes;
  if (size == 0)
    id = build_id_table_find (&collection->build_ids, mapping->path,
			      mapping->path_bytes, &size);
  return image_list_find (collection->places.images, mapping->path,
			  mapping->path_bytes, id, size);
}

static bool
add_build_id (void *closure, const struct perf_build_id *id,
	      struct profile_error *err)
{
  struct collection *collection = closure;
  return build_id_table_add (&collection->build_ids, id->path, id->path_bytes,
			     id->build_id, id->build_id_bytes)
	 || profile_error_set_memory (err, NULL);
}

/* Record that the code at ADDRESS ran at the time of SAMPLE.  */
static bool
add_time (struct collection *collection, uint32_t moment, uint64_t address,
	  const struct perf_sample *sample)
{
  if (!collection->code->wants_times || sample->time == 0)
    return true;
  if (collection->first_time == 0 || sample->time < collection->first_time)
    collection->first_time = sample->time;
  return address_pairs_add_least (&collection->times, moment, address, 0,
				  sample->time);
}

static bool
add_branches (struct collection *collection, uint32_t moment,
	      const struct perf_sample *sample)
{
  const struct perf_branch *branches = sample->branches;
  collection->code->branch_samples += sample->count;
  for (size_t i = 0; i < sample->branch_count; i++)
    {
      if (!address_pairs_add (&collection->branches, moment, branches[i].from,
			      branches[i].to, sample->count)
	  || !add_time (collection, moment, branches[i].to, sample))
	return false;
      /* Code ran from the target of this branch to the next newer branch.  */
      if (i > 0
	  && !address_pairs_add (&collection->ranges, moment, branches[i].to,
				 branches[i - 1].from, sample->count))
	return false;
    }
  return true;
}

static bool
add_load (struct collection *collection, uint32_t moment,
	  const struct perf_sample *sample)
{
  struct sampled_place data;
  struct sampled_place instruction;
  collection->code->load_samples += sample->count;
  if (!sampled_places_find_data (&collection->places, moment, sample->address,
				 &data))
    return true;
  const struct virtual_tables *tables
    = &collection->places.images->images[data.image].tables;
  if (virtual_tables_find (tables, data.address) == NULL
      || !sampled_places_find (&collection->places, moment, sample->ip,
			       &instruction))
    return true;
  return address_pairs_add (&collection->code->loads,
			    SAMPLED_BRANCH_SPACE (instruction.image,
						  data.image),
			    instruction.address, data.address, sample->count);
}

/* Add SAMPLE, which has no stack of branches.  */
static bool
add_address (struct collection *collection, uint32_t moment,
	     const struct perf_sample *sample)
{
  collection->code->address_samples += sample->count;
  return address_pairs_add (&collection->addresses, moment, sample->ip, 0,
			    sample->count)
	 && (sample->target == 0
	     || address_pairs_add (&collection->single_branches, moment,
				   sample->ip, sample->target, sample->count))
	 && add_time (collection, moment, sample->ip, sample);
}

/* Return true if SAMPLE has as many callers as the recording keeps.  */
static bool
is_cut (const struct perf_sample *sample)
{
  size_t count = 0;
  if (sample->caller_count < sample->caller_limit)
    return false;
  for (size_t i = 0; i < sample->caller_count; i++)
    count += sample->callers[i] < PERF_LEAST_MARKER;
  return count >= sample->caller_limit;
}

static bool
add_sample (void *closure, const struct perf_sample *sample,
	    struct profile_error *err)
{
  struct collection *collection = closure;
  uint32_t moment = perf_processes_moment (collection->places.processes,
					   sample->pid, sample->order);
  bool is_done = true;
  if (moment == PERF_NO_MOMENT && !collection->places.is_preferred)
    return true;
  /* If any sample has a stack, nothing else counts.  */
  if (sample->branch_count > 0 && sample->caller_count > 0
      && collection->stacks != NULL)
    {
      collection->code->branch_samples += sample->count;
      collection->code->stack_samples += sample->count;
      if (is_cut (sample))
	collection->code->cut_stacks += sample->count;
      is_done = sampled_stacks_add (collection->stacks, moment, sample);
    }
  else if (sample->branch_count > 0)
    is_done = collection->kind == SAMPLED_LOADS
	      || add_branches (collection, moment, sample);
  if (is_done && sample->has_ip && sample->address != 0)
    is_done = sample->is_store || add_load (collection, moment, sample);
  else if (is_done && sample->has_ip && sample->branch_count == 0
	   && collection->kind == SAMPLED_ALL)
    is_done = add_address (collection, moment, sample);
  return is_done || profile_error_set_memory (err, NULL);
}

/* A call that passes through a veneer, code of the linker between it and its
   target, is two branches.  Move *TO, where one leads, behind the veneer;
   return false if no code is there.  */
static bool
pass_veneer (const struct collection *collection, struct sampled_place *to)
{
  struct code_instruction instruction;
  struct code_map *code = collection->places.images->images[to->image].code;
  uint64_t target;
  if (!code_map_veneer (code, to->address, &target))
    return true;
  to->address = target;
  return code_map_find (code, target, &instruction);
}

/* Return true if the branch FROM a place in the same image TO another is the
   last instruction of a veneer.  */
static bool
is_in_veneer (const struct collection *collection,
	      const struct sampled_place *from, const struct sampled_place *to)
{
  struct code_map *code = collection->places.images->images[from->image].code;
  uint64_t target;
  for (uint64_t i = 0; i < ARM_VENEER_BYTES; i += ARM_INSTRUCTION_BYTES)
    if (code_map_veneer (code, from->address - i, &target)
	&& target == to->address)
      return from->image == to->image;
  return false;
}

/* Add the branches of PAIRS to FINISHED.  */
static bool
finish_branches (const struct collection *collection,
		 const struct address_pairs *pairs,
		 struct address_pairs *finished)
{
  for (uint32_t i = 0; i < pairs->slot_count; i++)
    {
      const struct address_pair *pair = &pairs->slots[i];
      struct sampled_place from;
      struct sampled_place to;
      if (pair->count == 0
	  || !sampled_places_find_code (&collection->places, pair->space,
					pair->second, &to))
	continue;
      bool is_inside
	= sampled_places_find_code (&collection->places, pair->space,
				    pair->first, &from);
      if ((is_inside && is_in_veneer (collection, &from, &to))
	  || !pass_veneer (collection, &to))
	continue;
      if (!address_pairs_add (finished,
			      SAMPLED_BRANCH_SPACE (is_inside
						      ? from.image
						      : SAMPLED_NO_IMAGE,
						    to.image),
			      is_inside ? from.address : 0, to.address,
			      pair->count))
	return false;
    }
  return true;
}

static bool
finish_ranges (struct collection *collection)
{
  const struct address_pairs *pairs = &collection->ranges;
  for (uint32_t i = 0; i < pairs->slot_count; i++)
    {
      const struct address_pair *pair = &pairs->slots[i];
      struct sampled_place begin;
      struct sampled_place end;
      if (pair->count == 0
	  || !sampled_places_find_code (&collection->places, pair->space,
					pair->first, &begin)
	  || !sampled_places_find_code (&collection->places, pair->space,
					pair->second, &end))
	continue;
      if (begin.image != end.image
	  || !code_map_is_straight (collection->places.images
				      ->images[begin.image]
				      .code,
				    begin.address, end.address))
	collection->code->invalid_ranges += pair->count;
      else if (!address_pairs_add (&collection->code->ranges, begin.image,
				   begin.address, end.address, pair->count))
	return false;
    }
  return true;
}

static bool
finish_addresses (struct collection *collection)
{
  const struct address_pairs *pairs = &collection->addresses;
  for (uint32_t i = 0; i < pairs->slot_count; i++)
    {
      const struct address_pair *pair = &pairs->slots[i];
      struct sampled_place place;
      if (pair->count != 0
	  && sampled_places_find_code (&collection->places, pair->space,
				       pair->first, &place)
	  && !address_pairs_add (&collection->code->addresses, place.image,
				 place.address, 0, pair->count))
	return false;
    }
  return true;
}

static bool
finish_times (struct collection *collection)
{
  const struct address_pairs *pairs = &collection->times;
  for (uint32_t i = 0; i < pairs->slot_count; i++)
    {
      const struct address_pair *pair = &pairs->slots[i];
      struct sampled_place place;
      if (pair->count != 0
	  && sampled_places_find_code (&collection->places, pair->space,
				       pair->first, &place)
	  && !address_pairs_add_least (&collection->code->first_runs,
				       place.image, place.address, 0,
				       pair->count - collection->first_time
					 + 1))
	return false;
    }
  return true;
}

/* Prepare COLLECTION to find calling contexts.  */
static bool
open_stacks (struct collection *collection)
{
  struct sampled_code *code = collection->code;
  size_t count = collection->places.images->count;
  if (code->stacks == NULL)
    {
      code->stacks = calloc (count + 1, sizeof *code->stacks);
      code->stack_count = code->stacks != NULL ? (uint32_t) count : 0;
    }
  for (uint32_t i = 0; i < code->stack_count; i++)
    {
      code->stacks[i].contexts.are_paths = code->wants_paths;
      code->stacks[i].contexts.has_limit = code->has_limit;
      code->stacks[i].contexts.limit = code->limit;
    }
  if (code->stacks != NULL)
    collection->stacks
      = sampled_stacks_open (&collection->places, code->stacks);
  return collection->stacks != NULL;
}

bool
sampled_code_add (struct sampled_code *code, struct image_list *images,
		  struct perf_recording *recording, enum sampled_kind kind,
		  int32_t pid, bool *has_images, struct profile_error *err)
{
  struct collection collection
    = { .code = code, .places = { .images = images }, .kind = kind };
  const struct perf_images finder
    = { .closure = &collection, .find = find_image, .build_id = add_build_id };
  const struct perf_handler handler
    = { .closure = &collection, .sample = add_sample };
  collection.places.processes
    = perf_processes_read (recording, &finder, pid, err);
  bool is_done = collection.places.processes != NULL;
  if (is_done && code->wants_stacks && kind == SAMPLED_ALL)
    is_done
      = open_stacks (&collection)
	|| profile_error_set_memory (err, perf_recording_path (recording));
  if (is_done)
    {
      *has_images = perf_processes_has_images (collection.places.processes);
      collection.places.is_preferred
	= !*has_images && images->count == 1
	  && perf_recording_form (recording) == PERF_FORM_SCRIPT;
      is_done = perf_recording_read (recording, &handler, err);
    }
  if (is_done
      && ((collection.stacks != NULL
	   && !sampled_stacks_finish (collection.stacks))
	  || !finish_branches (&collection, &collection.branches,
			       &code->branches)
	  || !finish_branches (&collection, &collection.single_branches,
			       &code->single_branches)
	  || !finish_ranges (&collection) || !finish_addresses (&collection)
	  || !finish_times (&collection)))
    is_done = profile_error_set_memory (err, perf_recording_path (recording));
  perf_processes_free (collection.places.processes);
  build_id_table_release (&collection.build_ids);
  address_pairs_release (&collection.branches);
  address_pairs_release (&collection.single_branches);
  address_pairs_release (&collection.ranges);
  address_pairs_release (&collection.addresses);
  address_pairs_release (&collection.times);
  sampled_stacks_close (collection.stacks);
  return is_done;
}
