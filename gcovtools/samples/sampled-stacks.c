/* Sampled stacks, counted with the calling contexts of their branches.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sampled-stacks.h"
#include "growing-array.h"
#include "sample-profile.h"
#include <stdlib.h>

/* Number of places that are remembered, a power of two.  */
#define REMEMBERED 8192

/* Number of stacks that are remembered, a power of two.  */
#define REMEMBERED_STACKS 4096

/* The place in no image.  */
#define NO_IMAGE UINT32_MAX

/* A stack that was sampled COUNT times; 0: none.  */
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
  uint32_t image; /* or NO_IMAGE */
  uint32_t moment;
};

struct sampled_stacks
{
  const struct sampled_places *places;
  struct stack_unwinder **unwinders; /* by image */
  struct known_place known[REMEMBERED];
  struct known_stack stacks[REMEMBERED_STACKS];
  struct known_place *code_places; /* of a stack's addresses */
  size_t code_capacity;
  struct stack_branch *branches; /* room for those of a stack */
  size_t branch_capacity;
  uint64_t *frames;
  size_t frame_capacity;
};

struct sampled_stacks *
sampled_stacks_open (const struct sampled_places *places,
		     struct stack_counts *counts)
{
  struct sampled_stacks *stacks = calloc (1, sizeof *stacks);
  if (stacks == NULL)
    return NULL;
  size_t count = places->images->count;
  stacks->places = places;
  stacks->unwinders = calloc (count + 1, sizeof *stacks->unwinders);
  bool is_done = stacks->unwinders != NULL;
  for (size_t i = 0; i < count && is_done; i++)
    {
      stacks->unwinders[i]
	= stack_unwinder_open (&places->images->images[i], &counts[i]);
      is_done = stacks->unwinders[i] != NULL;
    }
  if (is_done)
    return stacks;
  sampled_stacks_close (stacks);
  return NULL;
}

void
sampled_stacks_close (struct sampled_stacks *stacks)
{
  if (stacks == NULL)
    return;
  for (size_t i = 0; i < REMEMBERED_STACKS; i++)
    free (stacks->stacks[i].addresses);
  for (size_t i = 0;
       stacks->unwinders != NULL && i < stacks->places->images->count; i++)
    stack_unwinder_close (stacks->unwinders[i]);
  free (stacks->unwinders);
  free (stacks->code_places);
  free (stacks->branches);
  free (stacks->frames);
  free (stacks);
}

/* ---- Following a stack.  */

