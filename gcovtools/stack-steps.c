/* Where runs of addresses lead in a tree of contexts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stack-steps.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024

static uint32_t
first_slot (const struct stack_steps *steps, uint32_t from,
	    const uint8_t *addresses)
{
  uint64_t words[STEP_ADDRESSES];
  memcpy (words, addresses, sizeof words);
  uint64_t key = from;
  for (int i = 0; i < STEP_ADDRESSES; i++)
    {
      key = (key ^ words[i]) * UINT64_C (0x9e3779b97f4a7c15);
      key ^= key >> 32;
    }
  return (uint32_t) key & steps->mask;
}

/* The slot of the step, or the free one for it.  */
static struct step *
find_slot (const struct stack_steps *steps, uint32_t from,
	   const uint8_t *addresses)
{
  uint32_t slot = first_slot (steps, from, addresses);
  for (; steps->steps[slot].to != 0; slot = (slot + 1) & steps->mask)
    if (steps->steps[slot].from == from
	&& memcmp (steps->steps[slot].addresses, addresses, STEP_BYTES) == 0)
      break;
  return &steps->steps[slot];
}

bool
stack_steps_init (struct stack_steps *steps)
{
  *steps = (struct stack_steps){
    .steps = calloc (FIRST_SLOTS, sizeof *steps->steps),
    .mask = FIRST_SLOTS - 1
  };
  return steps->steps != NULL;
}

void
stack_steps_free (struct stack_steps *steps)
{
  free (steps->steps);
}

uint32_t
stack_steps_find (const struct stack_steps *steps, uint32_t from,
		  const uint8_t *addresses)
{
  const struct step *step = find_slot (steps, from, addresses);
  return step->to != 0 ? step->to - 1 : UINT32_MAX;
}

static bool
grow (struct stack_steps *steps)
{
  if (steps->mask > UINT32_MAX / 4)
    return false;
  uint32_t slots = 2 * (steps->mask + 1);
  struct stack_steps larger = {
    .steps = calloc (slots, sizeof *larger.steps),
    .count = steps->count,
    .mask = slots - 1
  };
  if (larger.steps == NULL)
    return false;
  for (uint32_t i = 0; i <= steps->mask; i++)
    {
      const struct step *step = &steps->steps[i];
      if (step->to != 0)
	*find_slot (&larger, step->from, step->addresses) = *step;
    }
  free (steps->steps);
  *steps = larger;
  return true;
}

bool
stack_steps_add (struct stack_steps *steps, uint32_t from,
		 const uint8_t *addresses, uint32_t to)
{
  if (steps->count > steps->mask / 2 && !grow (steps))
    return false;
  *find_slot (steps, from, addresses) = (struct step){ from, to + 1,
						       addresses };
  steps->count++;
  return true;
}
