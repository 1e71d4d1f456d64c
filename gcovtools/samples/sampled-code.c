/* Samples of code and data, by addresses in object files.
   SPDX-License-Identifier: GPL-3.0-or-later

   Everything is counted by process address first; then each distinct branch and
   range is looked up once.  */

#include "sampled-code.h"
#include "arm-instructions.h"
#include "build-id-table.h"
#include "growing-array.h"
#include "sample-profile.h"
#include <stdlib.h>
#include <string.h>

/* Number of places that are remembered, a power of two.  */
#define REMEMBERED 8192

/* Number of stacks that are remembered, a power of two.  */
#define REMEMBERED_STACKS 4096

/* A stack that was sampled COUNT times; 0: none.  Programs run in circles, and
   following a stack takes far longer than comparing it.  */
struct known_stack
{
  uint64_t hash;
  uint64_t count;
  uint32_t moment;
  size_t caller_count;
  size_t branch_count;
  uint64_t *addresses; /* callers, then source and target of each branch */
  size_t capacity;
};

/* Where the code at ADDRESS, at MOMENT, is.  */
struct known_place
{
  uint64_t address;
  uint64_t found; /* in IMAGE; 0: not looked up */
  uint32_t image; /* SAMPLED_NO_IMAGE: none */
  uint32_t moment;
};

struct collection
{
  struct sampled_code *code;
  struct image_list *images;
  struct build_id_table build_ids;
  struct perf_processes *processes;
  enum sampled_kind kind;
  bool is_preferred; /* no mappings recorded: addresses are those of the only
			image */
  /* These are indexed by moment.  */
  struct address_pairs branches;
  struct address_pairs single_branches;
  struct address_pairs ranges;
  struct address_pairs addresses;
  struct address_pairs times; /* address, 0; count: the least time */
  uint64_t first_time;	      /* of all samples; 0: none has a time */
  /* If stacks are wanted: */
  struct stack_unwinder **unwinders; /* by image */
  struct known_place *known;	     /* REMEMBERED */
  struct known_stack *stacks;	     /* REMEMBERED_STACKS */
  struct known_stack current;	     /* the sample's */
  struct known_place *code_places;   /* of a stack's addresses */
  size_t code_capacity;
  struct stack_branch *stack_branches; /* room for those of the sample */
  size_t branch_capacity;
  uint64_t *frames;
  size_t frame_capacity;
};