/* Return where the code at ADDRESS is at MOMENT.  */
static struct known_place
find_code (struct sampled_stacks *stacks, uint32_t moment, uint64_t address)
{
  uint64_t hash = (address + moment) * UINT64_C (0x9e3779b97f4a7c15);
  struct known_place *known = &stacks->known[hash >> 32 & (REMEMBERED - 1)];
  if (known->found == 0 || known->address != address || known->moment != moment)
    {
      struct sampled_place place;
      bool is_found
	= sampled_places_find_code (stacks->places, moment, address, &place);
      *known
	= (struct known_place){ address,
				is_found ? place.address : STACK_EXTERNAL,
				is_found ? place.image : NO_IMAGE, moment };
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
reserve_stack (struct sampled_stacks *stacks, const struct known_stack *stack)
{
  size_t callers = stack->caller_count;
  size_t branches = stack->branch_count;
  return growing_array_reserve (&stacks->code_places, 0, &stacks->code_capacity,
				callers + 2 * branches + 1,
				sizeof *stacks->code_places)
	 && growing_array_reserve (&stacks->branches, 0,
				   &stacks->branch_capacity, branches + 1,
				   sizeof *stacks->branches)
	 && growing_array_reserve (&stacks->frames, 0, &stacks->frame_capacity,
				   callers + 1, sizeof *stacks->frames);
}

/* Add what STACK, whose code is known, is for IMAGE: all other code is
   external.  */
static bool
add_stack_of (struct sampled_stacks *stacks, uint32_t image,
	      const struct known_stack *stack)
{
  size_t callers = stack->caller_count;
  const struct known_place *branches = stacks->code_places + callers;
  size_t count = 0;
  for (size_t i = 0; i < callers; i++)
    stacks->frames[i] = in_image (&stacks->code_places[i], image);
  for (size_t i = 0; i < stack->branch_count; i++)
    {
      const struct stack_branch branch
	= { in_image (&branches[2 * i], image),
	    in_image (&branches[2 * i + 1], image) };
      if (branch.from != STACK_EXTERNAL || branch.to != STACK_EXTERNAL)
	stacks->branches[count++] = branch;
    }
  return stack_unwinder_add (stacks->unwinders[image], stacks->frames, callers,
			     stacks->branches, count, stack->count);
}

/* Follow STACK, if there is one.  */
static bool
finish_stack (struct sampled_stacks *stacks, const struct known_stack *stack)
{
  size_t count = stack->caller_count + 2 * stack->branch_count;
  if (stack->count == 0)
    return true;
  if (!reserve_stack (stacks, stack))
    return false;
  for (size_t i = 0; i < count; i++)
    stacks->code_places[i]
      = find_code (stacks, stack->moment, stack->addresses[i]);
  for (uint32_t i = 0; i < stacks->places->images->count; i++)
    if (!add_stack_of (stacks, i, stack))
      return false;
  return true;
}

bool
sampled_stacks_finish (struct sampled_stacks *stacks)
{
  for (size_t i = 0; i < REMEMBERED_STACKS; i++)
    {
      if (!finish_stack (stacks, &stacks->stacks[i]))
	return false;
      stacks->stacks[i].count = 0;
    }
  return true;
}

/* ---- Remembering stacks.  */

static uint64_t
mix (uint64_t hash, uint64_t address)
{
  return (hash ^ address) * UINT64_C (0x9e3779b97f4a7c15) + (hash >> 29);
}

/* Set *CALLERS to the number of callers of SAMPLE that are no markers.  Return
   a hash of its stack at MOMENT.  */
static uint64_t
hash_stack (uint32_t moment, const struct perf_sample *sample, size_t *callers)
{
  uint64_t hash = moment;
  *callers = 0;
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER)
      {
	hash = mix (hash, sample->callers[i]);
	++*callers;
      }
  for (size_t i = 0; i < sample->branch_count; i++)
    hash = mix (mix (hash, sample->branches[i].from), sample->branches[i].to);
  return hash;
}

/* Return true if STACK has the callers and branches of SAMPLE, whose numbers
   are equal.  */
static bool
has_addresses (const struct known_stack *stack,
	       const struct perf_sample *sample)
{
  const uint64_t *next = stack->addresses;
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER && sample->callers[i] != *next++)
      return false;
  for (size_t i = 0; i < sample->branch_count; i++, next += 2)
    if (sample->branches[i].from != next[0]
	|| sample->branches[i].to != next[1])
      return false;
  return true;
}

/* Set the addresses of STACK to those of SAMPLE.  */
static bool
copy_addresses (struct known_stack *stack, const struct perf_sample *sample)
{
  size_t count = 0;
  if (!growing_array_reserve (&stack->addresses, 0, &stack->capacity,
			      sample->caller_count + 2 * sample->branch_count,
			      sizeof *stack->addresses))
    return false;
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER)
      stack->addresses[count++] = sample->callers[i];
  for (size_t i = 0; i < sample->branch_count; i++)
    {
      stack->addresses[count++] = sample->branches[i].from;
      stack->addresses[count++] = sample->branches[i].to;
    }
  return true;
}

bool
sampled_stacks_add (struct sampled_stacks *stacks, uint32_t moment,
		    const struct perf_sample *sample)
{
  size_t callers;
  uint64_t hash = hash_stack (moment, sample, &callers);
  struct known_stack *known
    = &stacks->stacks[hash >> 40 & (REMEMBERED_STACKS - 1)];
  if (known->count > 0 && known->hash == hash && known->moment == moment
      && known->caller_count == callers
      && known->branch_count == sample->branch_count
      && has_addresses (known, sample))
    {
      sample_count_add (&known->count, sample->count);
      return true;
    }
  if (!finish_stack (stacks, known))
    return false;
  known->count = 0;
  if (!copy_addresses (known, sample))
    return false;
  known->hash = hash;
  known->count = sample->count;
  known->moment = moment;
  known->caller_count = callers;
  known->branch_count = sample->branch_count;
  return true;
}
