/* Sampled stacks, counted with the calling contexts of their branches.
   SPDX-License-Identifier: GPL-3.0-or-later

   Programs run in circles, and following a stack takes far longer than
   comparing it: stacks are followed when there are too many to remember.  */

#ifndef HEAPPROF_SAMPLED_STACKS_H
#define HEAPPROF_SAMPLED_STACKS_H

#include "perf-events.h"
#include "sampled-places.h"
#include "stack-unwinder.h"
#include <stdbool.h>
#include <stdint.h>

struct sampled_stacks;

/* Begin to count stacks at PLACES in COUNTS, those of each image; both must
   outlive the result.  NULL if memory is exhausted.  */
struct sampled_stacks *sampled_stacks_open (const struct sampled_places *places,
					    struct stack_counts *counts);
void sampled_stacks_close (struct sampled_stacks *stacks);

/* Add the stack of SAMPLE at MOMENT.  Return false if memory is exhausted.  */
bool sampled_stacks_add (struct sampled_stacks *stacks, uint32_t moment,
			 const struct perf_sample *sample);

/* Count the stacks that were not followed yet.  Return false if memory is
   exhausted.  */
bool sampled_stacks_finish (struct sampled_stacks *stacks);

#endif /* HEAPPROF_SAMPLED_STACKS_H */