/* A location in an image.  */
struct place
{
  uint32_t image;
  uint64_t address;
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
  return image_list_find (collection->images, mapping->path,
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

/* Set *BIAS to the load bias of AREA at MOMENT.  For code it is certain; data
   has the same bias as code of its image.  */
static bool
find_bias (const struct collection *collection, uint32_t moment,
	   const struct perf_area *area, uint64_t *bias)
{
  const struct object_layout *layout
    = &collection->images->images[area->image].layout;
  const struct perf_area *other;
  bool is_code = area->protection & PERF_EXECUTE;
  for (uint32_t i = 0;
       !is_code
       && (other = perf_processes_area (collection->processes, moment, i))
	    != NULL;
       i++)
    if (other->image == area->image && (other->protection & PERF_EXECUTE)
	&& object_layout_bias (layout, other->file_offset, true, other->start,
			       bias)
	&& object_layout_has_bias (layout, area->file_offset, area->start,
				   *bias))
      return true;
  return object_layout_bias (layout, area->file_offset, is_code, area->start,
			     bias);
}

/* Set *PLACE to the location of ADDRESS in AREA at MOMENT.  */
static bool
locate_in (const struct collection *collection, uint32_t moment,
	   const struct perf_area *area, uint64_t address, struct place *place)
{
  uint64_t bias;
  if (!find_bias (collection, moment, area, &bias))
    return false;
  place->image = area->image;
  place->address = address - bias;
  return true;
}

/* Set *PLACE to the location of ADDRESS at MOMENT.  Return false if it is in no
   image.  */
static bool
locate (const struct collection *collection, uint32_t moment, uint64_t address,
	struct place *place)
{
  *place = (struct place){ 0, address };
  if (collection->is_preferred)
    return true;
  const struct perf_area *area
    = perf_processes_find (collection->processes, moment, address);
  return area != NULL && locate_in (collection, moment, area, address, place);
}

/* Like locate, for data.  Recordings of code contain no data mappings, but all
   segments of an object are loaded with the same bias.  */
static bool
locate_data (const struct collection *collection, uint32_t moment,
	     uint64_t address, struct place *place)
{
  const struct perf_area *area;
  if (locate (collection, moment, address, place))
    return true;
  for (uint32_t i = 0;
       (area = perf_processes_area (collection->processes, moment, i)) != NULL;
       i++)
    if (locate_in (collection, moment, area, address, place)
	&& object_layout_holds (&collection->images->images[area->image].layout,
				place->address))
      return true;
  return false;
}

/* Like locate, for code.  Also return false if no instruction starts there.  */
static bool
locate_code (const struct collection *collection, uint32_t moment,
	     uint64_t address, struct place *place)
{
  struct code_instruction instruction;
  return locate (collection, moment, address, place)
	 && code_map_find (collection->images->images[place->image].code,
			   place->address, &instruction);
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

/* Return where the code at ADDRESS is at MOMENT.  */
static struct known_place
find_code (struct collection *collection, uint32_t moment, uint64_t address)
{
  uint64_t hash = (address + moment) * UINT64_C (0x9e3779b97f4a7c15);
  struct known_place *known = &collection->known[hash >> 32 & (REMEMBERED - 1)];
  if (known->found == 0 || known->address != address || known->moment != moment)
    {
      struct place place;
      bool is_found = locate_code (collection, moment, address, &place);
      *known = (struct known_place){ address,
				     is_found ? place.address : STACK_EXTERNAL,
				     is_found ? place.image : SAMPLED_NO_IMAGE,
				     moment };
    }
  return *known;
}

/* Return PLACE as an address of IMAGE.  */
static uint64_t
in_image (const struct known_place *place, uint32_t image)
{
  return place->image == image ? place->found : STACK_EXTERNAL;
}

/* Make room for the parts of STACK.  */
static bool
reserve_stack (struct collection *collection, const struct known_stack *stack)
{
  size_t callers = stack->caller_count;
  size_t branches = stack->branch_count;
  return growing_array_reserve (&collection->code_places, 0,
				&collection->code_capacity,
				callers + 2 * branches + 1,
				sizeof *collection->code_places)
	 && growing_array_reserve (&collection->stack_branches, 0,
				   &collection->branch_capacity, branches + 1,
				   sizeof *collection->stack_branches)
	 && growing_array_reserve (&collection->frames, 0,
				   &collection->frame_capacity, callers + 1,
				   sizeof *collection->frames);
}

/* Add what STACK, whose code is known, is for IMAGE: all other code is
   external.  */
static bool
add_stack_of (struct collection *collection, uint32_t image,
	      const struct known_stack *stack)
{
  size_t callers = stack->caller_count;
  const struct known_place *branches = collection->code_places + callers;
  size_t count = 0;
  for (size_t i = 0; i < callers; i++)
    collection->frames[i] = in_image (&collection->code_places[i], image);
  for (size_t i = 0; i < stack->branch_count; i++)
    {
      const struct stack_branch branch
	= { in_image (&branches[2 * i], image),
	    in_image (&branches[2 * i + 1], image) };
      if (branch.from != STACK_EXTERNAL || branch.to != STACK_EXTERNAL)
	collection->stack_branches[count++] = branch;
    }
  return stack_unwinder_add (collection->unwinders[image], collection->frames,
			     callers, collection->stack_branches, count,
			     stack->count);
}

/* Add the branches of STACK, if there is one, with their calling contexts.  */
static bool
finish_stack (struct collection *collection, const struct known_stack *stack)
{
  size_t count = stack->caller_count + 2 * stack->branch_count;
  if (stack->count == 0)
    return true;
  if (!reserve_stack (collection, stack))
    return false;
  for (size_t i = 0; i < count; i++)
    collection->code_places[i]
      = find_code (collection, stack->moment, stack->addresses[i]);
  for (uint32_t i = 0; i < collection->images->count; i++)
    if (!add_stack_of (collection, i, stack))
      return false;
  return true;
}

/* Make the current stack that of SAMPLE at MOMENT.  */
static bool
take_stack (struct collection *collection, uint32_t moment,
	    const struct perf_sample *sample)
{
  struct known_stack *stack = &collection->current;
  size_t count = 0;
  if (!growing_array_reserve (&stack->addresses, 0, &stack->capacity,
			      sample->caller_count + 2 * sample->branch_count,
			      sizeof *stack->addresses))
    return false;
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER)
      stack->addresses[count++] = sample->callers[i];
  stack->caller_count = count;
  for (size_t i = 0; i < sample->branch_count; i++)
    {
      stack->addresses[count++] = sample->branches[i].from;
      stack->addresses[count++] = sample->branches[i].to;
    }
  stack->branch_count = sample->branch_count;
  stack->moment = moment;
  stack->count = sample->count;
  stack->hash = moment;
  for (size_t i = 0; i < count; i++)
    stack->hash
      = (stack->hash ^ stack->addresses[i]) * UINT64_C (0x9e3779b97f4a7c15)
	+ (stack->hash >> 29);
  return true;
}

static bool
are_equal (const struct known_stack *a, const struct known_stack *b)
{
  return a->hash == b->hash && a->moment == b->moment
	 && a->caller_count == b->caller_count
	 && a->branch_count == b->branch_count
	 && memcmp (a->addresses, b->addresses,
		    (a->caller_count + 2 * a->branch_count)
		      * sizeof *a->addresses)
	      == 0;
}

/* Add the stack of SAMPLE, or remember it.  */
static bool
add_stack (struct collection *collection, uint32_t moment,
	   const struct perf_sample *sample)
{
  collection->code->stack_samples += sample->count;
  if (!take_stack (collection, moment, sample))
    return false;
  struct known_stack *known
    = &collection
	 ->stacks[collection->current.hash >> 40 & (REMEMBERED_STACKS - 1)];
  if (known->count > 0 && are_equal (known, &collection->current))
    {
      sample_count_add (&known->count, sample->count);
      return true;
    }
  if (!finish_stack (collection, known))
    return false;
  struct known_stack other = *known;
  *known = collection->current;
  collection->current = other;
  return true;
}

static bool
add_load (struct collection *collection, uint32_t moment,
	  const struct perf_sample *sample)
{
  struct place data;
  struct place instruction;
  collection->code->load_samples += sample->count;
  if (!locate_data (collection, moment, sample->address, &data))
    return true;
  const struct virtual_tables *tables
    = &collection->images->images[data.image].tables;
  if (virtual_tables_find (tables, data.address) == NULL
      || !locate (collection, moment, sample->ip, &instruction))
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

static bool
add_sample (void *closure, const struct perf_sample *sample,
	    struct profile_error *err)
{
  struct collection *collection = closure;
  uint32_t moment
    = perf_processes_moment (collection->processes, sample->pid, sample->order);
  bool is_done = true;
  if (moment == PERF_NO_MOMENT && !collection->is_preferred)
    return true;
  /* If any sample has a stack, nothing else counts.  */
  if (sample->branch_count > 0 && sample->caller_count > 0
      && collection->unwinders != NULL)
    {
      collection->code->branch_samples += sample->count;
      is_done = add_stack (collection, moment, sample);
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
pass_veneer (const struct collection *collection, struct place *to)
{
  struct code_instruction instruction;
  struct code_map *code = collection->images->images[to->image].code;
  uint64_t target;
  if (!code_map_veneer (code, to->address, &target))
    return true;
  to->address = target;
  return code_map_find (code, target, &instruction);
}

/* Return true if the branch FROM a place in the same image TO another is the
   last instruction of a veneer.  */
static bool
is_in_veneer (const struct collection *collection, const struct place *from,
	      const struct place *to)
{
  struct code_map *code = collection->images->images[from->image].code;
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
      struct place from;
      struct place to;
      if (pair->count == 0
	  || !locate_code (collection, pair->space, pair->second, &to))
	continue;
      bool is_inside
	= locate_code (collection, pair->space, pair->first, &from);
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
      struct place begin;
      struct place end;
      if (pair->count == 0
	  || !locate_code (collection, pair->space, pair->first, &begin)
	  || !locate_code (collection, pair->space, pair->second, &end))
	continue;
      if (begin.image != end.image
	  || !code_map_is_straight (collection->images->images[begin.image]
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
      struct place place;
      if (pair->count != 0
	  && locate_code (collection, pair->space, pair->first, &place)
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
      struct place place;
      if (pair->count != 0
	  && locate_code (collection, pair->space, pair->first, &place)
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
  size_t count = collection->images->count;
  collection->known = calloc (REMEMBERED, sizeof *collection->known);
  collection->stacks = calloc (REMEMBERED_STACKS, sizeof *collection->stacks);
  collection->unwinders = calloc (count + 1, sizeof *collection->unwinders);
  if (code->stacks == NULL)
    {
      code->stacks = calloc (count + 1, sizeof *code->stacks);
      code->stack_count = code->stacks != NULL ? (uint32_t) count : 0;
    }
  if (collection->known == NULL || collection->stacks == NULL
      || collection->unwinders == NULL || code->stacks == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      code->stacks[i].contexts.has_limit = code->has_limit;
      code->stacks[i].contexts.limit = code->limit;
      collection->unwinders[i]
	= stack_unwinder_open (&collection->images->images[i],
			       &code->stacks[i]);
      if (collection->unwinders[i] == NULL)
	return false;
    }
  return true;
}

/* Add the stacks that are remembered.  */
static bool
finish_stacks (struct collection *collection)
{
  if (collection->unwinders == NULL)
    return true;
  for (size_t i = 0; i < REMEMBERED_STACKS; i++)
    if (!finish_stack (collection, &collection->stacks[i]))
      return false;
  return true;
}

static void
close_stacks (struct collection *collection)
{
  for (size_t i = 0; collection->stacks != NULL && i < REMEMBERED_STACKS; i++)
    free (collection->stacks[i].addresses);
  free (collection->stacks);
  free (collection->current.addresses);
  for (size_t i = 0;
       collection->unwinders != NULL && i < collection->images->count; i++)
    stack_unwinder_close (collection->unwinders[i]);
  free (collection->unwinders);
  free (collection->known);
  free (collection->code_places);
  free (collection->stack_branches);
  free (collection->frames);
}

bool
sampled_code_add (struct sampled_code *code, struct image_list *images,
		  struct perf_recording *recording, enum sampled_kind kind,
		  int32_t pid, bool *has_images, struct profile_error *err)
{
  struct collection collection
    = { .code = code, .images = images, .kind = kind };
  const struct perf_images finder
    = { .closure = &collection, .find = find_image, .build_id = add_build_id };
  const struct perf_handler handler
    = { .closure = &collection, .sample = add_sample };
  collection.processes = perf_processes_read (recording, &finder, pid, err);
  bool is_done = collection.processes != NULL;
  if (is_done && code->wants_stacks && kind == SAMPLED_ALL)
    is_done
      = open_stacks (&collection)
	|| profile_error_set_memory (err, perf_recording_path (recording));
  if (is_done)
    {
      *has_images = perf_processes_has_images (collection.processes);
      collection.is_preferred
	= !*has_images && images->count == 1
	  && perf_recording_form (recording) == PERF_FORM_SCRIPT;
      is_done = perf_recording_read (recording, &handler, err);
    }
  if (is_done
      && (!finish_stacks (&collection)
	  || !finish_branches (&collection, &collection.branches,
			       &code->branches)
	  || !finish_branches (&collection, &collection.single_branches,
			       &code->single_branches)
	  || !finish_ranges (&collection) || !finish_addresses (&collection)
	  || !finish_times (&collection)))
    is_done = profile_error_set_memory (err, perf_recording_path (recording));
  perf_processes_free (collection.processes);
  build_id_table_release (&collection.build_ids);
  address_pairs_release (&collection.branches);
  address_pairs_release (&collection.single_branches);
  address_pairs_release (&collection.ranges);
  address_pairs_release (&collection.addresses);
  address_pairs_release (&collection.times);
  close_stacks (&collection);
  return is_done;
}
