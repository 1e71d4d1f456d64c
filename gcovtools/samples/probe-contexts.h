/* Counting of pseudo probes by calling context (doc/pseudo-probes.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROBE_CONTEXTS_H
#define HEAPPROF_PROBE_CONTEXTS_H

#include "profile-error.h"
#include "sampled-functions.h"
#include "stack-unwinder.h"
#include <stdbool.h>

/* Add STACKS, which are sorted, to the profile of FUNCTIONS, whose image has
   probes.  Return false and set *ERR on failure.  */
bool probe_contexts_add (const struct sampled_functions *functions,
			 struct stack_counts *stacks,
			 struct profile_error *err);

#endif /* HEAPPROF_PROBE_CONTEXTS_H */
