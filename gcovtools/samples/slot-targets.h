/* Targets of calls through virtual tables, by the slots that were loaded.
   SPDX-License-Identifier: GPL-3.0-or-later

   Who knows no virtual tables is told of the functions that the slots hold.
   Loads are sampled by another event than code, so only their shares mean
   something: a location's count is divided among its functions.  Where branches
   were sampled, the targets are known, and better.  */

#ifndef HEAPPROF_SLOT_TARGETS_H
#define HEAPPROF_SLOT_TARGETS_H

#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot_target
{
  struct sample_function *function; /* that has the call */
  struct sample_location location;
  uint32_t name;  /* of the function called */
  uint64_t count; /* of loads */
};

/* All zeros is none.  */
struct slot_targets
{
  struct slot_target *targets;
  size_t count;
  size_t capacity;
};

/* Add *TARGET.  False if memory is exhausted.  */
bool slot_targets_add (struct slot_targets *targets,
		       const struct slot_target *target);

/* Give PROFILE, which all TARGETS are of, those of locations without any.
   TARGETS are sorted.  False if memory is exhausted.  */
bool slot_targets_apply (struct slot_targets *targets,
			 struct sample_profile *profile);

void slot_targets_release (struct slot_targets *targets);

#endif /* HEAPPROF_SLOT_TARGETS_H */
