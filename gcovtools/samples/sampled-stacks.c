/* Sampled stacks, counted with the calling contexts of their branches.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sampled-stacks.h"
#include "growing-array.h"
#include "sample-profile.h"
#include <stdlib.h>
#include <string.h>

/* Number of places that are remembered, a power of two.  */
#define REMEMBERED 8192

/* Upper limits of what is remembered before it is followed: stacks, and
   addresses of these.  The former is half of the number of slots, a power of
   two.  */
#define MOST_STACKS 32768
#define STACK_SLOTS 65536
#define MOST_ADDRESSES (2 << 20)

/* The place in no image.  */
#define NO_IMAGE UINT32_MAX

/* A stack that was sampled COUNT times.  */
struct known_stack
{
  uint64_t hash;
  uint64_t count;
  size_t first; /* of its addresses among all: callers, then source and target
		   of each branch */
  uint32_t moment;
  uint32_t caller_count;
  uint32_t branch_count;
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
  struct known_stack *stacks; /* that were not followed yet */
  size_t stack_count;
  size_t stack_capacity;
  uint32_t slots[STACK_SLOTS]; /* numbers of stacks plus 1; 0: free */
  uint64_t *addresses;	       /* of STACKS */
  size_t address_count;
  size_t address_capacity;
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
  for (size_t i = 0;
       stacks->unwinders != NULL && i < stacks->places->images->count; i++)
    stack_unwinder_close (stacks->unwinders[i]);
  free (stacks->unwinders);
  free (stacks->stacks);
  free (stacks->addresses);
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

static bool
follow (struct sampled_stacks *stacks, const struct known_stack *stack)
{
  size_t count = stack->caller_count + 2 * (size_t) stack->branch_count;
  const uint64_t *addresses = &stacks->addresses[stack->first];
  if (!reserve_stack (stacks, stack))
    return false;
  for (size_t i = 0; i < count; i++)
    stacks->code_places[i] = find_code (stacks, stack->moment, addresses[i]);
  for (uint32_t i = 0; i < stacks->places->images->count; i++)
    if (!add_stack_of (stacks, i, stack))
      return false;
  return true;
}

bool
sampled_stacks_finish (struct sampled_stacks *stacks)
{
  for (size_t i = 0; i < stacks->stack_count; i++)
    if (!follow (stacks, &stacks->stacks[i]))
      return false;
  memset (stacks->slots, 0, sizeof stacks->slots);
  stacks->stack_count = 0;
  stacks->address_count = 0;
  return true;
}

/* ---- Remembering stacks.  */

static uint64_t
mix (uint64_t hash, uint64_t address)
{
  return (hash ^ address) * UINT64_C (0x9e3779b97f4a7c15) + (hash >> 29);
}

/* Set *STACK to that of SAMPLE at MOMENT, without addresses.  */
static void
describe (struct known_stack *stack, uint32_t moment,
	  const struct perf_sample *sample)
{
  *stack
    = (struct known_stack){ .hash = moment,
			    .count = sample->count,
			    .moment = moment,
			    .branch_count = (uint32_t) sample->branch_count };
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER)
      {
	stack->hash = mix (stack->hash, sample->callers[i]);
	stack->caller_count++;
      }
  for (size_t i = 0; i < sample->branch_count; i++)
    stack->hash = mix (mix (stack->hash, sample->branches[i].from),
		       sample->branches[i].to);
}

/* Return true if NEXT, the addresses of a stack with as many callers and
   branches, are those of SAMPLE.  */
static bool
has_addresses (const uint64_t *next, const struct perf_sample *sample)
{
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER && sample->callers[i] != *next++)
      return false;
  for (size_t i = 0; i < sample->branch_count; i++, next += 2)
    if (sample->branches[i].from != next[0]
	|| sample->branches[i].to != next[1])
      return false;
  return true;
}

/* Return the slot of STACK, that of SAMPLE, or the free one for it.  */
static uint32_t *
find_slot (struct sampled_stacks *stacks, const struct known_stack *stack,
	   const struct perf_sample *sample)
{
  for (uint32_t slot = stack->hash >> 40;; slot++)
    {
      uint32_t *found = &stacks->slots[slot & (STACK_SLOTS - 1)];
      if (*found == 0)
	return found;
      const struct known_stack *other = &stacks->stacks[*found - 1];
      if (other->hash == stack->hash && other->moment == stack->moment
	  && other->caller_count == stack->caller_count
	  && other->branch_count == stack->branch_count
	  && has_addresses (&stacks->addresses[other->first], sample))
	return found;
    }
}

/* Add the addresses of SAMPLE.  */
static bool
add_addresses (struct sampled_stacks *stacks, const struct perf_sample *sample)
{
  if (!growing_array_reserve (&stacks->addresses, stacks->address_count,
			      &stacks->address_capacity,
			      sample->caller_count + 2 * sample->branch_count,
			      sizeof *stacks->addresses))
    return false;
  uint64_t *next = &stacks->addresses[stacks->address_count];
  for (size_t i = 0; i < sample->caller_count; i++)
    if (sample->callers[i] < PERF_LEAST_MARKER)
      *next++ = sample->callers[i];
  for (size_t i = 0; i < sample->branch_count; i++)
    {
      *next++ = sample->branches[i].from;
      *next++ = sample->branches[i].to;
    }
  stacks->address_count = (size_t) (next - stacks->addresses);
  return true;
}

bool
sampled_stacks_add (struct sampled_stacks *stacks, uint32_t moment,
		    const struct perf_sample *sample)
{
  struct known_stack stack;
  describe (&stack, moment, sample);
  uint32_t *slot = find_slot (stacks, &stack, sample);
  if (*slot != 0)
    {
      sample_count_add (&stacks->stacks[*slot - 1].count, sample->count);
      return true;
    }
  if (stacks->stack_count == MOST_STACKS
      || stacks->address_count >= MOST_ADDRESSES)
    {
      if (!sampled_stacks_finish (stacks))
	return false;
      slot = find_slot (stacks, &stack, sample);
    }
  stack.first = stacks->address_count;
  if (!growing_array_reserve (&stacks->stacks, stacks->stack_count,
			      &stacks->stack_capacity, 1,
			      sizeof *stacks->stacks)
      || !add_addresses (stacks, sample))
    return false;
  stacks->stacks[stacks->stack_count++] = stack;
  *slot = (uint32_t) stacks->stack_count;
  return true;
}
