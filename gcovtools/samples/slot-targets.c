/* Call targets of virtual calls, derived from loaded table slots.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "slot-targets.h"
#include <stdlib.h>

bool
slot_targets_add (struct slot_targets *targets,
		  const struct slot_target *target)
{
  if (targets->count == targets->capacity)
    {
      size_t capacity = targets->capacity > 0 ? 2 * targets->capacity : 64;
      void *grown
	= realloc (targets->targets, capacity * sizeof *targets->targets);
      if (grown == NULL)
	return false;
      targets->targets = grown;
      targets->capacity = capacity;
    }
  targets->targets[targets->count++] = *target;
  return true;
}

void
slot_targets_release (struct slot_targets *targets)
{
  free (targets->targets);
  *targets = (struct slot_targets){ 0 };
}

/* Compare by location; the order of functions does not matter.  */
static int
compare_places (const struct slot_target *a, const struct slot_target *b)
{
  uintptr_t x = (uintptr_t) a->function;
  uintptr_t y = (uintptr_t) b->function;
  if (x != y)
    return x < y ? -1 : 1;
  if (a->location.line != b->location.line)
    return a->location.line < b->location.line ? -1 : 1;
  if (a->location.discriminator != b->location.discriminator)
    return a->location.discriminator < b->location.discriminator ? -1 : 1;
  return 0;
}

static int
compare_targets (const void *a, const void *b)
{
  const struct slot_target *x = a;
  const struct slot_target *y = b;
  int result = compare_places (x, y);
  if (result != 0)
    return result;
  return x->name < y->name ? -1 : x->name > y->name;
}

/* Return COUNT * PART / WHOLE; WHOLE is not 0.  */
static uint64_t
share (uint64_t count, uint64_t part, uint64_t whole)
{
  return (uint64_t) ((unsigned __int128) count * part / whole);
}

/* Add the COUNT targets at TARGETS, all at one location, to PROFILE.  */
static bool
apply_place (struct sample_profile *profile, const struct slot_target *targets,
	     size_t count)
{
  const struct sample_body *body
    = sample_function_find_body (targets->function, targets->location);
  if (body != NULL && body->targets.count > 0)
    return true;
  uint64_t loads = 0;
  for (size_t i = 0; i < count; i++)
    sample_count_add (&loads, targets[i].count);
  /* If no sample hit the code, only the loads are known.  */
  uint64_t calls = body != NULL && body->count > 0 ? body->count : loads;
  for (size_t i = 0; i < count && loads > 0; i++)
    {
      uint64_t own = share (calls, targets[i].count, loads);
      if (own > 0
	  && !sample_function_add_target (profile, targets->function,
					  targets->location, targets[i].name,
					  own))
	return false;
    }
  return true;
}

bool
slot_targets_apply (struct slot_targets *targets,
		    struct sample_profile *profile)
{
  if (targets->count > 0)
    qsort (targets->targets, targets->count, sizeof *targets->targets,
	   compare_targets);
  for (size_t i = 0, end; i < targets->count; i = end)
    {
      const struct slot_target *first = &targets->targets[i];
      for (end = i + 1; end < targets->count; end++)
	if (compare_places (first, &targets->targets[end]) != 0)
	  break;
      if (!apply_place (profile, first, end - i))
	return false;
    }
  return true;
}
