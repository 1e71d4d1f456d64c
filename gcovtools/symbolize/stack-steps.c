/* A cache of steps in a context tree, each over several addresses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stack-steps.h"
#include <stdlib.h>

#define FIRST_SLOTS 1024

/* Return the slot of the step, or the free slot for it.  */
static struct step *
find_slot (const struct stack_steps *steps, uint32_t from, uint64_t run)
{
  uint64_t key = (run ^ from) * UINT64_C (0x9e3779b97f4a7c15);
  key = (key ^ key >> 32 ^ from) * UINT64_C (0xff51afd7ed558ccd);
  uint32_t slot = (uint32_t) (key >> 32) & steps->mask;
  for (; steps->steps[slot].to != 0; slot = (slot + 1) & steps->mask)
    if (steps->steps[slot].from == from && steps->steps[slot].run == run)
      break;
  return &steps->steps[slot];
}

bool
stack_steps_init (struct stack_steps *steps, uint32_t count)
{
  *steps
    = (struct stack_steps){ .steps = calloc (FIRST_SLOTS, sizeof *steps->steps),
			    .mask = FIRST_SLOTS - 1,
			    .width = count <= UINT16_MAX ? 4 : 2 };
  return steps->steps != NULL;
}

void
stack_steps_free (struct stack_steps *steps)
{
  free (steps->steps);
}

uint64_t
stack_steps_run (const struct stack_steps *steps, const uint32_t *numbers)
{
  unsigned int bits = 64 / steps->width;
  uint64_t run = 0;
  for (unsigned int i = 0; i < steps->width; i++)
    run = run << bits | numbers[i];
  return run;
}

uint32_t
stack_steps_find (const struct stack_steps *steps, uint32_t from, uint64_t run)
{
  const struct step *step = find_slot (steps, from, run);
  return step->to != 0 ? step->to - 1 : UINT32_MAX;
}

static bool
grow (struct stack_steps *steps)
{
  if (steps->mask > UINT32_MAX / 4)
    return false;
  uint32_t slots = 2 * (steps->mask + 1);
  struct stack_steps larger = *steps;
  larger.mask = slots - 1;
  larger.steps = calloc (slots, sizeof *larger.steps);
  if (larger.steps == NULL)
    return false;
  for (uint32_t i = 0; i <= steps->mask; i++)
    {
      const struct step *step = &steps->steps[i];
      if (step->to != 0)
	*find_slot (&larger, step->from, step->run) = *step;
    }
  free (steps->steps);
  *steps = larger;
  return true;
}

bool
stack_steps_add (struct stack_steps *steps, uint32_t from, uint64_t run,
		 uint32_t to)
{
  if (steps->count > steps->mask / 2 && !grow (steps))
    return false;
  *find_slot (steps, from, run) = (struct step){ from, to + 1, run };
  steps->count++;
  return true;
}
