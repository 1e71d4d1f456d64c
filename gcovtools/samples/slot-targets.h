/* Call targets of virtual calls, derived from loaded table slots.
   SPDX-License-Identifier: GPL-3.0-or-later

   Readers that do not know virtual tables get the functions in the slots as
   call targets.  Loads are sampled by a different event than code, so only
   their proportions are meaningful: a location's count is divided among its
   functions.  Targets known from branches are more exact and take
   precedence.  */

#ifndef HEAPPROF_SLOT_TARGETS_H
#define HEAPPROF_SLOT_TARGETS_H

#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot_target
{
  struct sample_function *function; /* contains the call */
  struct sample_location location;
  uint32_t name;  /* of the called function */
  uint64_t count; /* number of loads */
};

/* All zeros is empty.  */
struct slot_targets
{
  struct slot_target *targets;
  size_t count;
  size_t capacity;
};

/* Add *TARGET.  Return false if memory is exhausted.  */
bool slot_targets_add (struct slot_targets *targets,
		       const struct slot_target *target);

/* Add TARGETS, all in functions of PROFILE, to locations without call targets.
   Sorts TARGETS.  Return false if memory is exhausted.  */
bool slot_targets_apply (struct slot_targets *targets,
			 struct sample_profile *profile);

void slot_targets_release (struct slot_targets *targets);

#endif /* HEAPPROF_SLOT_TARGETS_H */
